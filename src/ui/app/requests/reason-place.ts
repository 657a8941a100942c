// The reason of what went wrong, and where the console shows it; loaded when something did.
import { explain, type ExplainedTrace, isExplained, type Question } from '../../../trace/index.ts'

/** A place in a recording. */
export interface ReasonPlace {
  /** Path of the actor. */
  readonly actor: string
  /** Number of the step; undefined for the actor's latest. */
  readonly at?: number
  /** Tab in the middle of the console; undefined for the present one. */
  readonly view?: 'network'
}

const viewOf = (actor: string) => (actor.startsWith('client/requests') ? { view: 'network' as const } : {})

/** Path of the latest actor of this name: one that started again has a number. */
const latestOf = ({ actors }: ExplainedTrace, path: string): string =>
  actors.findLast(entry => entry.path === path || entry.path.startsWith(`${path}#`))?.path ?? path

const answerTo = (trace: ExplainedTrace, question: Question) =>
  explain(trace, 'actor' in question ? { actor: latestOf(trace, question.actor) } : question)

/** The reason as a sentence; undefined if the recording does not show it. */
export function reasonInWords(trace: ExplainedTrace, question: Question): string | undefined {
  const answer = answerTo(trace, question)
  return isExplained(answer) ? answer.sentence : undefined
}

/** The place of the reason; if the recording does not show it, the actor that the question is about. */
export function placeOfReason(trace: ExplainedTrace, question: Question, actor: string): ReasonPlace {
  const answer = answerTo(trace, question)
  if (!isExplained(answer)) return { actor, ...viewOf(actor) }
  const [reason] = answer.because
  return { actor: reason.actor, at: reason.step, ...viewOf(reason.actor) }
}
