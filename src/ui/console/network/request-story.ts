// Describes a request: how long it was in each state, and why it was retried.
import { spansOf, type Timeline, type Wire, type WireAttempt } from '../../../trace/index.ts'
import { duration, type Range } from '../canvas/time-scale.ts'
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

/** Further states are described, or drawn, as one. */
const MOST = 400

/** The states of a call within a range. Calls of a port other than requests have one: it may make several. */
export function callSpans(
  timeline: Timeline,
  { wire, from, to, seq }: NetworkRow,
  range: Range,
): ReturnType<typeof spansOf> {
  if (wire.kind !== 'call') return spansOf(timeline, wire.actor, range[0], range[1], MOST)
  return [{ from: Math.max(from, range[0]), to: Math.min(to, range[1]), seq, merged: 1 }]
}

/** The name of a state of a call. */
export const stateAt = (timeline: Timeline, { wire }: NetworkRow, seq: number): string =>
  wire.kind === 'call' ? '' : timeline.state(seq).label

/** Returns one chapter for each state that lasted. */
export function storyOf(timeline: Timeline, row: NetworkRow): readonly Chapter[] {
  const { wire, from, to } = row
  return callSpans(timeline, row, [from, to])
    .filter(span => span.to > span.from)
    .map(({ from: began, to: ended, seq }) => {
      const state = stateAt(timeline, row, seq)
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
