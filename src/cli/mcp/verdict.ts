// Whether a failure occurs in a run of machines.
import { type Assertion, describeAssertionFailure } from '../../public/devtools/assertions.ts'
import type { SystemRegistry } from '../../public/devtools/recording.ts'
import { makeDrive, type ReplayableTrace } from '../../public/devtools/replay.ts'
import type { Verdict } from '../../services/reports/judge.ts'
import { checkTrace } from '../../trace/index.ts'

/** Whether assertions hold in a run. */
export function verdictOf(assertions: readonly Assertion[], run: ReplayableTrace): Verdict {
  const { results } = checkTrace(run, assertions)
  const [firstFailure] = results.flatMap(({ failures }) => failures)
  if (!firstFailure) return { outcome: 'passes', summary: 'the failure does not occur' }
  const [line = 'it fails'] = describeAssertionFailure(firstFailure).split('\n')
  return { outcome: 'fails', summary: line }
}

/** Whether the recorded inputs break the assertions with machines of another module. */
export function stillFails(
  trace: ReplayableTrace,
  systems: SystemRegistry,
  assertions: readonly Assertion[],
): boolean {
  const { trace: run } = makeDrive(trace, systems, { compare: false })
  return run !== undefined && verdictOf(assertions, run).outcome === 'fails'
}
