// What assertions found, as marks on the steps of a trace.
import type { AssertionResult } from '../../../trace/assert/report.ts'
import type { Finding } from './verdicts.ts'

/** Failures of one assertion that are told; of more there is only the count. */
export const FAILURES_TOLD = 200

/** The client's own, by name; an assertion of the user may not bear one of these. */
export const INVARIANT_NAMES: ReadonlySet<string> = new Set([
  'oneRefresh',
  'liveToken',
  'settlesOnce',
  'endsForAReason',
  'nothingOutlives',
  'comesToCalm',
])

/** By number of the step. `actorOf` finds actors by their path. */
export function findingsOf(
  results: readonly AssertionResult[],
  actorOf: (path: string) => number,
): readonly Finding[] {
  const found = results.flatMap(({ name, failures }) =>
    failures.map(({ seq, actor, why }): Finding => ({
      seq,
      actor: actorOf(actor),
      name,
      text: why,
      kind: INVARIANT_NAMES.has(name) ? 'invariant' : 'assertion',
    })),
  )
  return found.sort((a, b) => a.seq - b.seq)
}

/** Everything that failed, told or not. */
export const failedOf = (results: readonly AssertionResult[]): number =>
  results.reduce((all, { failed }) => all + failed, 0)
