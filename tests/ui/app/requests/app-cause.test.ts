// Where the button "Why?" opens the console: the event from outside that caused a failure.
import { expect, test } from 'vitest'
import type { ActorEntry, StateValue, StepRecord } from '../../../../src/trace/index.ts'
import { causeOfSignOut, causeOfTrouble } from '../../../../src/ui/app/requests/cause.ts'

const PATHS = [
  'client/session',
  'client/refresh/attempt',
  'client',
  'client/requests/request.1',
  'client/requests/request.2',
  'client/apiKey',
] as const

const actors = PATHS.map((path, index): ActorEntry => ({
  line: 'actor',
  index,
  path,
  kind: 'machine',
  src: '',
}))

type Step = readonly [
  path: (typeof PATHS)[number],
  event: StepRecord['event'],
  more?: { readonly by?: number; readonly value?: StateValue },
]

const traceOf = (...steps: readonly Step[]) => ({
  actors,
  steps: steps.map(([path, event, more = {}], seq): StepRecord => ({
    line: 'step',
    seq,
    t: seq,
    actor: PATHS.indexOf(path),
    event,
    cause: 0,
    status: 'active',
    changed: true,
    ...more,
  })),
})

const IN = { authenticated: { token: 'fresh' } }
const OUT = { signedOut: 'idle' }

test('a sign-out points to the response that refused the refresh', () => {
  const trace = traceOf(
    ['client/session', { type: 'stored.found' }, { value: IN }],
    ['client/refresh/attempt', { type: 'refresh.failed', failure: { kind: 'auth' } }],
    ['client/refresh/attempt', { type: 'stored.same' }],
    ['client', { type: 'attempt.ended' }, { by: 2 }],
    ['client/session', { type: 'session.revoked' }, { by: 3, value: OUT }],
    ['client/session', { type: 'stored.changed' }, { value: OUT }],
  )
  expect(causeOfSignOut(trace)).toEqual({ actor: 'client/refresh/attempt', at: 1 })
})

test('a page that opened signed out points to its session', () => {
  expect(causeOfSignOut(traceOf(['client', { type: 'start' }]))).toEqual({ actor: 'client/session' })
})

test('an unreachable backend points to the latest request without a good response', () => {
  const trace = traceOf(
    ['client/requests/request.1', { type: 'request.start' }],
    ['client/requests/request.2', { type: 'request.start' }],
    ['client/requests/request.1', { type: 'send.answered', status: 200 }],
  )
  const cause = { actor: 'client/requests/request.2', at: 1, view: 'network' }
  expect(causeOfTrouble(trace, 'unreachable')).toEqual(cause)
  const down = traceOf(['client/requests/request.1', { type: 'send.answered', status: 503 }])
  expect(causeOfTrouble(down, 'maintenance')).toEqual({
    actor: 'client/requests/request.1',
    at: 0,
    view: 'network',
  })
  expect(causeOfTrouble(traceOf(), 'failing')).toEqual({ actor: 'client/requests', view: 'network' })
  expect(causeOfTrouble(traceOf(), 'liveLost')).toEqual({
    actor: 'client/realtime/connection',
    view: 'chart',
  })
})

test('a rejected key points to the response that refused it, not to later ones', () => {
  const trace = traceOf(
    ['client/requests/request.1', { type: 'send.answered', status: 401, refusal: 'keyRejected' }],
    ['client', { type: 'key.refused', family: 'rest', refusal: 'keyRejected' }, { by: 0 }],
    ['client/apiKey', { type: 'key.refused', family: 'rest', refusal: 'keyRejected' }, { by: 1 }],
    ['client/apiKey', { type: 'key.checked' }],
    ['client/requests/request.2', { type: 'send.answered', status: 200 }],
  )
  const cause = { actor: 'client/requests/request.1', at: 0, view: 'network' }
  expect(causeOfTrouble(trace, 'keyRejected')).toEqual(cause)
  // Found by a check, without a request.
  const checked = traceOf(['client/apiKey', { type: 'key.checked' }])
  expect(causeOfTrouble(checked, 'keyRejected')).toEqual({ actor: 'client/apiKey', view: 'chart' })
})
