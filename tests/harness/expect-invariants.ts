// The invariants in every test: a test whose client violates one fails, whatever else it checks.
import type { TraceSource } from '../../src/trace/format/trace-source.ts'
import {
  createTraceWatch,
  describeViolation,
  type InvariantOptions,
  type Violation,
} from '../../src/trace/invariants/invariants.ts'

type Records = Pick<TraceSource, 'actors' | 'stimuli' | 'steps' | 'subscribe'>

const looks: (() => void)[] = []
const broken: Violation[] = []

/** Watches this client until the test is over, also in recordings that were replaced by others. */
export function expectInvariants(trace: Records, options: Partial<InvariantOptions> = {}): void {
  const look = createTraceWatch(trace, violation => broken.push(violation), options)
  trace.subscribe(look)
  looks.push(look)
}

// Scripts run the same clients outside of tests, and check the traces themselves.
if (process.env['VITEST'] !== undefined) {
  const { afterEach } = await import('vitest')
  afterEach(() => {
    for (const look of looks.splice(0)) look()
    const found = broken.splice(0)
    if (found.length > 0) throw new Error(`An invariant failed:\n${found.map(describeViolation).join('\n')}`)
  })
}
