// Whether a reported failure would still occur with the machines of this build, and what its recording shows.
import {
  type Assertion,
  checkTrace,
  describeAssertionFailure,
  describeDamage,
  endProblem,
  type ReplayableTrace,
  type StepRef,
} from '../../trace/index.ts'
import { deriveSteps, describeDivergence, makeDrive, verify } from '../replay/index.ts'
import type { SystemRegistry } from '../runtime/index.ts'
import { failureOf, type Incident } from './failure-of.ts'

export { failureOf, type Incident, type ShownFailure } from './failure-of.ts'

/**
 * `fails`, `passes`: the failure still occurs with the recorded inputs, or no longer. For a report without a
 * failure that can be checked: `same` or `differs`, compared with what was recorded.
 */
export interface Verdict {
  readonly outcome: 'fails' | 'passes' | 'same' | 'differs' | 'unusable'
  /** In one line. */
  readonly summary: string
}

/** What is known of a report whose recording was read. */
export interface Examined {
  readonly verdict: Verdict
  /** The problem with which the recording ends, and the step that is its reason. */
  readonly why?: {
    readonly sentence: string
    readonly next?: string
    readonly reason: Pick<StepRef, 'step' | 'actor'>
  }
  /** What is wrong with the file; the rest of it was read. */
  readonly damage?: string
  /** Why no test can fail for it, as a sentence. */
  readonly noTest?: string
}

/** Runs the machines with the recorded inputs. Never throws because of the content of a trace. */
export function judgeReport(trace: ReplayableTrace, systems: SystemRegistry, incident: Incident): Verdict {
  const failure = failureOf(incident, trace, systems)
  return 'noTest' in failure ? compare(trace, systems) : judgeFailure(trace, systems, failure.assertion)
}

/** The same, with what the recording shows. */
export function examineReport(trace: ReplayableTrace, systems: SystemRegistry, incident: Incident): Examined {
  const failure = failureOf(incident, trace, systems)
  const [damage] = trace.damage
  const why = whyOf(trace, systems)
  const details = { ...(why && { why }), ...(damage && { damage: describeDamage(damage) }) }
  return 'noTest' in failure
    ? { ...details, verdict: compare(trace, systems), noTest: failure.noTest }
    : { ...details, verdict: judgeFailure(trace, systems, failure.assertion) }
}

function whyOf(trace: ReplayableTrace, systems: SystemRegistry): Examined['why'] {
  const derived = deriveSteps(trace, systems)
  const problem = derived.kind === 'trace' ? endProblem(derived.trace) : undefined
  if (!problem) return undefined
  const { sentence, next, because } = problem.explanation
  const [{ step, actor }] = because
  return { sentence, reason: { step, actor }, ...(next !== undefined && { next }) }
}

function judgeFailure(trace: ReplayableTrace, systems: SystemRegistry, failure: Assertion): Verdict {
  const { report, trace: run } = makeDrive(trace, systems, { compare: false })
  if (report.outcome === 'unusable' || !run)
    return { outcome: 'unusable', summary: 'reason' in report ? report.reason : 'the run could not begin' }
  const { results } = checkTrace(run, [failure])
  const [firstFailure] = results.flatMap(({ failures }) => failures)
  if (!firstFailure) return { outcome: 'passes', summary: `${failure.name} holds with these machines` }
  const [line = failure.name] = describeAssertionFailure(firstFailure).split('\n')
  return { outcome: 'fails', summary: line }
}

function compare(trace: ReplayableTrace, systems: SystemRegistry): Verdict {
  const report = verify(trace, systems)
  if (report.outcome === 'exact') return { outcome: 'same', summary: 'every step is as recorded' }
  if (report.outcome === 'diverged')
    return { outcome: 'differs', summary: describeDivergence(report.divergence)[0] ?? 'it diverges' }
  return { outcome: 'unusable', summary: report.reason }
}
