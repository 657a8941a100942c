// Describes a request: how long it was in each state, and why it was retried.
import { spansOf, type Timeline, type Wire, type WireAttempt } from '../../../trace/index.ts'
import { duration } from '../canvas/time-scale.ts'
import type { NetworkRow } from './network-rows.ts'

export interface Chapter {
  /** The view with which the state began. */
  readonly seq: number
  /** Milliseconds since the request began. */
  readonly after: number
  /** How long it lasted. */
  readonly took: string
  readonly phase: string
  readonly text: string
}

/** Phase and description of each request state. */
const PHASES: readonly (readonly [RegExp, string, string])[] = [
  [/^awaitingToken/, 'token', 'waited for a valid token'],
  [/^reauthorizing/, 'token', 'refreshed the token'],
  [/^(queued|checkingGate)/, 'queued', 'waited for other requests'],
  [/^backingOff/, 'backoff', 'waited before a retry'],
  [/receiving$/, 'receiving', 'received the body'],
  [/^exchanging/, 'sending', 'sent'],
  [/^$/, 'sending', 'open'],
]

export const phaseOf = (state: string): string =>
  PHASES.find(([pattern]) => pattern.test(state))?.[1] ?? 'other'

const wordsOf = (state: string): string => PHASES.find(([pattern]) => pattern.test(state))?.[2] ?? state

/** Further states are described as one. */
const MOST = 400

/** Returns one chapter for each state that lasted. */
export function storyOf(timeline: Timeline, { wire, from, to }: NetworkRow): readonly Chapter[] {
  return spansOf(timeline, wire.actor, from, to, MOST)
    .filter(span => span.to > span.from)
    .map(({ from: began, to: ended, seq }) => {
      const state = timeline.state(seq).label
      const attempt = attemptIn(wire, began, ended)
      const phase = phaseOf(state) === 'sending' && attempt ? attemptInWords(wire, attempt) : wordsOf(state)
      return {
        seq,
        after: began - from,
        took: duration(ended - began),
        phase: phaseOf(state),
        text: phase,
      }
    })
}

const attemptIn = ({ attempts }: Wire, from: number, to: number): WireAttempt | undefined =>
  attempts.find(({ start }) => start >= from && start < to)

function attemptInWords({ attempts }: Wire, attempt: WireAttempt): string {
  const at = attempts.indexOf(attempt)
  const nth = attempts.length > 1 ? `sent, attempt ${at + 1} of ${attempts.length}` : 'sent'
  if (attempt.answered === undefined) return `${nth}, no response`
  const answer = attempt.failure ?? `response ${attempt.status ?? 'without a status'}`
  return `${nth}: ${answer} after ${duration(attempt.answered - attempt.start)}`
}

/** Returns the reason for each attempt but the first. */
export function retriesOf({ kind, method, attempts }: Wire): readonly string[] {
  if (kind === 'socket') return []
  return attempts.slice(1).map((_, at) => {
    const before = attempts[at]
    const nth = `Attempt ${at + 2}`
    if (before?.status === 401)
      return `${nth}: the token was rejected, so it was refreshed once and the request sent again.`
    const why =
      before?.failure ??
      (before?.status === undefined ? 'no response in time' : `${before.status} may be temporary`)
    return `${nth}: ${why}, and this ${method} can be repeated safely.`
  })
}
