// Formulas over parts of a trace made ready: after something, and each by itself.
import type { After, Each, Formula } from './formulas.ts'
import { keysOf } from './compare.ts'
import { wanting } from './match.ts'
import { worst, type Found, type Monitor, type Plan, type Sink } from './monitor.ts'
import type { Surroundings } from './monitor.ts'
import { asking } from './plain.ts'
import type { Step } from './steps.ts'

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
          if (current) {
            if (inner.wants(step.actor)) current.step(step)
          } else if (begins(step)) current = inner.start(scope(step))
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

/** The steps of one key. */
interface Part {
  last: Step
  /** Let go when it can not be broken any more. */
  monitor: Monitor | undefined
}

export function planEach({ each, of, holds }: Each, around: Surroundings, planner: Planner): Plan {
  const keys = keysOf(each)
  const isAsked = of === undefined ? undefined : asking(of, around)
  const inner = planner(holds, around)
  const isOfActors = each === 'actor'
  const wants = of === undefined ? () => true : wanting(of)
  return { wants: isOfActors ? actor => inner.wants(actor) && wants(actor) : wants, start: group }

  function group(sink: Sink): Monitor {
    const parts = new Map<string, Part>()
    let [hasFailed, isOver] = [false, false]
    const begin = (key: string, step: Step): Part => {
      const one: Part = { last: step, monitor: undefined }
      const whose = (found: Found): Found => ({
        ...found,
        key: found.key ?? key,
        about: found.about ?? found.trigger?.actor ?? one.last.actor,
      })
      one.monitor = inner.start({
        fail(found) {
          hasFailed = true
          sink.fail(whose(found))
        },
        wait: found => sink.wait(whose(found)),
        hold: () => void (one.monitor = undefined),
      })
      parts.set(key, one)
      return one
    }
    const take = (key: string, step: Step) => {
      const one = parts.get(key) ?? begin(key, step)
      one.last = step
      if (inner.wants(step.actor)) one.monitor?.step(step)
    }
    /** What is asked of an actor must have come when it ends. */
    const finish = (key: string) => {
      parts.get(key)?.monitor?.end(true)
      parts.delete(key)
    }
    return {
      step(step) {
        if (!isAsked || isAsked(step)) for (const key of keys(step)) take(key, step)
        if (isOfActors && step.status !== 'active') finish(step.actor.path)
      },
      end(isClosed) {
        for (const { monitor } of parts.values()) monitor?.end(isClosed)
        isOver = isClosed
        if (isClosed && !hasFailed) sink.hold()
      },
      verdict() {
        if (hasFailed || isOver) return hasFailed ? 'fails' : 'holds'
        const standing = [...parts.values()].flatMap(({ monitor }) => monitor ?? [])
        return worst(['so far', ...standing.map(monitor => monitor.verdict())])
      },
    }
  }
}
