// Random sequences: a single machine gets any event at any time, and its ports respond with anything at any
// time.
import fc from 'fast-check'
import type { AnyEventObject } from 'xstate'
import { raised } from '../../scripts/machine-docs/accepted-events.ts'
import { samples } from './samples.ts'

/** What happens next: an event for the machine, or time that passes. */
export type SequenceStep = readonly ['tell', AnyEventObject] | readonly ['wait', number]

/** The input of a run; the seed decides how ports respond. */
export interface Sequence {
  readonly steps: readonly SequenceStep[]
  readonly seed: number
}

/** Examples by type, of any event. */
export const anySample = (type: string): readonly AnyEventObject[] =>
  (samples as Readonly<Record<string, readonly AnyEventObject[]>>)[type] ?? []

/** Milliseconds: from very short to longer than any pause of the machines. */
const WAITS = [1, 40, 700, 6_000, 31_000, 400_000]

/** Any sequence of the events that others may send the machine. */
export function sequences(reported: readonly string[]): fc.Arbitrary<Sequence> {
  const types = reported.filter(type => !raised.includes(type))
  const words = types.map(type => fc.constantFrom(...anySample(type)).map(event => ['tell', event] as const))
  const waits = fc.constantFrom(...WAITS).map(ms => ['wait', ms] as const)
  const step: fc.Arbitrary<SequenceStep> = fc.oneof(
    { weight: 2, arbitrary: waits },
    ...(words.length === 0 ? [] : [{ weight: 3, arbitrary: fc.oneof(...words) }]),
  )
  return fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 12 }), seed: fc.nat() })
}

/** The same event at another time: with a current token and a new handle. */
export function renumbered(event: AnyEventObject, n: number, now: number): AnyEventObject {
  const { token, attempt, id, info } = event as Partial<Record<string, unknown>>
  return {
    ...event,
    ...(isToken(token) && { token: shifted(token, n, now) }),
    ...(typeof attempt === 'string' && { attempt: `attempt-${n}` }),
    ...(isSent(event.type) && typeof id === 'string' && { id: `sent-${n}` }),
    ...(typeof info === 'object' && { info: { ...info, id: String(n) } }),
  }
}

/** Commands whose handle is created by the sender. */
const isSent = (type: string) => type === 'broadcast.send' || type === 'presence.track'

type Times = Readonly<Record<'receivedAt' | 'heldSince' | 'expiresAt', number>>

const isToken = (value: unknown): value is Times =>
  typeof value === 'object' && value !== null && 'heldSince' in value

function shifted(token: Times, n: number, now: number): Times & { readonly id: string } {
  const { receivedAt, heldSince, expiresAt } = token
  return {
    ...token,
    id: `token-${n}`,
    receivedAt: receivedAt + now,
    heldSince: heldSince + now,
    expiresAt: expiresAt + now,
  }
}
