// Where the button "Why?" opens the console: at what a user would call the reason.
import { expect, test } from 'vitest'
import { placeOfReason } from '../../../../src/ui/app/requests/reason-place.ts'
import { WHY_SIGNED_OUT, WHY_TROUBLE, whyActor } from '../../../../src/ui/app/requests/questions.ts'
import type { TraceSource } from '../../../../src/trace/index.ts'
import { answers, environmentScript, refused, renewals, stored } from '../../../harness/timeline.ts'
import { both, clientTrace, request, sends, wait } from '../../../trace/explain/corpus/situation.ts'

const live = stored(3_000)

function reasonIn(trace: TraceSource, { question, about }: ReturnType<typeof whyActor>) {
  const { at, ...place } = placeOfReason(trace, question, about)
  return { ...place, event: at === undefined ? undefined : trace.steps[at]?.event.type }
}

test('a sign-out points to the response that refused the refresh, not to a read of the storage', () => {
  const trace = clientTrace([stored(-5), renewals(refused('session_not_found'))], wait(2_000))
  expect(reasonIn(trace, WHY_SIGNED_OUT)).toEqual({
    actor: 'client/refresh/attempt',
    event: 'refresh.failed',
  })
})

test('a rejected key points to the response that refused it, not to a tick', () => {
  const refusal = { type: 'send.answered', status: 401, refusal: 'keyRejected' } as const
  const trace = clientTrace(
    [live, () => ({ send: () => [[15, refusal]] })],
    both(wait(10), request(), wait(60_000)),
  )
  expect(reasonIn(trace, WHY_TROUBLE.keyRejected)).toEqual({
    actor: 'client/requests/request.r',
    event: 'send.answered',
    view: 'network',
  })
})

test('an unreachable backend points to the latest request that failed', () => {
  const trace = clientTrace([live, answers(503)], both(wait(10), request(), wait(20_000)))
  expect(reasonIn(trace, WHY_TROUBLE.failing)).toEqual({
    actor: 'client/requests/request.r',
    event: 'send.answered',
    view: 'network',
  })
})

test('an offline device points to the moment at which it went offline', () => {
  const trace = clientTrace([live, environmentScript([100, { online: false }])], wait(60_000))
  expect(reasonIn(trace, WHY_TROUBLE.offline)).toEqual({ actor: 'client', event: 'environment.changed' })
})

test('a channel that was joined again is the latest one of its name', () => {
  const join = sends({ type: 'channel.join', topic: 'bridge', use: 'u', options: {} })
  const leave = sends({ type: 'channel.leave', topic: 'bridge', use: 'u' })
  const trace = clientTrace(
    [
      live,
      () => ({
        topic: n => [
          [5, n === 1 ? { type: 'topic.joined' } : { type: 'topic.refused', reason: 'Unauthorized: no' }],
        ],
      }),
    ],
    both(wait(10), join, wait(100), leave, wait(10), join, wait(100)),
  )
  expect(reasonIn(trace, whyActor('client/realtime/channel.bridge'))).toEqual({
    actor: 'client/realtime/channel.bridge#2',
    event: 'topic.refused',
  })
})

test('without a reason in the recording, the actor that the question is about', () => {
  const trace = clientTrace([], wait(10))
  expect(placeOfReason(trace, WHY_TROUBLE.liveLost.question, WHY_TROUBLE.liveLost.about)).toEqual({
    actor: 'client/realtime/connection',
  })
  expect(placeOfReason(trace, WHY_TROUBLE.failing.question, WHY_TROUBLE.failing.about)).toEqual({
    actor: 'client/requests',
    view: 'network',
  })
})
