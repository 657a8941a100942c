// What a test of a report asserts: that the failure, as the recorded machines show it, does not happen.
import type { ReportCause } from '../../machines/index.ts'
import {
  activePaths,
  type Assertion,
  assertion,
  endProblem,
  type EndProblem,
  invariants,
  leafPaths,
  never,
  type ReplayableTrace,
  type StepPattern,
  type StepRecord,
} from '../../trace/index.ts'
import { deriveSteps } from '../replay/index.ts'
import type { SystemRegistry } from '../runtime/index.ts'
import { isErrorOf } from './causes.ts'

/** The part of a report that says how it failed. */
export type Incident = Pick<ReportCause, 'kind' | 'fingerprint'>

/** A failure that the machines show. */
export interface ShownFailure {
  readonly assertion: Assertion
  /** The steps that must not occur; absent for an invariant. */
  readonly pattern?: StepPattern
}

/** Why no test can fail for a report, as a sentence. */
export interface NoFailure {
  readonly noTest: string
}

const OF_PAGE =
  'This is an error of the page’s own code, outside of the recorded state machines, so that a replay does not show it.'
const WITHOUT_PROBLEM = 'The recording ends without a problem, so that a replay shows no failure.'
const OFFLINE = 'The device was offline, which no change of the state machines prevents.'

/** Returns the failure that a replay of the recording can show, or why there is none. */
export function failureOf(
  { kind, fingerprint }: Incident,
  trace: ReplayableTrace,
  systems: SystemRegistry,
): ShownFailure | NoFailure {
  const [, subject = ''] = fingerprint.split(' ')
  switch (kind) {
    case 'error':
      return errorOf(fingerprint, trace) ?? { noTest: OF_PAGE }
    case 'invariant': {
      const broken = invariants().find(({ name }) => name === subject)
      return broken ? { assertion: broken } : { noTest: `This build has no invariant ${subject}.` }
    }
    case 'signedOut':
      return signOutOf(subject)
    case 'user':
      return problemOf(trace, systems)
  }
}

/** An error that ended the recorded system, as an error that a machine throws and nothing handles. */
function errorOf(fingerprint: string, trace: ReplayableTrace): ShownFailure | undefined {
  const error = errorAtEnd(trace)
  if (error === undefined || !isErrorOf(fingerprint, error)) return undefined
  return {
    assertion: assertion(
      'no uncaught error',
      // An error of a child that its parent handles ends nothing.
      never(
        ({ record }) =>
          record.actor === 0 && record.status === 'error' && isErrorOf(fingerprint, record.error),
      ),
    ),
    pattern: { root: true, status: 'error' },
  }
}

function signOutOf(reason: string): ShownFailure {
  const pattern = { src: 'session', entered: 'signedOut', context: { reason } } as const
  const says = `The session ended: ${reason}.`
  return { assertion: assertion(`not signed out: ${reason}`, never(pattern, { says })), pattern }
}

/** The error with which the root ended: in its last step or, without steps, in the last keyframe. */
function errorAtEnd({ steps, keyframes }: ReplayableTrace): unknown {
  const step = steps.findLast(({ actor }) => actor === 0)
  if (step) return step.status === 'error' ? step.error : undefined
  const end = keyframes.at(-1)?.snapshot
  const hasFailed = typeof end === 'object' && end !== null && 'status' in end && end.status === 'error'
  return hasFailed && 'error' in end ? end.error : undefined
}

/** The problem with which the recording ends. */
function problemOf(recorded: ReplayableTrace, systems: SystemRegistry): ShownFailure | NoFailure {
  const derived = deriveSteps(recorded, systems)
  if (derived.kind === 'unusable') return { noTest: derived.message }
  const { trace } = derived
  const problem = endProblem(trace)
  if (!problem) return { noTest: WITHOUT_PROBLEM }
  if (problem.status === 'offline') return { noTest: OFFLINE }
  const reason = problem.status === 'signedOut' ? endOfSession(trace) : undefined
  if (reason !== undefined) return signOutOf(reason)
  const pattern = patternOf(trace, problem)
  if (!pattern) return { noTest: WITHOUT_PROBLEM }
  const says = problem.explanation.sentence
  return { assertion: assertion('the reported problem', never(pattern, { says })), pattern }
}

/** The reason with which a session ended. */
function endOfSession({ actors, steps }: ReplayableTrace): string | undefined {
  const end = steps.findLast(
    ({ actor, value }) => actors[actor]?.src === 'session' && activePaths(value).includes('signedOut'),
  )
  const reason = contextOf(end)['reason']
  return typeof reason === 'string' && reason !== 'never' ? reason : undefined
}

/** The state that the machine entered by the last step of the explanation, with the status of a response. */
function patternOf(
  { actors, steps }: ReplayableTrace,
  { explanation: { because } }: EndProblem,
): StepPattern | undefined {
  const step = steps[because.at(-1)?.step ?? -1]
  const src = step && actors[step.actor]?.src
  if (!step || src === undefined) return undefined
  const before = steps.slice(0, step.seq).findLast(({ actor }) => actor === step.actor)
  const previousLeaves = leafPaths(before?.value)
  const enteredPath = leafPaths(step.value).find(path => !previousLeaves.includes(path))
  const { status } = contextOf(step)
  return {
    src,
    ...(enteredPath === undefined ? { event: step.event.type } : { entered: enteredPath }),
    ...(typeof status === 'number' && { context: { status } }),
  }
}

const contextOf = (step: StepRecord | undefined): Readonly<Record<string, unknown>> =>
  typeof step?.context === 'object' && step.context !== null ? { ...step.context } : {}
