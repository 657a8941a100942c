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
