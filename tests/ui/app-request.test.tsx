// A request of a page: its states, what stays during a reload, and when it is sent again.
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ChartroomClient } from '../../src/public/index.ts'
import type { Failure } from '../../src/services/client/index.ts'
import { type Answer, type Load, type Requested, useRequest } from '../../src/ui/app/use-request.ts'
import { renderPage } from '../harness/react.tsx'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const client = {
  status: () => ({ network: 'online', session: { phase: 'signedOut' } }),
  onStatus: () => () => undefined,
} as unknown as ChartroomClient

const DOWN: Failure = { kind: 'server', status: 503, message: 'Down.' }
const HIDDEN: Failure = { kind: 'forbidden', status: 403, message: 'Hidden.' }

interface Sent {
  readonly signal: AbortSignal
  readonly show: (part: string) => void
  readonly answer: (answer: Answer<string>) => void
  readonly reject: (error: Error) => void
}

/** A page with one request, whose responses the test decides. */
async function pageOf() {
  const sent: Sent[] = []
  let last: readonly [Requested<string>, () => void] = [{ phase: 'loading' }, () => undefined]
  const load: Load<string> = (signal, show) =>
    new Promise((answer, reject) => sent.push({ signal, show, answer, reject }))
  function Page({ of }: { readonly of: readonly unknown[] | undefined }) {
    const current = useRequest({ name: 'test', of, load })
    // oxlint-disable-next-line react/globals -- the test reads what was rendered
    last = current
    return null
  }
  const page = await renderPage(client, <Page of={['a']} />)
  /** Of the last request: StrictMode sends the first one twice. */
  const now = () => sent.at(-1) as Sent
  return {
    sent,
    now,
    state: () => last[0],
    reload: () => act(async () => last[1]()),
    ask: (of: readonly unknown[] | undefined) => page.show(<Page of={of} />),
    settle: (settle: (last: Sent) => void) => act(async () => settle(now())),
    pass: (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms)),
    unmount: page.unmount,
  }
}

test('is loading until its response, and loads again for another key', async () => {
  const page = await pageOf()
  expect(page.state()).toEqual({ phase: 'loading' })
  await page.settle(({ answer }) => answer({ ok: true, value: 'one' }))
  expect(page.state()).toEqual({ phase: 'ready', value: 'one' })
  const count = page.sent.length
  await page.ask(['a'])
  expect(page.sent).toHaveLength(count)
  await page.ask(['b'])
  expect(page.state()).toEqual({ phase: 'loading' })
  await page.settle(({ answer }) => answer({ ok: true, value: 'two' }))
  expect(page.state()).toMatchObject({ value: 'two' })
})

test('without a key nothing is sent, and a request under way is aborted', async () => {
  const page = await pageOf()
  const { signal } = page.now()
  const count = page.sent.length
  await page.ask(undefined)
  expect([signal.aborted, page.sent.length, page.state()]).toEqual([true, count, { phase: 'loading' }])
})

test('parts are shown until the value is complete; a reload shows none', async () => {
  const page = await pageOf()
  await page.settle(({ show }) => show('on'))
  expect(page.state()).toEqual({ phase: 'ready', value: 'on' })
  await page.settle(({ answer }) => answer({ ok: true, value: 'one' }))
  await page.reload()
  await page.settle(({ show }) => show('tw'))
  expect(page.state()).toEqual({ phase: 'ready', value: 'one' })
  await page.settle(({ answer }) => answer({ ok: true, value: 'two' }))
  expect(page.state()).toEqual({ phase: 'ready', value: 'two' })
})

test('a failure that may pass is retried after 4 s, and replaced by the value', async () => {
  const page = await pageOf()
  await page.settle(({ answer }) => answer({ ok: false, failure: DOWN }))
  expect(page.state()).toEqual({ phase: 'failed', failure: { message: 'Down.', retry: true, cause: DOWN } })
  const count = page.sent.length
  await page.pass(4_000)
  expect(page.sent).toHaveLength(count + 1)
  await page.settle(({ answer }) => answer({ ok: true, value: 'one' }))
  expect(page.state()).toEqual({ phase: 'ready', value: 'one' })
})

test('any other failure waits for the user; a rejection is described', async () => {
  const page = await pageOf()
  await page.settle(({ answer }) => answer({ ok: false, failure: HIDDEN }))
  const count = page.sent.length
  await page.pass(60_000)
  expect(page.sent).toHaveLength(count)
  await page.reload()
  await page.settle(({ reject }) => reject(new TypeError('fetch failed')))
  expect(page.state()).toMatchObject({
    phase: 'failed',
    failure: { retry: true, cause: { kind: 'network' } },
  })
})

test('a failed reload keeps the value', async () => {
  const page = await pageOf()
  await page.settle(({ answer }) => answer({ ok: true, value: 'one' }))
  await page.reload()
  await page.settle(({ answer }) => answer({ ok: false, failure: DOWN }))
  expect(page.state()).toMatchObject({ phase: 'ready', value: 'one', failure: { message: 'Down.' } })
})

test('an earlier response and one after the page was left are ignored', async () => {
  const page = await pageOf()
  const earlier = page.now()
  await page.reload()
  await act(async () => earlier.answer({ ok: true, value: 'old' }))
  expect([earlier.signal.aborted, page.state()]).toEqual([true, { phase: 'loading' }])
  await page.unmount()
  expect(page.now().signal.aborted).toBe(true)
})
