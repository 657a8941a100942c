// Random runs of a machine; a failing one is reduced to a short one that still fails.
import type fc from 'fast-check'
import type { AnyStateNode } from 'xstate'
import type { Spec } from '../../machines/index.ts'
import { declaredStates } from './explore.ts'
import { type Change, randomRunner } from './random-run.ts'
import type { Sequence } from './sequence.ts'
import { sequences } from './sequences.ts'

/** Options of random runs. */
export interface RandomRunOptions {
  /** How many sequences are tried. Default: 150. */
  readonly runs?: number
  /** Makes the search repeatable. Default: a new one, which a failure names. */
  readonly seed?: number
  /** Milliseconds that pass at the end of a run. Default: 900,000; fewer for machines with short intervals. */
  readonly settleTime?: number
  /** Changes the machine, to see whether a defect is noticed. */
  readonly change?: Change
}

/** What random runs found. */
export type RandomRunResult =
  | {
      readonly outcome: 'passed'
      readonly runs: number
      /** Paths of states that no run entered: about those, the runs say nothing. */
      readonly unvisited: readonly string[]
    }
  | {
      readonly outcome: 'failed'
      /** What was wrong: an error, where calm left it, calls without an end, timers that outlived it. */
      readonly findings: readonly string[]
      /** A failing sequence, reduced as far as fast-check can; `replayRun` runs it again. */
      readonly sequence: Sequence
      readonly seed: number
    }

/**
 * Sends a machine random sequences of its samples, on a virtual clock, while its ports respond with any of theirs at
 * any time. Then all is well: ports respond as they should, `settling` is sent, and time passes. The machine must not
 * have thrown, must be at `rests`, must have given each caller of `awaits` one end, and must leave no timer. Its ports
 * are replaced; its other code runs.
 * @throws Error if fast-check is not installed
 * @throws TypeError if it runs an actor that the specification does not name
 */
export async function randomRuns(
  spec: Spec,
  { runs = 150, seed, ...options }: RandomRunOptions = {},
): Promise<RandomRunResult> {
  const check = await loadFastCheck()
  const run = randomRunner(spec, options)
  const visited = new Set<AnyStateNode>()
  const property = check.property(sequences(check, spec), sequence => {
    const result = run(sequence)
    for (const node of result.visited) visited.add(node)
    return result.findings.length === 0
  })
  const details = check.check(property, { numRuns: runs, ...(seed !== undefined && { seed }) })
  const [smallest] = details.counterexample ?? []
  if (details.failed && smallest) {
    const { findings, sequence } = run(smallest)
    return { outcome: 'failed', findings, sequence, seed: details.seed }
  }
  const paths = new Set([...visited].map(({ path }) => path.join('.')))
  const unvisited = declaredStates(spec.machine).filter(path => !paths.has(path))
  return { outcome: 'passed', runs, unvisited }
}

/** Runs one sequence again; returns what is wrong, or nothing. */
export const replayRun = (spec: Spec, sequence: Sequence): readonly string[] =>
  randomRunner(spec)(sequence).findings

async function loadFastCheck(): Promise<typeof fc> {
  try {
    return (await import('fast-check')).default
  } catch (error) {
    throw new Error('Random runs need fast-check: npm install --save-dev fast-check', { cause: error })
  }
}
