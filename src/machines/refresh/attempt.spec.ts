import { specify, hasEnded } from '../specify.ts'
import { hour, next, refreshFailures, shared, renew } from '../samples.ts'
import { DEFAULT_TIMINGS as timings } from '../timings.ts'
import { refreshAttemptMachine } from './attempt.ts'

const LOCKED = ['waitingWithoutLock', 'rereading', 'refreshing', 'verifying'].map(state => `locked.${state}`)

export const attemptSpec = specify(refreshAttemptMachine, {
  about: 'One refresh attempt, under the lock shared by all tabs and after checking what they stored.',
  ports: {
    lock: {
      about:
        "Holds the session's lock, which all its tabs share, until stopped. `steal` takes it from the current holder; in browsers without locks it is `unavailable`.",
      sends: { ...shared('port.broken'), 'lock.held': [{}], 'lock.lost': [{}], 'lock.unavailable': [{}] },
      healthy: 'lock.held',
    },
    readSession: {
      about:
        'Reads the stored session: from an earlier run, or what other tabs made of the one behind `tokenId`.',
      sends: { ...shared('port.broken', 'stored.corrupt', 'stored.found', 'stored.none', 'stored.same') },
      healthy: 'stored.same',
    },
    refreshToken: {
      about: 'Exchanges the refresh token behind `tokenId` for a new session: one attempt, no hidden retry.',
      sends: {
        ...shared('port.broken'),
        'refresh.failed': refreshFailures.map(failure => ({ failure })),
        'refresh.succeeded': [{ token: next }],
      },
      healthy: 'refresh.succeeded',
    },
  },
  events: {},
  ignored: [
    { event: 'lock.held', states: LOCKED, reason: 'The lock is already held, or there is none.' },
    { event: 'lock.unavailable', states: LOCKED, reason: 'The lock is already held, or there is none.' },
    {
      event: 'port.broken',
      states: ['locked.waitingWithoutLock'],
      reason: 'Only the lock runs here; the attempt continues without it.',
    },
  ],
  inputs: [
    { timings, token: hour, mode: 'refresh' },
    { timings, token: hour, mode: 'check' },
  ],
  situation: ['steal', 'mode'],
  renew,
  rests: hasEnded,
})
