// The formula of coming to calm made ready: however often it is stirred, all that is open closes in time.
import { deadlines } from './assert-deadline.ts'
import type { Calms, Stir } from './assert-formulas.ts'
import { wanting } from './assert-match.ts'
import { timeOf, type Deadline, type Plan, type Surroundings } from './assert-monitor.ts'
import { asking } from './assert-plain.ts'
import { spanning } from './assert-spans.ts'
import type { Step } from './assert-steps.ts'
import type { Timer } from './assert-timers.ts'
import { spanOpenedInWords } from './assert-words.ts'

export function planCalms(formula: Calms, around: Surroundings): Plan {
  const { calms, within, stirredBy, pausedWhile } = formula
  const span = spanning(calms, around.memory)
  const pause = pausedWhile && spanning(pausedWhile, around.memory)
  const stirs = stirring(stirredBy, around)
  const wantsStir = typeof stirredBy === 'object' ? wanting(stirredBy) : () => stirredBy !== undefined
  const why = `Calm did not come in time: ${spanOpenedInWords(calms)}.`
  const deadlineOf = deadlines(within)
  return {
    wants: actor => span.wants(actor) || wantsStir(actor) || (pause?.wants(actor) ?? false),
    start(sink) {
      let [quiet, hasFailed, isOver] = [-Infinity, false, false]
      let timer: Timer | undefined
      const tracker = span.start({})
      const pauses = pause?.start({})
      /** Counts from when it was last quiet. */
      const due = (step: Step): Deadline | undefined => {
        const deadline = deadlineOf(step)
        return deadline && { ...deadline, at: quiet + deadline.span }
      }
      const clock = (step: Step) => timeOf(deadlineOf(step)?.clock ?? 'time', step)
      const arm = (step: Step) => {
        const deadline = due(step)
        timer = deadline && around.timers[deadline.clock].set(deadline.at, () => around.later(look))
      }
      const look = () => {
        const step = around.step()
        timer = undefined
        if (!step || tracker.open.size === 0) return
        if (pauses && pauses.open.size > 0) quiet = clock(step)
        const deadline = due(step)
        if (deadline && clock(step) > deadline.at) {
          hasFailed = true
          for (const [key, trigger] of tracker.open)
            sink.fail({ why, key: key || undefined, trigger, about: trigger.actor, deadline })
          quiet = clock(step)
        }
        arm(step)
      }
      return {
        step(step) {
          const wasPaused = pauses !== undefined && pauses.open.size > 0
          const wasOpen = tracker.open.size > 0
          tracker.step(step)
          pauses?.step(step)
          const extra = stirs(step)
          if (wasPaused || !wasOpen) quiet = Math.max(quiet, clock(step))
          if (extra !== undefined) quiet = Math.max(quiet, clock(step) + extra)
          if (tracker.open.size > 0) timer ?? arm(step)
          else if (timer) {
            const deadline = due(step)
            if (deadline) around.timers[deadline.clock].off(timer)
            timer = undefined
          }
        },
        end(isClosed) {
          isOver = isClosed
          if (isClosed && !hasFailed) sink.hold()
        },
        verdict: () => (hasFailed ? 'fails' : isOver ? 'holds' : 'so far'),
      }
    },
  }
}

/** By how many milliseconds a step puts calm off; undefined when it does not. */
function stirring(stir: Stir | undefined, around: Surroundings): (step: Step) => number | undefined {
  if (stir === undefined) return () => undefined
  const told = typeof stir === 'function' ? stir : asking(stir, around)
  return step => {
    const stirred = told(step)
    return stirred === false ? undefined : stirred === true ? 0 : stirred
  }
}
