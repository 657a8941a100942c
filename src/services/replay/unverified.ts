// Recordings that hold nothing to compare a replay with.
import type { ReplayableTrace } from '../../trace/format.ts'
import type { StepCheck } from './checked-run.ts'

/** Why nothing can be compared, before a replay; nothing where there are steps, hashes of steps or keyframes. */
export function whyUnstarted({ header, views, keyframes, hashes, end }: ReplayableTrace): string | undefined {
  // A start is a step itself, so that only a recording without steps may have begun without one.
  const isStarted =
    views.length + keyframes.length + (end?.views ?? 0) > 0 || hashes.some(({ after }) => after > 0)
  if (isStarted || header.views === false) return undefined
  return 'the system was not started while it was recorded, so there is no step to compare'
}

/** Why a replay without a difference shows nothing; nothing where something was compared. */
export function whyUncompared({
  compared,
  keyframes = 0,
}: Pick<StepCheck, 'compared' | 'keyframes'>): string | undefined {
  if (compared + keyframes > 0) return undefined
  return 'it was recorded without steps and holds no keyframe after the first event, so there is nothing to compare'
}
