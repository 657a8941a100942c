import { specify, fields } from '../specify.ts'
import { goodToken, network, next, refused, renew, shared, tooMany } from '../samples.ts'
import { DEFAULT_TIMINGS as timings } from '../timings.ts'
import { refreshMachine } from './refresh.ts'
import { attemptSpec } from './attempt.spec.ts'

export const refreshSpec = specify(refreshMachine, {
  about: 'When to refresh the token: the schedule, pauses, reactions to failures, and a circuit breaker.',
  ports: {
    ticker: {
      about: 'Reports the time every `every` milliseconds.',
      sends: { 'clock.tick': [{ at: 0 }, { at: 3_580_000 }, { at: 3_700_000 }] },
      healthy: 'clock.tick',
      interval: ({ every }) => every,
    },
  },
  children: {
    attempt: {
      spec: attemptSpec,
      outputs: [
        { kind: 'same' },
        { kind: 'rotated', token: next },
        { kind: 'adopted', token: next },
        { kind: 'foreign', what: 'removed' },
        { kind: 'failed', failure: network },
        { kind: 'failed', failure: tooMany },
        { kind: 'refused', reason: 'reuseDetected', failure: refused },
      ],
    },
  },
  events: {
    ...shared(
      'environment.changed',
      'environment.woke',
      'key.changed',
      'realtime.wanted',
      'refresh.automatic',
      'refresh.request',
      'session.ended',
      'session.started',
      'tab.role',
      'token.adopted',
      'token.needed',
    ),
  },
  ignored: [
    { event: 'refresh.request', states: ['idle'], reason: 'Without a session there is nothing to refresh.' },
    { event: 'token.needed', states: ['idle'], reason: 'Without a session there is nothing to refresh.' },
    { event: 'token.adopted', states: ['idle'], reason: 'The session has ended in the meantime.' },
    { event: 'environment.woke', states: ['idle'], reason: 'Without a session there is nothing to refresh.' },
  ],
  // One attempt trips the breaker, so that few situations reach it.
  inputs: [{ timings: { ...timings, breakerLimit: 1 }, seed: 1 }],
  randomInput: { timings, seed: 1 },
  situation: context => [
    ...fields(context, 'online', 'visible', 'frozen', 'forced', 'keyRefused'),
    context.wanted || context.requested,
    context.role === 'follower',
    context.breaker.state,
    context.at > 3_500_000,
  ],
  // One operation at a time: combinations are covered by the random sequences.
  skips: event => event.type === 'environment.changed' && !event.online && !event.visible,
  // A check found the API key accepted.
  settling: [goodToken, { type: 'key.changed', refused: {} }],
  renew,
  rests: snapshot =>
    snapshot.matches('idle') ||
    snapshot.matches({ active: { schedule: 'waiting', expiry: 'live' } }) ||
    snapshot.matches({ active: { schedule: { paused: 'follower' }, expiry: 'live' } }) ||
    // A token that nothing needs may expire.
    snapshot.matches({ active: { schedule: { paused: 'manual' }, demand: 'none' } }) ||
    snapshot.matches({ active: { schedule: 'refused' } }),
  goal: snapshot => snapshot.matches({ active: { schedule: 'waiting', expiry: 'live' } }),
})
