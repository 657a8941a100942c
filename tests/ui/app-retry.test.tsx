// Automatic retries of a page: one per failure, until it is left; recorded, and replayed exactly.
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ChartroomClient } from '../../src/public/index.ts'
import { readTrace, systems, verify } from '../../src/public/devtools/replay.ts'
import { retriesOf, useRetry } from '../../src/ui/app/retry.ts'
import { workRecordings } from '../../src/ui/app/work-recordings.ts'
import { renderPage } from '../harness/react.tsx'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

type Network = 'online' | 'offline'

/** The part of a client that reports whether the device is online. */
function clientOf(network: Network) {
  const listeners: ((status: { readonly network: Network }) => void)[] = []
  let now = network
  const client = {
    status: () => ({ network: now, session: { phase: 'signedOut' } }),
    onStatus: (listener: (typeof listeners)[number]) => {
      listeners.push(listener)
      return () => undefined
    },
  } as unknown as ChartroomClient
  const move = (to: Network) => {
    now = to
    for (const listener of listeners) listener({ network: to })
  }
  return { client, move }
}

function Page({ failure, onRetry }: { readonly failure: object | undefined; readonly onRetry: () => void }) {
  useRetry('tables', failure, onRetry)
  return null
}

/** A page that fails and is retried. */
async function pageOf(network: Network = 'online') {
  const { client, move } = clientOf(network)
  const onRetry = vi.fn<() => void>()
  const shown = await renderPage(client, <Page failure={undefined} onRetry={onRetry} />)
  const fail = (failure: object | undefined) => shown.show(<Page failure={failure} onRetry={onRetry} />)
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  return { client, move, fail, pass, unmount: shown.unmount, times: () => onRetry.mock.calls.length }
}

test('each failure is followed by one retry, 4 s later', async () => {
  const { fail, pass, times } = await pageOf()
  await fail({})
  await pass(3_999)
  expect(times()).toBe(0)
  await pass(1)
  expect(times()).toBe(1)
  await pass(60_000)
  expect(times()).toBe(1)
  await fail({})
  await pass(4_000)
  expect(times()).toBe(2)
})

test('a page that has loaded or was left in the meantime is not retried', async () => {
  const { fail, pass, times, unmount } = await pageOf()
  await fail({})
  await pass(3_000)
  await fail(undefined)
  await pass(60_000)
  expect(times()).toBe(0)
  await fail({})
  await unmount()
  await pass(60_000)
  expect(times()).toBe(0)
})

test('an offline device retries once, when it is online again', async () => {
  const { fail, pass, times, move } = await pageOf('offline')
  await fail({})
  await pass(1_000)
  move('offline')
  expect(times()).toBe(0)
  move('online')
  expect(times()).toBe(1)
  await pass(60_000)
  move('online')
  expect(times()).toBe(1)
})

test('pending retries are recorded separately from the first failure on, and replay exactly', async () => {
  const { client, fail, pass, times, move } = await pageOf('offline')
  expect(workRecordings(client).state().list).toEqual([])
  await fail({})
  move('online')
  move('offline')
  await fail({})
  await fail({})
  await pass(4_000)
  expect(times()).toBe(2)
  expect(
    workRecordings(client)
      .state()
      .list.map(({ name, stays }) => [name, stays]),
  ).toEqual([['Retries', true]])
  vi.useRealTimers()
  const file = await retriesOf(client).recording.download()
  const read = await readTrace(new Uint8Array(await file.arrayBuffer()))
  if (read.kind === 'unusable') throw new Error(read.message)
  const events = read.trace.steps.map(({ event }) => event.type).filter(type => !type.startsWith('xstate.'))
  expect([verify(read.trace, systems).outcome, events]).toEqual([
    'exact',
    // StrictMode adds each twice.
    ['retry.add', 'retries.flush', 'retry.add', 'retry.cancel', 'retry.add', 'retry.due'],
  ])
})
