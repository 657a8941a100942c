// Formulas over parts of a trace made ready: after something, each by itself, and several of them together.
import type { After, Each, Formula } from './formulas.ts'
import { keysOf } from './compare.ts'
import { wanting } from './match.ts'
import {
  best,
  inTurn,
  OPPOSITE,
  partsOf,
  worst,
  type Found,
  type Monitor,
  type Plan,
  type Sink,
} from './monitor.ts'
import type { Surroundings, Verdict } from './monitor.ts'
import { asking } from './plain.ts'
import type { Step } from './steps.ts'
import { formulaInWords } from './words.ts'

/** Makes the formulas inside ready. */
export type Planner = (formula: Formula, around: Surroundings) => Plan

export function planAfter({ after, until, holds }: After, around: Surroundings, planner: Planner): Plan {
  const [begins, ends] = [asking(after, around), until === undefined ? undefined : asking(until, around)]
  const inner = planner(holds, around)
  const [wantsAfter, wantsUntil] = [wanting(after), until === undefined ? () => false : wanting(until)]
  return {
    wants: actor => inner.wants(actor) || wantsAfter(actor) || wantsUntil(actor),
    start(sink) {
      let current: Monitor | undefined
      let [hasFailed, isOver] = [false, false]
      const scope = (opener: Step): Sink => {
        const within = (found: Found): Found => ({
          ...found,
          others: [['after', opener], ...(found.others ?? [])],
        })
        return {
          fail(found) {
            hasFailed = true
            sink.fail(within(found))
          },
          wait: found => sink.wait(within(found)),
          hold: () => {},
        }
      }
      return {
        step(step) {
          if (current && ends?.(step)) {
            current.end(true)
            current = undefined
          }
          if (current) current.step(step)
          else if (begins(step)) current = inner.start(scope(step))
        },
        end(isClosed) {
          current?.end(isClosed)
          isOver = isClosed
          if (isClosed && !hasFailed) sink.hold()
        },
        verdict() {
          if (hasFailed) return 'fails'
          return isOver ? 'holds' : worst(['so far', ...(current ? [current.verdict()] : [])])
        },
      }
    },
  }
}

export function planEach({ each, of, holds }: Each, around: Surroundings, planner: Planner): Plan {
  const keys = keysOf(each)
  const isAsked = of === undefined ? undefined : asking(of, around)
  const inner = planner(holds, around)
  const isOfActors = each === 'actor'
  const wants = of === undefined ? () => true : wanting(of)
  return { wants: isOfActors ? actor => inner.wants(actor) && wants(actor) : wants, start: group }

  function group(sink: Sink): Monitor {
    /** By key; what can not change any more is let go. */
    const parts = new Map<string, Monitor | 'done'>()
    let [hasFailed, isOver] = [false, false]
    const part = (key: string): Sink => ({
      fail(found) {
        hasFailed = true
        sink.fail({ ...found, key: found.key ?? key })
      },
      wait: found => sink.wait({ ...found, key: found.key ?? key }),
      hold: () => void parts.set(key, 'done'),
    })
    const take = (key: string, step: Step) => {
      let monitor = parts.get(key)
      if (!monitor) parts.set(key, (monitor = inner.start(part(key))))
      if (monitor !== 'done') monitor.step(step)
    }
    /** What is asked of an actor must have come when it ends. */
    const finish = (key: string) => {
      const monitor = parts.get(key)
      if (monitor && monitor !== 'done') monitor.end(true)
      parts.delete(key)
    }
    return {
      step(step) {
        if (!isAsked || isAsked(step)) for (const key of keys(step)) take(key, step)
        if (isOfActors && step.status !== 'active') finish(step.actor.path)
      },
      end(isClosed) {
        for (const monitor of parts.values()) if (monitor !== 'done') monitor.end(isClosed)
        isOver = isClosed
        if (isClosed && !hasFailed) sink.hold()
      },
      verdict() {
        if (hasFailed || isOver) return hasFailed ? 'fails' : 'holds'
        const standing = [...parts.values()].filter(one => one !== 'done')
        return worst(['so far', ...standing.map(one => one.verdict())])
      },
    }
  }
}

/** All of them must hold: each tells for itself. */
export function planAll(formulas: readonly Formula[], around: Surroundings, planner: Planner): Plan {
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

/** One of them must hold: it is broken when all are. */
export function planAny(formulas: readonly Formula[], around: Surroundings, planner: Planner): Plan {
  const plans = formulas.map(one => planner(one, around))
  const why = `None of these is so: ${formulas.map(formulaInWords).join('; ')}.`
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
  const flat = parts.flatMap(({ plan: { wants }, monitor }) => partsOf(wants, monitor))
  return {
    ...inTurn(flat),
    end(isClosed) {
      for (const { monitor } of parts) monitor.end(isClosed)
    },
    verdict: () => verdict(parts.map(({ monitor }) => monitor.verdict())),
  }
}

export function planNot(formula: Formula, around: Surroundings, planner: Planner): Plan {
  const plan = planner(formula, around)
  const why = `What must not be so is so: ${formulaInWords(formula)}.`
  return {
    wants: plan.wants,
    start(sink) {
      let isSettled = false
      const once = (tell: () => void) => () => {
        if (!isSettled) tell()
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
