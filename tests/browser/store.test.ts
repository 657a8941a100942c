// Recordings stored in the browser: what a crash leaves, several tabs at once, full storage, and no secrets.
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test as base, vi } from 'vitest'
import { verify } from '../../src/services/replay/index.ts'
import type { ReplayableTrace } from '../../src/trace/index.ts'
import { atFileEnd } from '../harness/endings.ts'
import { randomSystem } from '../harness/random-system.ts'
import { openStorePages, storedTrace } from '../harness/store-pages.ts'

const test = base.extend('pages', { scope: 'file' }, async () => {
  const pages = await openStorePages()
  atFileEnd(() => pages.stop())
  return pages
})

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

const isExact = (trace: ReplayableTrace) => {
  expect(trace.damage).toEqual([])
  expect(verify(trace, randomSystem())).toMatchObject({ outcome: 'exact', compared: trace.steps.length })
}

/** What may be lost, in milliseconds. */
const LOST = 250

describe('a page that dies during its work', () => {
  test('loses at most the last quarter of a second, and the rest replays exactly', async ({ pages }) => {
    const options = { database: 'crash' }
    const page = await pages.open(options)
    const notes: (readonly [stimuli: number, at: number])[] = []
    await page.exposeFunction('note', (stimuli: number, at: number) => void notes.push([stimuli, at]))
    await page.evaluate(() => window.page.run(11))
    await expect.poll(() => notes.length).toBeGreaterThan(100)
    const session = await pages.context.newCDPSession(page)
    const died = new Promise(resolve => page.on('crash', resolve))
    const at = Date.now()
    session.send('Page.crash').catch(() => undefined)
    await died

    const next = await pages.open(options)
    const [recording, ...others] = await next.evaluate(() => window.page.store.list())
    expect(others).toEqual([])
    expect(recording).toMatchObject({ state: 'cutOff', system: 'random', kept: false })
    const trace = await storedTrace(next, recording?.id ?? '')
    const promised = notes.findLast(([, when]) => when <= at - LOST)?.[0]
    expect(promised).toBeGreaterThan(20)
    expect(trace.stimuli.length).toBeGreaterThanOrEqual(promised ?? 0)
    isExact(trace)
  })
})

const stored = (page: Page) => page.evaluate(() => window.page.store.list())

/** Whether everything is stored. */
const isStored = (page: Page) =>
  page.evaluate(async () => {
    const [newest] = await window.page.store.list()
    return newest?.steps === window.page.segments?.trace.steps.length
  })

describe('several tabs', () => {
  test('write at the same time, each its own recording, and all know which ones are alive', async ({
    pages,
  }) => {
    const options = { database: 'tabs' }
    const [one, two] = [await pages.open(options), await pages.open(options)]
    for (const [at, page] of [one, two].entries())
      await page.evaluate(async seed => {
        window.page.run(seed)
        await window.page.drive(30)
        await window.page.writing?.flush()
      }, at + 1)
    const both = await stored(two)
    expect(both.map(({ state }) => state)).toEqual(['running', 'running'])
    expect(new Set(both.map(({ writer }) => writer)).size).toBe(2)
    for (const { id } of both) isExact(await storedTrace(one, id))
    await one.close()
    await expect
      .poll(async () => (await stored(two)).map(({ state }) => state).sort())
      .toEqual(['cutOff', 'running'])
    await two.evaluate(() => window.page.writing?.stop())
    expect((await stored(two)).map(({ state }) => state).sort()).toEqual(['closed', 'cutOff'])
    await two.close()
  })
})

test('a hidden page writes by the clock of its worker', async ({ pages }) => {
  const page = await pages.open({ database: 'hidden' })
  await page.evaluate(async () => {
    window.page.run(3)
    await window.page.writing?.flush()
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
    // The timers of a long-hidden page run once a minute: as good as never.
    const { setTimeout } = window
    const value = (fn: () => void, ms = 0) => (ms < 100 ? setTimeout(fn, ms) : 0)
    Object.defineProperty(window, 'setTimeout', { value })
    await window.page.drive(20)
  })
  await expect.poll(() => isStored(page)).toBe(true)
  await page.close()
})

describe('where something is missing', () => {
  test('without workers the page writes itself', async ({ pages }) => {
    const page = await pages.open({ database: 'workerless' }, () => Reflect.deleteProperty(window, 'Worker'))
    await page.evaluate(async () => {
      window.page.run(4)
      await window.page.drive(20)
      await window.page.writing?.stop()
    })
    const [recording] = await stored(page)
    expect(recording?.state).toBe('closed')
    isExact(await storedTrace(page, recording?.id ?? ''))
    await page.close()
  })

  test('without a database nothing is stored, the app continues, and the status shows why', async ({
    pages,
  }) => {
    const page = await pages.open({}, () => Object.defineProperty(window, 'indexedDB', { value: undefined }))
    const after = await page.evaluate(async () => {
      window.page.run(5)
      await window.page.drive(20)
      await window.page.writing?.stop()
      const { store } = window.page
      return [await store.list(), await store.open('x'), store.status()]
    })
    const reason = "Recordings can't be stored: IndexedDB is not available"
    expect(after).toEqual([[], undefined, { state: 'unavailable', bytes: 0, quota: 0, reason }])
    await page.close()
  })

  test('on a full device the oldest recordings are deleted, and the rest replays', async ({ pages }) => {
    const page = await pages.openFull(400_000, { days: 100_000 })
    const after = await page.evaluate(async () => {
      const { store } = window.page
      window.page.run(6)
      await window.page.drive(20)
      await window.page.writing?.stop()
      const [old] = await store.list()
      window.page.run(7)
      for (let part = 0; part < 40 && store.status().state !== 'full'; part++) {
        await window.page.drive(20)
        await window.page.writing?.flush()
      }
      return { old, status: store.status(), list: await store.list() }
    })
    expect(after.status).toMatchObject({
      state: 'full',
      reason: 'No space left for the recording. It continues when space is available.',
    })
    expect(after.list.map(({ id, state }) => [id === after.old?.id, state])).toEqual([[false, 'running']])
    const trace = await storedTrace(page, after.list[0]?.id ?? '')
    expect(trace.stimuli.length).toBeGreaterThan(100)
    isExact(trace)
    await page.close()
  })
})
