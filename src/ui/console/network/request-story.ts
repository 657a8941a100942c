// What became of a request, in words: how long it was in each of its states, and why it was sent again.
import { spansOf } from '../../../trace/timeline/lanes.ts'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import type { Wire, WireAttempt } from '../../../trace/timeline/wire-table.ts'
import { duration } from '../canvas/time-scale.ts'
import type { NetworkRow } from './network-rows.ts'

export interface Chapter {
  /** The view with which it began. */
  readonly seq: number
  /** Milliseconds since the request began. */
  readonly after: number
  /** How long it took. */
  readonly took: string
  readonly phase: string
  readonly text: string
}

/** What a state of a request means in the waterfall, and in words. */
const PHASES: readonly (readonly [RegExp, string, string])[] = [
  [/^awaitingToken/, 'token', 'waited for a live token'],
  [/^reauthorising/, 'token', 'had the token renewed'],
  [/^(queued|gating)/, 'queued', 'waited until others were done'],
  [/^pausing/, 'pausing', 'paused before it was sent again'],
  [/receiving$/, 'receiving', 'received the body'],
  [/^exchanging/, 'sending', 'sent'],
  [/^$/, 'sending', 'open'],
]

export const phaseOf = (state: string): string =>
  PHASES.find(([pattern]) => pattern.test(state))?.[1] ?? 'other'

const wordsOf = (state: string): string => PHASES.find(([pattern]) => pattern.test(state))?.[2] ?? state

/** More states than these are told as one. */
const MOST = 400

/** One chapter for each state that lasted. */
export function storyOf(timeline: Timeline, { wire, from, to }: NetworkRow): readonly Chapter[] {
  return spansOf(timeline, wire.actor, from, to, MOST)
    .filter(span => span.to > span.from)
    .map(({ from: began, to: ended, seq }) => {
      const state = timeline.state(seq).label
      const attempt = attemptIn(wire, began, ended)
      const told = phaseOf(state) === 'sending' && attempt ? attemptInWords(wire, attempt) : wordsOf(state)
      return {
        seq,
        after: began - from,
        took: duration(ended - began),
        phase: phaseOf(state),
        text: told,
      }
    })
}

const attemptIn = ({ attempts }: Wire, from: number, to: number): WireAttempt | undefined =>
  attempts.find(({ start }) => start >= from && start < to)

function attemptInWords({ attempts }: Wire, attempt: WireAttempt): string {
  const at = attempts.indexOf(attempt)
  const nth = attempts.length > 1 ? `sent, try ${at + 1} of ${attempts.length}` : 'sent'
  if (attempt.answered === undefined) return `${nth}, no answer`
  const answer = attempt.failure ?? `answered ${attempt.status ?? 'without a status'}`
  return `${nth}: ${answer} after ${duration(attempt.answered - attempt.start)}`
}

/** Why each try but the first was made. */
export function retriesOf({ kind, method, attempts }: Wire): readonly string[] {
  if (kind === 'socket') return []
  return attempts.slice(1).map((_, at) => {
    const before = attempts[at]
    const nth = `Try ${at + 2}`
    if (before?.status === 401)
      return `${nth}: the token was refused, so it was renewed once and sent with the next.`
    const why =
      before?.failure ??
      (before?.status === undefined ? 'there was no answer in time' : `${before.status} may pass`)
    return `${nth}: ${why}, and this ${method} may be sent twice.`
  })
}
