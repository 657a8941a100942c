// Random runs of a machine; a failing one is reduced to the shortest that still fails.
import type fc from 'fast-check'
import type { Spec } from '../../machines/index.ts'
import { type Change, randomRunner } from './random-run.ts'
import { type Sequence, sequences } from './sequences.ts'

/** Options of random runs. */
export interface RandomRunOptions {
  /** How many sequences are tried. Default: 150. */
  readonly runs?: number
  /** Makes the search repeatable. Default: a new one, which a failure names. */
  readonly seed?: number
  /** Changes the machine, to see whether a defect is noticed. */
  readonly change?: Change
}

/** What random runs found. */
export type RandomRunResult =
  | { readonly outcome: 'passed'; readonly runs: number }
  | {
      readonly outcome: 'failed'
      /** What was wrong: where calm left it, an error, calls without an end, timers that outlived it. */
      readonly findings: readonly string[]
      /** The shortest sequence that still fails; `replayRun` runs it again. */
      readonly sequence: Sequence
      readonly seed: number
    }

/**
 * Sends a machine random sequences of its samples, on a virtual clock, while its ports respond with any of theirs at
 * any time. Then all is well: the ports respond as they should, `settling` is sent, and 15 minutes pass. The machine
 * must not have thrown, must be at `rests`, must have given each caller of `awaits` one end, and must leave no timer.
 * @throws Error if fast-check is not installed
 */
export async function randomRuns(
  spec: Spec,
  { runs = 150, seed, change }: RandomRunOptions = {},
): Promise<RandomRunResult> {
  const check = await loadFastCheck()
  const run = randomRunner(spec, change)
  const property = check.property(sequences(check, spec), sequence => run(sequence).length === 0)
  const details = check.check(property, { numRuns: runs, ...(seed !== undefined && { seed }) })
  const [sequence] = details.counterexample ?? []
  if (!details.failed || !sequence) return { outcome: 'passed', runs }
  return { outcome: 'failed', findings: run(sequence), sequence, seed: details.seed }
}

/** Runs one sequence again; returns what is wrong, or nothing. */
export const replayRun = (spec: Spec, sequence: Sequence): string[] => randomRunner(spec)(sequence)

async function loadFastCheck(): Promise<typeof fc> {
  try {
    return (await import('fast-check')).default
  } catch (error) {
    throw new Error('Random runs need fast-check: npm install --save-dev fast-check', { cause: error })
  }
}
