// Random sequences: a machine gets any event at any time, and its ports respond with anything at any time.
import type fc from 'fast-check'
import type { AnyEventObject } from 'xstate'
import type { Spec } from '../../machines/index.ts'
import { reportedEvents } from './samples.ts'

/** What happens next: an event for the machine, or time that passes, in milliseconds. */
export type SequenceStep = readonly ['tell', AnyEventObject] | readonly ['wait', number]

/** The input of a run; the seed decides how ports respond. */
export interface Sequence {
  readonly steps: readonly SequenceStep[]
  readonly seed: number
}

/** Milliseconds: from very short to longer than most pauses of machines. */
const WAITS = [1, 40, 700, 6_000, 31_000, 400_000]

/** Any sequence of the events that others may send the machine. */
export function sequences(check: typeof fc, spec: Spec): fc.Arbitrary<Sequence> {
  const samples = reportedEvents(spec)
  const events = spec.sent
    .flatMap(type => (samples[type]?.length ? [samples[type]] : []))
    .map(some => check.constantFrom(...some).map(event => ['tell', event] as const))
  const waits = check.constantFrom(...WAITS).map(ms => ['wait', ms] as const)
  const step: fc.Arbitrary<SequenceStep> = check.oneof(
    { weight: 2, arbitrary: waits },
    ...(events.length === 0 ? [] : [{ weight: 3, arbitrary: check.oneof(...events) }]),
  )
  return check.record({ steps: check.array(step, { minLength: 1, maxLength: 12 }), seed: check.nat() })
}
