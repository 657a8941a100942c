// Converts check failures to marks on the steps of a trace.
import type { AssertionResult } from '../../../trace/index.ts'

/** A step at which a client invariant or a user assertion failed. */
export interface Finding {
  /** Number of the step at which it failed. */
  readonly seq: number
  /** Index of its actor. */
  readonly actor: number
  /** Name of the invariant or assertion. */
  readonly name: string
  /** What is wrong, as a sentence. */
  readonly text: string
  readonly kind: 'invariant' | 'assertion'
}

/** Maximum failures listed per assertion; the rest are only counted. */
export const MOST_FAILURES = 200

/** Names of the client's invariants, which user assertions may not use. */
export const INVARIANT_NAMES: ReadonlySet<string> = new Set([
  'oneRefresh',
  'liveToken',
  'settlesOnce',
  'endsForAReason',
  'nothingOutlives',
  'comesToRest',
])

/** Returns findings by step number. `actorOf` finds actors by path. */
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

/** Returns the number of failures, including those not listed. */
export const failedOf = (results: readonly AssertionResult[]): number =>
  results.reduce((all, { failed }) => all + failed, 0)
