// Random sequences: a machine gets any event at any time, and its ports respond with anything at any time.
import type fc from 'fast-check'
import type { Spec } from '../../machines/index.ts'
import { reportedEvents } from './samples.ts'
import type { OpenStep, Sequence } from './sequence.ts'

/** Milliseconds: from very short to longer than most pauses of machines. */
const WAITS = [1, 40, 700, 6_000, 31_000, 400_000]

/** Any sequence of the events that others may send the machine; half of them are such that it handles. */
export function sequences(check: typeof fc, spec: Spec): fc.Arbitrary<Sequence<OpenStep>> {
  const samples = reportedEvents(spec)
  const events = spec.randomEvents
    .flatMap(type => (samples[type]?.length ? [samples[type]] : []))
    .map(some => check.constantFrom(...some).map(event => ['tell', event] as const))
  const waits = check.constantFrom(...WAITS).map(ms => ['wait', ms] as const)
  const next = check.nat({ max: 999 }).map(n => ['next', n] as const)
  const step: fc.Arbitrary<OpenStep> = check.oneof(
    { weight: 2, arbitrary: waits },
    ...(events.length === 0
      ? []
      : [
          { weight: 2, arbitrary: check.oneof(...events) },
          { weight: 2, arbitrary: next },
        ]),
  )
  return check.record({ steps: check.array(step, { minLength: 1, maxLength: 16 }), seed: check.nat() })
}
