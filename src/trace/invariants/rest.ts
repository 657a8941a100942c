// Invariants of settling: nothing outlives its owner, and after the last fault everything recovers in time.
import { and, atRest, calms, never } from '../assert/build.ts'
import type { Formula, Span } from '../assert/language.ts'
import type { ObservedStep } from '../assert/steps.ts'
import { stateName } from '../assert/values.ts'
import { numberAt } from '../event-values.ts'

/** No work outlives dispose, and no actor outlives its parent. */
export const nothingOutlives: Formula = and(
  never({ status: 'active', ended: true }, { says: 'It took a step after its own end.' }),
  never(
    { status: 'active', ended: false, parent: { ended: 'earlier' } },
    { says: 'It took a step after {parent} had ended.' },
  ),
  atRest(
    { status: ['done', 'error', 'stopped'] },
    { any: [{ status: 'active' }, { children: 0 }] },
    { says: 'It ended with {children} of its child actors still running.' },
  ),
)

/** Events that restart the time limit: faults, user requests, and changes of the device. */
const STIRS: ReadonlySet<string> = new Set([
  'port.broken',
  'socket.closed',
  'socket.silent',
  'topic.refused',
  'topic.closed',
  'postgres.failed',
  'environment.changed',
  'environment.woke',
  'session.signIn',
  'session.signOut',
  'session.commit',
  'stored.changed',
  'tab.role',
  'breaker.opened',
  'channel.join',
  'channel.leave',
  'realtime.connect',
  'chartroom.present',
])

/** Milliseconds for which a step delays the deadline: as long as the server's `Retry-After`. */
function excuse({ event }: ObservedStep): number | false {
  const { type, failure, status } = event
  const isRefused =
    type === 'send.answered' &&
    typeof status === 'number' &&
    (status === 401 || status === 429 || status >= 500)
  // A timeout: the other side did not respond.
  const isSilence = type.startsWith('xstate.after.') && type.includes('Timeout')
  if (failure === undefined && !isRefused && !isSilence && !STIRS.has(type)) return false
  return (numberAt(failure, 'retryAfter') ?? numberAt(event, 'retryAfter') ?? 0) * 1000
}

const away = { any: [{ with: { online: false } }, { with: { visible: false } }, { with: { frozen: true } }] }
const news = { root: true, event: 'environment.changed' } as const
const disturbed: Span = { from: { ...news, ...away }, to: { ...news, not: away } }

/** A state that must not last without faults. */
const restless: Span = {
  during: {
    any: [
      {
        src: 'session',
        not: { state: 'signedOut' },
        any: [
          { not: { state: 'authenticated' } },
          { state: '**.rereading' },
          {
            state: ['**.expired', '**.offlineExpired'],
            not: { some: { src: 'refresh', state: '**.manual' } },
          },
        ],
      },
      { src: 'connection', not: { state: ['**.idle', '**.denied', '**.open'] } },
      {
        src: 'channel',
        not: { any: [{ state: '**.denied' }, { parent: { state: '**.disconnected' } }] },
        any: [
          { not: { state: '**.joined' } },
          { state: ['**.subscribing', '**.pending', 'postgres.backingOff', '**.gap', '**.resyncing'] },
        ],
      },
    ],
  },
}

/**
 * After any finite series of faults followed by calm: authenticated, open and joined within the time limit.
 */
export const comesToRest = (restsWithin: number): Formula =>
  calms(
    restless,
    { awake: restsWithin },
    {
      stirredBy: excuse,
      pausedWhile: disturbed,
      says: ({ actor, waited }) =>
        `${Math.round(waited / 1000)} s after the last fault it is still in ${stateName(actor.value)}.`,
    },
  )
