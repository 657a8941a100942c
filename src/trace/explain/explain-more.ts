// Explains a selected step, and how a recording ends.
import type { Answer, Evidence, Explanation, StatusQuestion } from './answer.ts'
import { isOwnSystem } from './client-vocabulary.ts'
import { explainSteps, isExplained } from './explain.ts'
import { isIn } from './history.ts'
import { type ExplainedTrace, type StepSource, stepsOfTrace } from './step-source.ts'

/** Conditions of the client that are problems, the one that users notice most first. */
const PROBLEMS: readonly StatusQuestion[] = [
  'keyRefused',
  'offline',
  'signedOut',
  'notRefreshed',
  'callFailing',
  'liveLost',
]

/** Explains a step: what it is the reason of at the end of the recording, else why it happened. */
export function explainSelected(source: StepSource, step: number): Answer {
  if (isOwnSystem(source.header.system)) {
    for (const status of PROBLEMS) {
      const answer = explainSteps(source, { status })
      if (isExplained(answer) && answer.because[0].step === step) return answer
    }
  }
  return explainSteps(source, { step })
}

/** A problem with which a recording ends. */
export interface EndProblem {
  /** The condition of the client; `failed` for another system whose root failed. */
  readonly status: StatusQuestion | 'failed'
  readonly explanation: Explanation
}

/** Explains the problem with which a recording ends; undefined if it ends without one. */
export const explainEnd = (trace: ExplainedTrace): Explanation | undefined => endProblem(trace)?.explanation

/** The same with the condition that is the problem. */
export function endProblem(trace: ExplainedTrace): EndProblem | undefined {
  const source = stepsOfTrace(trace)
  if (!isOwnSystem(source.header.system)) {
    const explanation = endOfStranger(source)
    return explanation && { status: 'failed', explanation }
  }
  for (const status of PROBLEMS) {
    const explanation = explainSteps(source, { status })
    if (isExplained(explanation) && isProblem(source, explanation)) return { status, explanation }
  }
  return undefined
}

const SHOWN_BY: ReadonlySet<Evidence['kind']> = new Set([
  'response',
  'failure',
  'socket',
  'channel',
  'otherTab',
  'device',
])

/** What the user did, a session that was never there, and a token that is fresh, are none. */
const isProblem = (source: StepSource, { because, evidence }: Explanation): boolean =>
  !isIn('active.schedule.waiting')(source.step(because.at(-1)?.step ?? -1)?.value) &&
  evidence.some(({ kind }) => SHOWN_BY.has(kind)) &&
  evidence.every(one => one.kind !== 'start' && !(one.kind === 'device' && one.change !== 'offline'))

/** Only a failure of the root is certain to be one. */
function endOfStranger(source: StepSource): Explanation | undefined {
  const root = source.actors.find(({ parent }) => parent === undefined)
  const last = source.stepsOf(root?.index ?? -1).at(-1)
  if (!root || last === undefined || source.step(last)?.status !== 'error') return undefined
  const answer = explainSteps(source, { actor: root.path })
  return isExplained(answer) ? answer : undefined
}
