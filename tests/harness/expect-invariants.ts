// The invariants in every test: a test whose client violates one fails, whatever else it checks.
import type { TraceSource } from '../../src/trace/format/trace-source.ts'
import {
  createTraceWatch,
  describeViolation,
  type InvariantOptions,
  type Violation,
} from '../../src/trace/invariants/invariants.ts'
import { atTestEnd } from './endings.ts'

type Records = Pick<TraceSource, 'actors' | 'stimuli' | 'steps' | 'subscribe'>

/** Watches this client until the test is over, also in recordings that were replaced by others. */
export function expectInvariants(trace: Records, options: Partial<InvariantOptions> = {}): void {
  const broken: Violation[] = []
  const look = createTraceWatch(trace, violation => broken.push(violation), options)
  trace.subscribe(look)
  // Scripts, which run the same clients outside of tests, check the traces themselves.
  atTestEnd(() => {
    look()
    if (broken.length > 0)
      throw new Error(`An invariant failed:\n${broken.map(describeViolation).join('\n')}`)
  })
}
