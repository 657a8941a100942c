// Checks a growing trace in memory, one batch per frame, and parses the user's assertions.
import {
  type Assertion,
  type AssertionResult,
  batchOf,
  checkGrowing,
  type GrowingCheck,
  invariants,
  type TraceSource,
  readAssertions,
} from '../../../trace/index.ts'
import { MOST_FAILURES, INVARIANT_NAMES } from './findings.ts'

/** Parsed assertions; if anything is wrong with the text, none are used. */
export interface OwnAssertions {
  readonly assertions: readonly Assertion[]
  /** Problems, each with its position. */
  readonly problems: readonly string[]
}

/** Check results of a trace. */
export interface Standing {
  readonly results: readonly AssertionResult[]
  /** Number of checked steps. */
  readonly steps: number
  /** Total number of steps. */
  readonly of: number
}

/** Steps checked per frame: a few milliseconds, and three times the rate of a busy app. */
const PER_FRAME = 250
/** Frames between two reports while nothing new fails. */
const REPORT_EVERY = 30

/** Calls back with the results on failures and periodically; returns a stop function. */
export function watchTrace(
  source: TraceSource,
  own: readonly Assertion[],
  withInvariants: boolean,
  onStanding: (standing: Standing) => void,
): () => void {
  const assertions = [...(withInvariants ? invariants() : []), ...own]
  let check: GrowingCheck | undefined
  let [asked, failed, silent] = [0, -1, 0]
  const work = () => {
    asked = 0
    // A check reads the whole trace, so the trace is prepared first, as in the console.
    if (!check && !batchOf(source, PER_FRAME).isWhole) return ask()
    check ??= checkGrowing(source, assertions, { limit: MOST_FAILURES })
    const isBehind = check.advance(PER_FRAME)
    silent += 1
    const isReported = check.failed !== failed || silent >= REPORT_EVERY
    if (isReported) {
      failed = check.failed
      silent = 0
      onStanding({ results: check.report().results, steps: check.steps, of: batchOf(source, 0).size })
    }
    if (isBehind || !isReported) ask()
  }
  const ask = () => {
    if (asked === 0) asked = requestAnimationFrame(work)
  }
  const unsubscribe = source.subscribe(ask)
  ask()
  return () => {
    unsubscribe()
    cancelAnimationFrame(asked)
  }
}

/** An example that most machines can fail, as a starting point. */
export const EXAMPLE = `{
  "assertions": [
    {
      "name": "never rejected",
      "says": "No call of this run is rejected.",
      "check": { "never": { "event": "*.rejected" }, "says": "{actor.path} was rejected." }
    }
  ]
}
`

export function readOwn(text: string): OwnAssertions {
  if (text.trim() === '') return { assertions: [], problems: [] }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { assertions: [], problems: [`Invalid JSON: ${error instanceof Error ? error.message : ''}`] }
  }
  const read = readAssertions(value)
  if (read.kind === 'unusable')
    return { assertions: [], problems: read.problems.map(({ at, message }) => `${at} ${message}`) }
  const taken = read.assertions.filter(({ name }) => INVARIANT_NAMES.has(name))
  if (taken.length > 0)
    return { assertions: [], problems: taken.map(({ name }) => `“${name}” is the name of an invariant`) }
  return { assertions: read.assertions, problems: [] }
}
