// Detects recordings that contain nothing to compare a replay with.
import type { ReplayableTrace } from '../../../trace/index.ts'
import type { StepCheck } from './checked-run.ts'

/**
 * Before a replay, returns why nothing can be compared; undefined if there are steps, hashes or keyframes.
 */
export function whyUnstarted({ header, steps, keyframes, hashes, end }: ReplayableTrace): string | undefined {
  // The start is a step, so only a recording without steps may have begun unstarted.
  const isStarted =
    steps.length + keyframes.length + (end?.steps ?? 0) > 0 || hashes.some(({ after }) => after > 0)
  if (isStarted || header.steps === false) return undefined
  return 'the system was not started during the recording, so there are no steps to compare'
}

/** Returns why a replay without differences proves nothing; undefined if everything was compared. */
export function whyUncompared({
  compared,
  keyframes = 0,
  incomplete,
}: Pick<StepCheck, 'compared' | 'keyframes' | 'incomplete'>): string | undefined {
  if (compared + keyframes === 0)
    return 'it was recorded without steps and has no keyframe after the first event, so there is nothing to compare'
  if (incomplete === undefined) return undefined
  return `a part of a value was too large or too deeply nested to be recorded (first in ${
    keyframes > 0 ? 'the keyframe after stimulus' : 'step'
  } ${incomplete}), so it was not compared; everything else matches`
}
