// Whether a reported failure would still occur with the machines of this build.
import type { ReportCause } from '../../machines/index.ts'
import {
  type Assertion,
  assertion,
  checkTrace,
  describeAssertionFailure,
  invariants,
  never,
  type ReplayableTrace,
} from '../../trace/index.ts'
import { describeDivergence, makeDrive, verify } from '../replay/index.ts'
import type { SystemRegistry } from '../runtime/index.ts'
import { isErrorOf } from './causes.ts'

/** The part of a report that says how it failed. */
export type Incident = Pick<ReportCause, 'kind' | 'fingerprint'>

/**
 * `fails`, `passes`: the failure still occurs with the recorded inputs, or no longer. For a report without a
 * failure that can be checked: `same` or `differs`, compared with what was recorded.
 */
export interface Verdict {
  readonly outcome: 'fails' | 'passes' | 'same' | 'differs' | 'unusable'
  /** In one line. */
  readonly summary: string
}

/**
 * Returns the assertion that the failure broke; undefined for failures that are not visible in the machines. An
 * error is visible if it ended the recorded system, as an error that a machine throws and nothing handles.
 */
export function assertionOf({ kind, fingerprint }: Incident, trace: ReplayableTrace): Assertion | undefined {
  const [, subject = ''] = fingerprint.split(' ')
  if (kind === 'error') {
    const error = errorAtEnd(trace)
    if (error === undefined || !isErrorOf(fingerprint, error)) return undefined
    return assertion(
      'no uncaught error',
      never(step => step.record.status === 'error' && isErrorOf(fingerprint, step.record.error)),
    )
  }
  if (kind === 'invariant') return invariants().find(({ name }) => name === subject)
  if (kind !== 'signedOut') return undefined
  const says = `The session ended: ${subject}.`
  return assertion(
    `not signed out: ${subject}`,
    never({ src: 'session', entered: 'signedOut', context: { reason: subject } }, { says }),
  )
}

/** The error with which the root ended: in its last step or, without steps, in the last keyframe. */
function errorAtEnd({ steps, keyframes }: ReplayableTrace): unknown {
  const step = steps.findLast(({ actor }) => actor === 0)
  if (step) return step.status === 'error' ? step.error : undefined
  const end = keyframes.at(-1)?.snapshot
  const hasFailed = typeof end === 'object' && end !== null && 'status' in end && end.status === 'error'
  return hasFailed && 'error' in end ? end.error : undefined
}

/** Runs the machines with the recorded inputs. Never throws because of the content of a trace. */
export function judgeReport(trace: ReplayableTrace, systems: SystemRegistry, incident: Incident): Verdict {
  const failure = assertionOf(incident, trace)
  return failure ? judgeFailure(trace, systems, failure) : compare(trace, systems)
}

function judgeFailure(trace: ReplayableTrace, systems: SystemRegistry, failure: Assertion): Verdict {
  const { report, trace: run } = makeDrive(trace, systems, { compare: false })
  if (report.outcome === 'unusable' || !run)
    return { outcome: 'unusable', summary: 'reason' in report ? report.reason : 'the run could not begin' }
  const { results } = checkTrace(run, [failure])
  const [found] = results.flatMap(({ failures }) => failures)
  if (!found) return { outcome: 'passes', summary: `${failure.name} holds with these machines` }
  const [line = failure.name] = describeAssertionFailure(found).split('\n')
  return { outcome: 'fails', summary: line }
}

function compare(trace: ReplayableTrace, systems: SystemRegistry): Verdict {
  const report = verify(trace, systems)
  if (report.outcome === 'exact') return { outcome: 'same', summary: 'every step is as recorded' }
  if (report.outcome === 'diverged')
    return { outcome: 'differs', summary: describeDivergence(report.divergence)[0] ?? 'it diverges' }
  return { outcome: 'unusable', summary: report.reason }
}
