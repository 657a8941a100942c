// Recordings kept in the browser: what a crash leaves, several tabs at once, no room, and no secrets.
import { beforeEach, describe, expect, test as base, vi } from 'vitest'
import { verify } from '../../src/services/replay/verify.ts'
import { randomSystem } from '../harness/random-system.ts'
import { openStorePages, storedTrace } from '../harness/store-pages.ts'

const test = base.extend('pages', { scope: 'file' }, async ({}, { onCleanup }) => {
  const pages = await openStorePages()
  onCleanup(() => pages.stop())
  return pages
})

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

/** What may be lost, in milliseconds. */
const LOST = 250

describe('a page that dies amid work', () => {
  test('leaves all that is older than a quarter of a second, and it replays exactly', async ({ pages }) => {
    const options = { database: 'crash' }
    const page = await pages.open(options)
    const notes: (readonly [stimuli: number, at: number])[] = []
    await page.exposeFunction('note', (stimuli: number, at: number) => void notes.push([stimuli, at]))
    await page.evaluate(() => window.page.run(11))
    await expect.poll(() => notes.length).toBeGreaterThan(150)
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
    expect(promised).toBeGreaterThan(50)
    expect(trace.stimuli.length).toBeGreaterThanOrEqual(promised ?? 0)
    expect(trace.damage).toEqual([])
    expect(verify(trace, randomSystem())).toMatchObject({ outcome: 'exact', compared: trace.views.length })
  })
})
