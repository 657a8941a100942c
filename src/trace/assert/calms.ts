// The formula of coming to calm made ready: however often it is stirred, all that is open closes in time.
import { clockOf, deadlines } from './deadline.ts'
import type { Calms, Stir } from './formulas.ts'
import { wanting } from './match.ts'
import { inTurn, timeOf, type Plan, type Surroundings } from './monitor.ts'
import { asking } from './plain.ts'
import { spanning } from './spans.ts'
import type { Step } from './steps.ts'
import type { Timer } from './timers.ts'
import { spanOpenedInWords } from './words.ts'

export function planCalms(formula: Calms, around: Surroundings): Plan {
  const { calms, within, stirredBy, pausedWhile } = formula
  const span = spanning(calms, around.memory)
  const pause = pausedWhile && spanning(pausedWhile, around.memory)
  const stirs = stirring(stirredBy, around)
  const wantsStir = typeof stirredBy === 'object' ? wanting(stirredBy) : () => stirredBy !== undefined
  const why = () => `Calm did not come in time: ${spanOpenedInWords(calms)}.`
  const [clock, deadlineOf] = [clockOf(within), deadlines(within)]
  const timers = around.timers[clock]
  return {
    wants: actor => span.wants(actor) || wantsStir(actor) || (pause?.wants(actor) ?? false),
    start(sink) {
      let [quiet, hasFailed, isOver] = [-Infinity, false, false]
      let timer: Timer | undefined
      const rest = (until: number) => void (quiet = Math.max(quiet, until))
      const arm = (step: Step) => {
        const deadline = deadlineOf(step, quiet)
        timer = deadline && timers.set(deadline.at, () => around.later(look))
      }
      const pauses = pause?.start({ closed: (_key, _since, step) => rest(timeOf(clock, step)) })
      const tracker = span.start({
        opened(_, step) {
          if (tracker.open.size === 1) rest(timeOf(clock, step))
          if (!timer) arm(step)
        },
        closed() {
          if (tracker.open.size > 0) return
          timers.off(timer)
          timer = undefined
        },
      })
      const look = () => {
        const step = around.step()
        timer = undefined
        if (!step || tracker.open.size === 0) return
        const now = timeOf(clock, step)
        if (pauses && pauses.open.size > 0) rest(now)
        const deadline = deadlineOf(step, quiet)
        if (deadline && now > deadline.at) {
          hasFailed = true
          for (const [key, trigger] of tracker.open)
            sink.fail({ why: why(), key: key || undefined, trigger, about: trigger.actor, deadline })
          rest(now)
        }
        arm(step)
      }
      const stir = (step: Step) => {
        const extra = stirs(step)
        if (extra !== undefined) rest(timeOf(clock, step) + extra)
      }
      return {
        ...inTurn([
          { wants: span.wants, step: tracker.step },
          ...(pause && pauses ? [{ wants: pause.wants, step: pauses.step }] : []),
          { wants: wantsStir, step: stir },
        ]),
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
