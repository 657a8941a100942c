// The host monitor: what it reports of each call. What follows from it: tests/machines/backend-health.test.ts.
import { expect, test } from 'vitest'
import { createHostMonitor, type HostCall } from '../../src/services/workbench/hosts/host-monitor.ts'

function watched(answer = new Response('', { status: 503 })) {
  let failure: Error | undefined
  const fetch = async () => {
    await Promise.resolve()
    if (failure) throw failure
    return answer.clone()
  }
  const monitor = createHostMonitor({ fetch })
  const reported: HostCall[] = []
  monitor.onCall(call => reported.push(call))
  return {
    monitor,
    reported,
    fails: (error: Error) => (failure = error),
    answers: () => (failure = undefined),
  }
}

const CALLED = { type: 'backend.called' } as const
const SILENT = { type: 'backend.silent' } as const

const asked = (monitor: ReturnType<typeof createHostMonitor>, signal?: AbortSignal) =>
  monitor.fetch('http://harbour.test', signal ? { signal } : {}).then(
    ({ status }) => status,
    ({ message }: Error) => message,
  )

test('a request without a response is reported as silent, and every response with its status', async () => {
  const { monitor, reported, fails, answers } = watched()
  fails(new TypeError('Failed to fetch'))
  expect([await asked(monitor), await asked(monitor)]).toEqual(['Failed to fetch', 'Failed to fetch'])
  expect(reported.splice(0)).toEqual([CALLED, SILENT, CALLED, SILENT])
  answers()
  expect(await asked(monitor)).toBe(503)
  expect(reported).toEqual([CALLED, { type: 'backend.answered', status: 503 }])
})

test('an aborted request is not silence; a passed deadline is', async () => {
  const { monitor, reported, fails } = watched()
  const left = new AbortController()
  left.abort()
  fails(new DOMException('left', 'AbortError'))
  await asked(monitor, left.signal)
  expect(reported.splice(0)).toEqual([CALLED])
  const late = new AbortController()
  late.abort(new DOMException('late', 'TimeoutError'))
  await asked(monitor, late.signal)
  expect(reported).toEqual([CALLED, SILENT])
})

test('Retry-After of a failed response is reported, of any service', async () => {
  const { monitor, reported } = watched(new Response('', { status: 503, headers: { 'retry-after': '30' } }))
  await asked(monitor)
  expect(reported).toEqual([CALLED, { type: 'backend.answered', status: 503, retryAfter: 30 }])
})
