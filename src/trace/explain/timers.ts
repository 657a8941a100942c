// Timers of a recording: how long they ran.
import type { StepRecord } from '../format/records.ts'
import { type History, isIn } from './history.ts'

/** The delay in milliseconds: as recorded, or the time that the actor was in the state that the timer ended. */
export function timerDelay(history: History, step: StepRecord): number | undefined {
  const recorded = history.source.stimulus(step.cause)
  if (step.by === undefined && recorded?.kind === 'timer' && recorded.delay !== undefined)
    return recorded.delay
  const state = history.leftState(step)
  const before = history.before(step)
  if (state === undefined || state === '' || !before) return undefined
  const entry = history.entered(before, isIn(state))
  return entry && Math.round(step.t - entry.t)
}
