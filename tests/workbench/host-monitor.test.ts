// The host monitor: what counts as not responding, and what does not.
import { expect, test } from 'vitest'
import { createHostMonitor } from '../../src/services/workbench/hosts/host-monitor.ts'

function watched(answer = new Response('', { status: 503 })) {
  let at = 0
  let failure: Error | undefined
  let hangs = false
  const fetch = async () => {
    await Promise.resolve()
    if (failure) throw failure
    if (hangs) return new Promise<never>(() => undefined)
    return answer.clone()
  }
  const late: (() => void)[] = []
  const later = (run: () => void) => {
    late.push(run)
    return () => void late.splice(late.indexOf(run), 1)
  }
  const monitor = createHostMonitor({ fetch, now: () => at, later })
  const reported: boolean[] = []
  monitor.subscribe(() => reported.push(monitor.isDoubtful()))
  return {
    monitor,
    reported,
    pass: (time: number) => (at += time),
    fails: (error: Error) => (failure = error),
    hangs: () => (hangs = true),
    answers: () => {
      failure = undefined
      hangs = false
    },
    /** Lets all pending timeouts expire. */
    isLate: () => {
      for (const run of late.splice(0)) run()
    },
  }
}

const asked = (monitor: ReturnType<typeof createHostMonitor>, signal?: AbortSignal) =>
  monitor.fetch('http://harbour.test', signal ? { signal } : {}).then(
    ({ status }) => status,
    ({ message }: Error) => message,
  )

test('a request without a response makes the host doubtful until there is any response', async () => {
  const { monitor, reported, fails, answers } = watched()
  fails(new TypeError('Failed to fetch'))
  expect([await asked(monitor), await asked(monitor), monitor.isDoubtful()]).toEqual([
    'Failed to fetch',
    'Failed to fetch',
    true,
  ])
  answers()
  expect([await asked(monitor), monitor.isDoubtful()]).toEqual([503, false])
  expect(reported).toEqual([true, false])
})

test('an aborted request does not make the host doubtful; a passed deadline does', async () => {
  const { monitor, fails } = watched()
  const left = new AbortController()
  left.abort()
  fails(new DOMException('left', 'AbortError'))
  await asked(monitor, left.signal)
  expect(monitor.isDoubtful()).toBe(false)
  const late = new AbortController()
  late.abort(new DOMException('late', 'TimeoutError'))
  await asked(monitor, late.signal)
  expect(monitor.isDoubtful()).toBe(true)
})

test('a response counts for a limited time', async () => {
  const { monitor, pass } = watched()
  expect(monitor.hasAnswered(30)).toBe(false)
  await asked(monitor)
  pass(29)
  expect(monitor.hasAnswered(30)).toBe(true)
  pass(1)
  expect(monitor.hasAnswered(30)).toBe(false)
})

test('Retry-After of an auth response is known after it, and not after the next mark', async () => {
  const { monitor } = watched(new Response('', { status: 429, headers: { 'retry-after': '40' } }))
  const before = monitor.mark()
  await monitor.fetch('http://harbour.test/rest/v1/vessels')
  expect(monitor.waitSince(before, 429)).toBe(undefined)
  await monitor.fetch('http://harbour.test/auth/v1/user')
  expect([monitor.waitSince(before, 429), monitor.waitSince(before, 503)]).toEqual([40, undefined])
  expect(monitor.waitSince(monitor.mark(), 429)).toBe(undefined)
})

test('a long pending request makes the host doubtful until another one gets a response', async () => {
  const { monitor, reported, isLate, hangs, answers } = watched()
  hangs()
  void asked(monitor)
  isLate()
  expect(monitor.isDoubtful()).toBe(true)
  answers()
  await asked(monitor)
  isLate()
  expect([monitor.isDoubtful(), reported]).toEqual([false, [true, false]])
})
