// Which steps only carry out what another event did: an explanation skips them, and the log folds them.
import type { StepRecord } from '../format/records.ts'
import { type History, isStart } from './history.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Whether a step is neither a reason nor an effect that a user would name. */
export const isPlumbing = (history: History, step: StepRecord, vocabulary: Vocabulary): boolean =>
  isStart(step) || vocabulary.isPlumbing(history, step)

/**
 * Whether a step adds nothing to the event that caused it: a start, a stop, an event that was only passed on, a
 * command to an effect, a timer without effect, or plumbing of the vocabulary.
 * @param isMoved whether it changed the actor's state or status, which only starts and stops may
 */
export function isCarriedOut(
  history: History,
  isMoved: boolean,
  step: StepRecord,
  vocabulary: Vocabulary,
): boolean {
  const { type } = step.event
  if (isStart(step)) return history.entryOf(step.actor)?.parent !== undefined
  if (type === 'xstate.stop') return step.from !== undefined
  if (isMoved) return false
  if (type.startsWith('xstate.snapshot.')) return true
  if (!step.changed && (history.isTimer(step) || isCommand(history, step))) return true
  return isPassedOn(history, step) || isPlumbing(history, step, vocabulary)
}

/** Whether its sender got the same event. */
function isPassedOn({ source }: History, { by, from, event }: StepRecord): boolean {
  const sender = by === undefined ? undefined : source.step(by)
  return sender !== undefined && sender.actor === from && sender.event.type === event.type
}

/** Whether a promise or a callback received it from another actor. */
const isCommand = (history: History, { actor, by }: StepRecord): boolean =>
  by !== undefined && !history.isMachine(actor)
