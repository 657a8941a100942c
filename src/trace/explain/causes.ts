// Follows a step back to what a user would call its reason, across actors, effects and timers.
import type { StepRecord } from '../format/records.ts'
import { type History, isIn, isStart } from './history.ts'
import { isPlumbing } from './plumbing.ts'
import type { Vocabulary } from './vocabulary.ts'

/** From the reason to the effect. */
export interface Causes {
  /** All steps. */
  readonly all: readonly [StepRecord, ...StepRecord[]]
  /** Those that a user would name. */
  readonly steps: readonly [StepRecord, ...StepRecord[]]
}

/** Longer chains are not followed: those of recordings have at most some dozens. */
const LONGEST = 400

/** Undefined if the recording does not contain the reason. */
export function causesOf(history: History, effect: StepRecord, vocabulary: Vocabulary): Causes | undefined {
  const steps: [StepRecord, ...StepRecord[]] = [effect]
  let step: StepRecord | undefined = effect
  while (step && steps.length < LONGEST) {
    const other = vocabulary.detour(history, step, step === effect)
    if (other === 'missing') return undefined
    if (!other && isReason(history, step, vocabulary))
      return { all: steps, steps: visible(history, steps, vocabulary) }
    const before: StepRecord | undefined = other ?? senderOf(history, step)
    if (!before || steps.includes(before)) return undefined
    steps.unshift(before)
    step = before
  }
  return undefined
}

function isReason(history: History, step: StepRecord, vocabulary: Vocabulary): boolean {
  if (vocabulary.isPlumbing(history, step)) return false
  if (isStart(step)) return history.entryOf(step.actor)?.parent === undefined
  return (
    history.isTimer(step) ||
    history.isFromLeaf(step) ||
    history.isExternal(step) ||
    (step.from === step.actor && step.by === undefined)
  )
}

/** The step during which the event was sent; for an effect's result, the step that started the effect. */
function senderOf(history: History, step: StepRecord): StepRecord | undefined {
  if (history.isFromLeaf(step) && step.from !== undefined) return history.startOf(step.from)
  const sender = history.sender(step)
  if (sender || step.by !== undefined) return sender
  if (!history.isTimer(step)) return undefined
  const state = history.leftState(step)
  const before = history.before(step)
  if (!before || state === undefined) return undefined
  return history.entered(before, state === '' ? () => true : isIn(state))
}

/** Without plumbing and starts of effects, but with the first and the last one. */
function visible(
  history: History,
  steps: readonly [StepRecord, ...StepRecord[]],
  vocabulary: Vocabulary,
): [StepRecord, ...StepRecord[]] {
  const [first, ...rest] = steps
  const last = rest.pop()
  const between = rest.filter(step => !isPlumbing(history, step, vocabulary))
  return last ? [first, ...between, last] : [first]
}
