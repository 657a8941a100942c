// Compiles formulas that combine others: all, any, not.
import type { Formula } from './formulas.ts'
import {
  best,
  inTurn,
  OPPOSITE,
  partsOf,
  worst,
  type Monitor,
  type Plan,
  type MonitorContext,
  type Verdict,
} from './monitor.ts'
import type { Planner } from './scopes.ts'
import { describeFormula } from './describe-formula.ts'

/** All parts must be true; each reports its own failures. */
export function planAll(formulas: readonly Formula[], around: MonitorContext, planner: Planner): Plan {
  const plans = formulas.map(one => planner(one, around))
  return {
    wants: actor => plans.some(plan => plan.wants(actor)),
    start(sink) {
      let left = plans.length
      const hold = () => {
        left -= 1
        if (left === 0) sink.hold()
      }
      return together(
        plans.map(plan => ({ plan, monitor: plan.start({ ...sink, hold }) })),
        worst,
      )
    },
  }
}

/** One part must be true: fails when all parts have failed. */
export function planAny(formulas: readonly Formula[], around: MonitorContext, planner: Planner): Plan {
  const plans = formulas.map(one => planner(one, around))
  const why = `No alternative is true: ${formulas.map(describeFormula).join('; ')}.`
  return {
    wants: actor => plans.some(plan => plan.wants(actor)),
    start(sink) {
      const failed = new Set<Plan>()
      let isHeld = false
      const starts = plans.map(plan => {
        const fail = () => {
          if (failed.size === plans.length || isHeld) return
          failed.add(plan)
          if (failed.size === plans.length) sink.fail({ why })
        }
        const hold = () => {
          if (!isHeld) sink.hold()
          isHeld = true
        }
        return { plan, monitor: plan.start({ fail, hold, wait: () => {} }) }
      })
      const monitor = together(starts, best)
      return {
        ...monitor,
        end(isClosed) {
          monitor.end(isClosed)
          if (!isClosed && monitor.verdict() === 'pending') sink.wait({ why })
        },
      }
    },
  }
}

function together(
  parts: readonly { readonly plan: Plan; readonly monitor: Monitor }[],
  verdict: (verdicts: readonly Verdict[]) => Verdict,
): Monitor {
  const flat = parts.flatMap(({ plan, monitor }) => partsOf(plan, monitor))
  return {
    ...inTurn(flat),
    end(isClosed) {
      for (const { monitor } of parts) monitor.end(isClosed)
    },
    verdict: () => verdict(parts.map(({ monitor }) => monitor.verdict())),
  }
}

export function planNot(formula: Formula, around: MonitorContext, planner: Planner): Plan {
  const plan = planner(formula, around)
  const why = `Expected to be false, but is true: ${describeFormula(formula)}.`
  return {
    wants: plan.wants,
    start(sink) {
      let isSettled = false
      const once = (listener: () => void) => () => {
        if (!isSettled) listener()
        isSettled = true
      }
      const monitor = plan.start({
        fail: once(() => sink.hold()),
        hold: once(() => sink.fail({ why })),
        wait: () => {},
      })
      return {
        step: monitor.step,
        end(isClosed) {
          monitor.end(isClosed)
          if (!isClosed && monitor.verdict() === 'so far') sink.wait({ why })
        },
        verdict: () => OPPOSITE[monitor.verdict()],
      }
    },
  }
}
