// The host monitor: what counts as not responding, and what does not.
import { expect, test } from 'vitest'
import { createHostMonitor } from '../../src/services/hosts/host-monitor.ts'

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
  const line = createHostMonitor({ fetch, now: () => at, later })
  const told: boolean[] = []
  line.subscribe(() => told.push(line.isDoubtful()))
  return {
    line,
    told,
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

const asked = (line: ReturnType<typeof createHostMonitor>, signal?: AbortSignal) =>
  line.fetch('http://harbour.test', signal ? { signal } : {}).then(
    ({ status }) => status,
    ({ message }: Error) => message,
  )

test('a request without a response makes the host doubtful until there is any response', async () => {
  const { line, told, fails, answers } = watched()
  fails(new TypeError('Failed to fetch'))
  expect([await asked(line), await asked(line), line.isDoubtful()]).toEqual([
    'Failed to fetch',
    'Failed to fetch',
    true,
  ])
  answers()
  expect([await asked(line), line.isDoubtful()]).toEqual([503, false])
  expect(told).toEqual([true, false])
})

test('an aborted request does not make the host doubtful; a passed deadline does', async () => {
  const { line, fails } = watched()
  const left = new AbortController()
  left.abort()
  fails(new DOMException('left', 'AbortError'))
  await asked(line, left.signal)
  expect(line.isDoubtful()).toBe(false)
  const late = new AbortController()
  late.abort(new DOMException('late', 'TimeoutError'))
  await asked(line, late.signal)
  expect(line.isDoubtful()).toBe(true)
})

test('a response counts for a limited time', async () => {
  const { line, pass } = watched()
  expect(line.hasAnswered(30)).toBe(false)
  await asked(line)
  pass(29)
  expect(line.hasAnswered(30)).toBe(true)
  pass(1)
  expect(line.hasAnswered(30)).toBe(false)
})

test('Retry-After of an auth response is known after it, and not after the next mark', async () => {
  const { line } = watched(new Response('', { status: 429, headers: { 'retry-after': '40' } }))
  const before = line.mark()
  await line.fetch('http://harbour.test/rest/v1/vessels')
  expect(line.waitSince(before, 429)).toBe(undefined)
  await line.fetch('http://harbour.test/auth/v1/user')
  expect([line.waitSince(before, 429), line.waitSince(before, 503)]).toEqual([40, undefined])
  expect(line.waitSince(line.mark(), 429)).toBe(undefined)
})

test('a long pending request makes the host doubtful until another one gets a response', async () => {
  const { line, told, isLate, hangs, answers } = watched()
  hangs()
  void asked(line)
  isLate()
  expect(line.isDoubtful()).toBe(true)
  answers()
  await asked(line)
  isLate()
  expect([line.isDoubtful(), told]).toEqual([false, [true, false]])
})
