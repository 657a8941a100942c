// The invariants in every test: a test whose client broke one fails, whatever else it looked at.
import type { TraceSource } from '../../src/trace/format.ts'
import { checkTrace, describeViolation, type InvariantOptions } from '../../src/trace/invariants.ts'

type Records = Pick<TraceSource, 'actors' | 'stimuli' | 'views'>

const watched: { readonly trace: Records; readonly options: Partial<InvariantOptions> }[] = []

/** Looks at what this client did when the test is over. */
export function mustHold(trace: Records, options: Partial<InvariantOptions> = {}): void {
  watched.push({ trace, options })
}

// Scripts run the same clients without a test around them, and look at the traces by themselves.
if (process.env['VITEST'] !== undefined) {
  const { afterEach } = await import('vitest')
  afterEach(() => {
    const broken = watched.splice(0).flatMap(({ trace, options }) => checkTrace(trace, options))
    if (broken.length > 0)
      throw new Error(`An invariant was broken:\n${broken.map(describeViolation).join('\n')}`)
  })
}
