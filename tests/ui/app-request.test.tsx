// A request as React state: parts, failures and when it is sent again; and how pages of the app retry it.
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Failure } from '../../src/public/index.ts'
import {
  type RequestHookOptions,
  type RequestState,
  type RetryRequest,
  useRequest,
} from '../../src/public/react.ts'
import { type PageKey, usePageRequest } from '../../src/ui/app/use-page-request.ts'
import { renderPage } from '../harness/react.tsx'
import { fakeClient, responding, type Sent } from '../harness/responding.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const DOWN: Failure = { kind: 'server', status: 503, message: 'Down.' }
const HIDDEN: Failure = { kind: 'forbidden', status: 403, message: 'Hidden.' }

interface Asked {
  readonly of: PageKey | undefined
  readonly options?: RequestHookOptions
}

/** A page with one request; `isApp`: with the app's retries. */
async function pageOf({ isApp = false, options }: { isApp?: boolean; options?: RequestHookOptions } = {}) {
  const sent: Sent[] = []
  let last: RequestState<string> | undefined
  const run = (_data: unknown, signal: AbortSignal) => responding(signal, sent)
  const useOne = isApp
    ? ({ of }: Asked) => usePageRequest(of, run)
    : ({ of, options }: Asked) => useRequest(of, run, options)
  function Page(asked: Asked) {
    const state = useOne(asked)
    // oxlint-disable-next-line react/globals -- the test reads what was rendered
    last = state
    return null
  }
  const { client, topics, change } = fakeClient()
  const shown = (of: PageKey | undefined) => <Page of={of} {...(options && { options })} />
  const page = await renderPage(client, shown(['a']))
  const state = () => {
    const { phase, data, failure } = last ?? {}
    return { phase, data, failure }
  }
  return {
    sent,
    topics,
    change,
    state,
    /** The last request. */
    now: () => sent.at(-1) as Sent,
    reload: () => act(async () => last?.reload()),
    ask: (of: PageKey | undefined) => page.show(shown(of)),
    settle: (settle: (last: Sent) => void) => act(async () => settle(sent.at(-1) as Sent)),
    pass: (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms)),
    unmount: page.unmount,
  }
}

const NOTHING = { data: undefined, failure: undefined }

test('is pending until its response, and is sent again for another key only', async () => {
  const page = await pageOf()
  expect(page.state()).toEqual({ phase: 'pending', ...NOTHING })
  await page.settle(({ end }) => end('one'))
  expect(page.state()).toEqual({ phase: 'done', data: 'one', failure: undefined })
  const count = page.sent.length
  await page.ask(['a'])
  expect(page.sent).toHaveLength(count)
  await page.ask(['b'])
  expect(page.state()).toEqual({ phase: 'pending', ...NOTHING })
  await page.settle(({ end }) => end('two'))
  expect(page.state()).toMatchObject({ phase: 'done', data: 'two' })
})

test('without a key nothing is sent, and a request under way is aborted', async () => {
  const page = await pageOf()
  const { signal } = page.now()
  const count = page.sent.length
  await page.ask(undefined)
  expect([signal.aborted, page.sent.length, page.state()]).toEqual([
    true,
    count,
    { phase: 'idle', ...NOTHING },
  ])
})

test('parts are shown until the value is complete; a reload shows none', async () => {
  const page = await pageOf()
  await page.settle(({ show }) => show('o'))
  await page.settle(({ show }) => show('on'))
  expect(page.state()).toEqual({ phase: 'pending', data: 'on', failure: undefined })
  await page.settle(({ end }) => end('one'))
  await page.reload()
  await page.settle(({ show }) => show('tw'))
  expect(page.state()).toMatchObject({ phase: 'pending', data: 'one' })
  await page.settle(({ end }) => end('two'))
  expect(page.state()).toMatchObject({ phase: 'done', data: 'two' })
})

test('a failure waits for a reload, and stays until its response', async () => {
  const page = await pageOf()
  await page.settle(({ fail }) => fail(DOWN))
  expect(page.state()).toEqual({ phase: 'failed', data: undefined, failure: DOWN })
  const count = page.sent.length
  await page.pass(600_000)
  expect(page.sent).toHaveLength(count)
  await page.reload()
  expect(page.state()).toEqual({ phase: 'pending', data: undefined, failure: DOWN })
  await page.settle(({ end }) => end('one'))
  expect(page.state()).toEqual({ phase: 'done', data: 'one', failure: undefined })
})

test('a failed reload keeps the data; a rejection is described', async () => {
  const page = await pageOf()
  await page.settle(({ end }) => end('one'))
  await page.reload()
  await page.settle(({ fail }) => fail(new TypeError('fetch failed')))
  expect(page.state()).toMatchObject({ phase: 'failed', data: 'one', failure: { kind: 'network' } })
})

test('an earlier response and one after the page was left are ignored', async () => {
  const page = await pageOf()
  const earlier = page.now()
  await page.reload()
  await act(async () => earlier.end('old'))
  expect([earlier.signal.aborted, page.state()]).toEqual([true, { phase: 'pending', ...NOTHING }])
  await page.unmount()
  expect(page.now().signal.aborted).toBe(true)
})

describe('retry', () => {
  /** Retries a second after each failure. */
  function everySecond() {
    const cancel = vi.fn<() => void>()
    const retry = vi.fn<RetryRequest>((_failure, again) => {
      const timer = setTimeout(again, 1_000)
      return () => {
        cancel()
        clearTimeout(timer)
      }
    })
    return { retry, cancel }
  }

  test('is asked once per failure, even if the same one is thrown again', async () => {
    const { retry } = everySecond()
    const page = await pageOf({ options: { retry } })
    const first = page.sent.length
    for (const times of [1, 2]) {
      await page.settle(({ fail }) => fail(DOWN))
      await page.ask(['a'])
      expect(retry).toHaveBeenCalledTimes(times)
      expect(retry).toHaveBeenLastCalledWith(DOWN, expect.any(Function))
      await page.pass(1_000)
      expect(page.sent).toHaveLength(first + times)
    }
    await page.settle(({ end }) => end('one'))
    await page.pass(60_000)
    expect(page.sent).toHaveLength(first + 2)
  })

  test('is canceled by a reload and when the page is left', async () => {
    const { retry, cancel } = everySecond()
    const page = await pageOf({ options: { retry } })
    await page.settle(({ fail }) => fail(DOWN))
    await page.reload()
    expect(cancel).toHaveBeenCalledOnce()
    await page.settle(({ fail }) => fail(DOWN))
    const count = page.sent.length
    await page.unmount()
    await page.pass(60_000)
    expect([page.sent.length, cancel.mock.calls.length]).toEqual([count, 2])
  })

  test('pages of the app retry after 4 s what may pass, and nothing else', async () => {
    const page = await pageOf({ isApp: true })
    const first = page.sent.length
    await page.settle(({ fail }) => fail(DOWN))
    await page.pass(4_000)
    expect(page.sent).toHaveLength(first + 1)
    await page.settle(({ fail }) => fail(HIDDEN))
    await page.pass(600_000)
    expect([page.sent.length, page.state().failure]).toEqual([first + 1, HIDDEN])
  })
})

describe('refreshOn', () => {
  const refreshOn = [{ event: '*', schema: 'public', table: 'vessels' }] as const

  test('sends the request again after a change, and after a gap', async () => {
    const page = await pageOf({ options: { refreshOn } })
    await page.settle(({ end }) => end('one'))
    const count = page.sent.length
    await page.change()
    expect(page.sent).toHaveLength(count + 1)
    await page.settle(({ end }) => end('two'))
    await act(async () => page.topics.at(-1)?.resync())
    expect([page.sent.length, page.state().data]).toEqual([count + 2, 'two'])
  })

  test('changes during a request send it once more, when it is done', async () => {
    const page = await pageOf({ options: { refreshOn } })
    await page.settle(({ end }) => end('one'))
    const count = page.sent.length
    for (let change = 0; change < 3; change += 1) await page.change()
    expect(page.sent).toHaveLength(count + 1)
    await page.settle(({ end }) => end('two'))
    expect(page.sent).toHaveLength(count + 2)
    await page.settle(({ end }) => end('three'))
    expect([page.sent.length, page.state()]).toEqual([
      count + 2,
      { phase: 'done', data: 'three', failure: undefined },
    ])
  })

  test('leaves its channel with the page; without it there is none', async () => {
    const page = await pageOf({ options: { refreshOn } })
    await page.unmount()
    expect(page.topics.length > 0 && page.topics.every(({ left }) => left())).toBe(true)
    expect((await pageOf()).topics).toEqual([])
  })
})
