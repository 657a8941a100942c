// The health of a backend: what is suspected, what a check confirms, and what ends the trouble.
import { createActor, fromCallback, type EventObject } from 'xstate'
import { expect, test } from 'vitest'
import { backendHealthMachine, type BackendChecked } from '../../src/machines/workbench/backend-health.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

/** A result of the check after some milliseconds; undefined if the check hangs until its time limit. */
type Answer = { readonly after: number; readonly status: number; readonly retryAfter?: number } | undefined

function start() {
  const clock = createVirtualClock()
  const script = { answer: undefined as Answer }
  const checks: number[] = []
  const checkBackend = fromCallback<EventObject, { readonly timeout: number }, BackendChecked>(
    ({ input: { timeout }, sendBack }) => {
      checks.push(clock.now())
      const { answer } = script
      const { after = timeout, ...response } = answer ?? {}
      const id = clock.setTimeout(() => {
        const at = clock.now()
        sendBack(
          'status' in response ? { type: 'check.answered', at, ...response } : { type: 'check.failed', at },
        )
      }, after)
      return () => clock.clearTimeout(id)
    },
  )
  const actor = createActor(backendHealthMachine.provide({ actors: { checkBackend } }), { clock })
  const recovered: number[] = []
  actor.on('backend.recovered', () => recovered.push(clock.now()))
  actor.start()
  const at = () => clock.now()
  return {
    checks,
    recovered,
    script,
    pass: clock.advance,
    called: () => actor.send({ type: 'backend.called', at: at() }),
    answered: (status = 200) => actor.send({ type: 'backend.answered', at: at(), status }),
    silent: () => actor.send({ type: 'backend.silent', at: at() }),
    check: () => actor.send({ type: 'backend.check', at: at() }),
    device: (online: boolean) => actor.send({ type: 'device.changed', at: at(), online }),
    value: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
  }
}

const waiting = (fault: string) => ({ troubled: { fault, attempt: 'waiting' } })

test('a hang is confirmed within five seconds of the first call', () => {
  const { called, pass, value, checks, context } = start()
  pass(10_000)
  called()
  pass(1_000)
  called()
  pass(999)
  expect(checks).toEqual([])
  pass(1)
  expect([value(), checks]).toEqual(['checking', [12_000]])
  pass(2_500)
  expect(value()).toEqual(waiting('unreachable'))
  expect(context()).toMatchObject({ since: 10_000, checkedAt: 14_500, delay: 4_000 })
})

test('calls that get responses in time are not checked, whatever the service reports', () => {
  const { called, answered, pass, value, checks } = start()
  for (const status of [200, 401, 404, 409, 429, 500]) {
    called()
    pass(1_900)
    answered(status)
  }
  pass(60_000)
  expect([value(), checks]).toEqual([{ responding: 'quiet' }, []])
})

test('one slow call is no trouble while the check gets a response', () => {
  const { called, pass, value, script, checks } = start()
  script.answer = { after: 20, status: 200 }
  called()
  pass(30_000)
  expect([value(), checks]).toEqual([{ responding: 'quiet' }, [2_000]])
})

test('a failed call is checked at once, and forgotten when the backend responds to the check', () => {
  const { silent, pass, value, script, recovered } = start()
  script.answer = { after: 20, status: 404 }
  silent()
  expect(value()).toBe('checking')
  pass(20)
  expect([value(), recovered]).toEqual([{ responding: 'quiet' }, []])
})

test('503 is maintenance until the time that it names, other gateway errors are failures', () => {
  const { answered, pass, value, script, checks, context } = start()
  script.answer = { after: 0, status: 503, retryAfter: 30 }
  answered(503)
  pass(0)
  expect(value()).toEqual(waiting('maintenance'))
  expect(context()).toMatchObject({ since: 0, delay: 30_000 })
  pass(29_999)
  expect(checks).toEqual([0])
  script.answer = { after: 0, status: 502 }
  pass(1)
  expect([checks, value()]).toEqual([[0, 30_000], waiting('failing')])
  script.answer = { after: 0, status: 503, retryAfter: 86_400 }
  pass(4_000)
  expect([value(), context().delay]).toEqual([waiting('maintenance'), 300_000])
})

test('a function that responds with 503 is no maintenance of the backend', () => {
  const { answered, pass, value, script } = start()
  script.answer = { after: 20, status: 200 }
  answered(503)
  pass(20)
  expect(value()).toEqual({ responding: 'quiet' })
})

test('any good response ends the trouble, and an earlier check is aborted', () => {
  const { silent, answered, pass, value, recovered, checks } = start()
  silent()
  pass(2_500)
  answered(503)
  expect(value()).toEqual(waiting('unreachable'))
  pass(4_100)
  answered()
  expect([value(), recovered, checks.length]).toEqual([{ responding: 'quiet' }, [6_600], 2])
  pass(60_000)
  expect([value(), checks.length]).toEqual([{ responding: 'quiet' }, 2])
})

test('it is checked every four seconds, and at once on request', () => {
  const { silent, check, pass, value, checks, script, recovered } = start()
  silent()
  pass(2_500 + 4_000 + 2_500)
  expect(checks).toEqual([0, 6_500])
  pass(1_000)
  script.answer = { after: 10, status: 200 }
  check()
  expect([value(), checks]).toEqual([
    { troubled: { fault: 'unreachable', attempt: 'checking' } },
    [0, 6_500, 10_000],
  ])
  pass(10)
  expect([value(), recovered]).toEqual([{ responding: 'quiet' }, [10_010]])
})

test('without a network nothing is checked until it returns', () => {
  const { silent, device, called, pass, value, checks, script, context } = start()
  silent()
  pass(2_500)
  device(false)
  expect([value(), context().since]).toEqual(['offline', 2_500])
  called()
  pass(60_000)
  expect(checks).toEqual([0])
  script.answer = { after: 10, status: 200 }
  device(true)
  expect(value()).toBe('checking')
  pass(10)
  expect(value()).toEqual({ responding: 'quiet' })
})
