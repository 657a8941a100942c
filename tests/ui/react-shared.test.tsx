// Requests with equal keys below one provider: one request, its data, failure, reload and retry for all of them.
import { act, Component, type ReactNode, Suspense } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Failure } from '../../src/public/index.ts'
import {
  type RequestHookOptions,
  type RequestState,
  type RetryRequest,
  useRequest,
  useSuspenseRequest,
} from '../../src/public/react.ts'
import { renderPage } from '../harness/react.tsx'
import { fakeClient, responding, type Sent } from '../harness/responding.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const DOWN: Failure = { kind: 'server', status: 503, message: 'Down.' }

class Catch extends Component<{ readonly children: ReactNode }, { readonly message?: string }> {
  override state: { readonly message?: string } = {}
  static getDerivedStateFromError = ({ message }: Error) => ({ message })
  override render() {
    return this.state.message ?? this.props.children
  }
}

interface Asking {
  readonly of?: string
  readonly options?: RequestHookOptions
}

/** A page on which components by name ask, each for 'a' by default. */
async function pageOf() {
  const sent: Sent[] = []
  const run = (_data: unknown, signal: AbortSignal) => responding(signal, sent)
  const last = new Map<string, RequestState<string>>()
  const renders: string[] = []
  function One({ name, of = 'a', options }: Asking & { readonly name: string }) {
    const state = useRequest([of], run, options)
    last.set(name, state)
    renders.push(`${name} ${state.phase} ${state.data}`)
    return null
  }
  function Suspended() {
    return useSuspenseRequest(['a'], run).data
  }
  const { client, ...rest } = fakeClient()
  const page = await renderPage(client, null)
  const state = (name: string) => {
    const { phase, data, failure } = last.get(name) ?? {}
    return { phase, data, failure }
  }
  return {
    ...rest,
    sent,
    renders,
    state,
    text: page.text,
    show: (asking: Readonly<Record<string, Asking>>, { isSuspending = false } = {}) =>
      page.show([
        ...Object.entries(asking).map(([name, asked]) => <One key={name} name={name} {...asked} />),
        isSuspending && (
          <Catch key=" ">
            <Suspense fallback="waiting">
              <Suspended />
            </Suspense>
          </Catch>
        ),
      ]),
    reload: (name: string) => act(async () => last.get(name)?.reload()),
    settle: (settle: (last: Sent) => void) => act(async () => settle(sent.at(-1) as Sent)),
    pass: (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms)),
  }
}

const states = (page: Awaited<ReturnType<typeof pageOf>>) => [page.state('one'), page.state('two')]
const twice = <T,>(value: T) => [value, value]

test('two components send one request, also in StrictMode, and share its data, reload and failure', async () => {
  const page = await pageOf()
  await page.show({ one: {}, two: {} })
  expect(page.sent).toHaveLength(1)
  await page.settle(({ end }) => end('1'))
  expect(states(page)).toEqual(twice({ phase: 'done', data: '1', failure: undefined }))
  await page.reload('two')
  expect(page.sent).toHaveLength(2)
  expect(states(page)).toEqual(twice({ phase: 'pending', data: '1', failure: undefined }))
  await page.settle(({ fail }) => fail(DOWN))
  expect(states(page)).toEqual(twice({ phase: 'failed', data: '1', failure: DOWN }))
})

test('a component that comes later shows the data at once, without another request', async () => {
  const page = await pageOf()
  await page.show({ one: {} })
  await page.settle(({ end }) => end('1'))
  await page.show({ one: {}, two: {} })
  expect(page.renders.filter(line => line.startsWith('two'))[0]).toBe('two done 1')
  expect(page.sent).toHaveLength(1)
})

test('data older than 5 s is loaded again for a component that comes later', async () => {
  const page = await pageOf()
  await page.show({ one: {} })
  await page.settle(({ end }) => end('1'))
  await page.pass(5_000)
  await page.show({ two: {} })
  expect(page.renders.filter(line => line.startsWith('two'))[0]).toBe('two done 1')
  expect([page.sent.length, page.state('two')]).toEqual([
    2,
    { phase: 'pending', data: '1', failure: undefined },
  ])
  // The time starts again: this does not abort the request.
  await page.pass(5_000)
  await page.show({ one: {}, two: {} })
  expect(page.sent).toHaveLength(2)
})

test('is aborted when the last component leaves', async () => {
  const page = await pageOf()
  await page.show({ one: {}, two: {} })
  await page.show({ two: {} })
  expect(page.sent[0]?.signal.aborted).toBe(false)
  await page.show({ two: { of: 'b' } })
  expect(page.sent.map(({ signal }) => signal.aborted)).toEqual([true, false])
})

test('is handed over to a component that replaces the last one', async () => {
  const page = await pageOf()
  await page.show({ one: {} })
  await page.show({ two: {} })
  await page.settle(({ end }) => end('1'))
  await page.show({ one: {} })
  expect([page.sent.length, page.state('one').data]).toEqual([1, '1'])
})

test('data without a component is kept for 5 s; one that mounts in that time shows it and loads it again', async () => {
  const page = await pageOf()
  await page.show({ one: {} })
  await page.settle(({ end }) => end('1'))
  await page.show({})
  await page.pass(4_900)
  await page.show({ two: {} })
  expect(page.renders.filter(line => line.startsWith('two'))[0]).toBe('two pending 1')
  expect(page.sent).toHaveLength(2)
  await page.settle(({ end }) => end('2'))
  expect(page.state('two')).toMatchObject({ phase: 'done', data: '2' })
  await page.show({})
  await page.pass(5_000)
  await page.show({ three: {} })
  expect(page.state('three')).toMatchObject({ phase: 'pending', data: undefined })
})

test('a reload after the component has left sends nothing', async () => {
  const page = await pageOf()
  await page.show({ one: {} })
  await page.settle(({ end }) => end('1'))
  await page.show({})
  await page.reload('one')
  expect(page.sent).toHaveLength(1)
})

test('`reload` keeps its identity, and concerns the current key', async () => {
  const page = await pageOf()
  await page.show({ one: {}, two: {} })
  await page.settle(({ end }) => end('1'))
  await page.show({ one: { of: 'b' }, two: {} })
  await page.settle(({ end }) => end('b'))
  await page.reload('one')
  expect([page.state('one').phase, page.state('two').phase]).toEqual(['pending', 'done'])
})

test('the signal of data ends with the data: replaced, or no longer kept', async () => {
  const page = await pageOf()
  await page.show({ one: {} })
  await page.settle(({ end }) => end('1'))
  await page.reload('one')
  const aborted = () => page.sent.map(({ signal }) => signal.aborted)
  expect(aborted()).toEqual([false, false])
  await page.settle(({ end }) => end('2'))
  expect(aborted()).toEqual([true, false])
  await page.show({})
  expect(aborted()).toEqual([true, false])
  await page.pass(5_000)
  expect(aborted()).toEqual([true, true])
})

describe('retry', () => {
  test('is asked once per failure, and canceled when the last component leaves', async () => {
    const cancel = vi.fn<() => void>()
    const retry = vi.fn<RetryRequest>((_failure, again) => {
      const timer = setTimeout(again, 1_000)
      return () => (cancel(), clearTimeout(timer))
    })
    const options = { retry }
    const page = await pageOf()
    await page.show({ one: { options }, two: { options } })
    await page.settle(({ fail }) => fail(DOWN))
    expect(retry).toHaveBeenCalledTimes(1)
    await page.show({ two: { options } })
    expect(cancel).not.toHaveBeenCalled()
    await page.pass(1_000)
    expect(page.sent).toHaveLength(2)
    await page.settle(({ fail }) => fail(DOWN))
    await page.show({})
    await page.pass(60_000)
    expect([page.sent.length, retry.mock.calls.length]).toEqual([2, 2])
  })
})

test('one change sends one request', async () => {
  const options = { refreshOn: [{ event: '*', schema: 'public', table: 'vessels' }] } as const
  const page = await pageOf()
  await page.show({ one: { options }, two: { options } })
  await page.settle(({ end }) => end('1'))
  await page.change()
  await page.settle(({ end }) => end('2'))
  expect([page.sent.length, page.state('one').data]).toEqual([2, '2'])
})

describe('another user', () => {
  test('sees nothing of the first, and the first nothing of before', async () => {
    const page = await pageOf()
    await act(async () => page.become('ann'))
    await page.show({ one: {} })
    await page.settle(({ end }) => end('ann’s'))
    await act(async () => page.become('bob'))
    expect(page.state('one')).toMatchObject({ phase: 'pending', data: undefined })
    await page.settle(({ end }) => end('bob’s'))
    expect(page.state('one')).toMatchObject({ data: 'bob’s' })
    await act(async () => page.become('ann'))
    expect(page.state('one')).toMatchObject({ phase: 'pending', data: undefined })
  })

  test('does not end what is kept for a user who returns', async () => {
    const page = await pageOf()
    await act(async () => page.become('ann'))
    await page.show({ one: {} })
    await page.settle(({ end }) => end('1'))
    await page.show({})
    await act(async () => page.become('bob'))
    await act(async () => page.become('ann'))
    await page.pass(1_000)
    await page.show({ one: {} })
    expect(page.state('one')).toMatchObject({ phase: 'pending', data: undefined })
    await page.settle(({ end }) => end('2'))
    await page.pass(5_000)
    await page.reload('one')
    expect(page.state('one')).toMatchObject({ phase: 'pending', data: '2' })
  })

  test('has the request sent again, even if the first is back before a render', async () => {
    const page = await pageOf()
    await act(async () => page.become('ann'))
    await page.show({ one: {} })
    const [first] = page.sent
    await act(async () => {
      page.become('bob')
      first?.end('for whom?')
      page.become('ann')
    })
    expect(page.state('one')).toMatchObject({ phase: 'pending', data: undefined })
    expect([first?.signal.aborted, page.sent.length]).toEqual([true, 2])
    await page.settle(({ end }) => end('ann’s'))
    expect(page.state('one')).toMatchObject({ phase: 'done', data: 'ann’s' })
  })
})

describe('useSuspenseRequest', () => {
  test('shares the request of useRequest, and shows no part of its data', async () => {
    const page = await pageOf()
    await page.show({ one: {} }, { isSuspending: true })
    await page.settle(({ show }) => show('p'))
    expect([page.text(), page.state('one').data]).toEqual(['waiting', 'p'])
    await page.settle(({ end }) => end('part'))
    expect([page.text(), page.state('one').data, page.sent.length]).toEqual(['part', 'part', 1])
  })

  test('shows data that is there at once', async () => {
    const page = await pageOf()
    await page.show({ one: {} })
    await page.settle(({ end }) => end('1'))
    await page.show({ one: {} }, { isSuspending: true })
    expect([page.text(), page.sent.length]).toEqual(['1', 1])
  })

  test('is not left waiting when the others leave', async () => {
    const page = await pageOf()
    await page.show({ one: {} }, { isSuspending: true })
    await page.show({}, { isSuspending: true })
    await page.settle(({ end }) => end('1'))
    expect(page.text()).toBe('1')
  })

  test('a second after a failure, the request is sent again for the next attempt', async () => {
    const page = await pageOf()
    await page.show({ one: {} }, { isSuspending: true })
    await page.settle(({ fail }) => fail(DOWN))
    await page.show({ one: {} })
    await page.show({ one: {} }, { isSuspending: true })
    expect([page.text(), page.sent.length]).toEqual(['Down.', 1])
    await page.show({ one: {} })
    await page.pass(1_000)
    await page.show({ one: {} }, { isSuspending: true })
    expect([page.text(), page.sent.length]).toEqual(['waiting', 2])
    await page.settle(({ end }) => end('1'))
    expect([page.text(), page.state('one').data]).toEqual(['1', '1'])
  })

  test('leaves a failure to whom it was thrown: a component that mounts sends the request again', async () => {
    const page = await pageOf()
    await page.show({}, { isSuspending: true })
    await page.settle(({ fail }) => fail(DOWN))
    expect(page.text()).toBe('Down.')
    await page.show({ one: {} }, { isSuspending: true })
    expect([page.sent.length, page.state('one').phase]).toEqual([2, 'pending'])
  })
})
