// Compiles formulas over parts of a trace: after a step, and per key.
import type { After, Each, Formula } from './formulas.ts'
import { keysOf } from './compare.ts'
import { wanting } from './wanting.ts'
import {
  type Found,
  type Monitor,
  type MonitorContext,
  type Plan,
  type Sink,
  type Verdict,
  worst,
} from './monitor.ts'
import { asking } from './plain.ts'
import type { ObservedStep } from './steps.ts'

/** Compiles the inner formulas. */
export type Planner = (formula: Formula, around: MonitorContext) => Plan

export function planAfter({ after, until, holds }: After, around: MonitorContext, planner: Planner): Plan {
  const [begins, ends] = [asking(after, around), until === undefined ? undefined : asking(until, around)]
  const inner = planner(holds, around)
  const [wantsAfter, wantsUntil] = [wanting(after), until === undefined ? () => false : wanting(until)]
  return {
    wants: actor => inner.wants(actor) || wantsAfter(actor) || wantsUntil(actor),
    start(sink) {
      let current: Monitor | undefined
      let [hasFailed, isOver] = [false, false]
      const fail = (found: Found) => {
        hasFailed = true
        sink.fail(found)
      }
      return {
        step(step) {
          if (current && ends?.(step)) {
            current.end(true)
            current = undefined
          }
          if (current) {
            if (inner.wants(step.actor)) current.step(step)
          } else if (begins(step)) current = inner.start(scopeOf(step, fail, sink.wait))
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

/** Adds the opening step to each finding of a scope. */
function scopeOf(opener: ObservedStep, fail: Sink['fail'], wait: Sink['wait']): Sink {
  const withMessage = (found: Found): Found => ({
    ...found,
    others: [['after', opener], ...(found.others ?? [])],
  })
  return { fail: found => fail(withMessage(found)), wait: found => wait(withMessage(found)), hold: () => {} }
}

export function planEach({ each, of, holds }: Each, around: MonitorContext, planner: Planner): Plan {
  const keys = keysOf(each)
  const isAsked = of === undefined ? () => true : asking(of, around)
  const inner = planner(holds, around)
  const isOfActors = each === 'actor'
  const wants = of === undefined ? () => true : wanting(of)
  return {
    wants: isOfActors ? actor => inner.wants(actor) && wants(actor) : wants,
    start(sink) {
      const parts = new Parts(sink, inner)
      return {
        step(step) {
          if (isAsked(step)) for (const key of keys(step)) parts.take(key, step)
          // When an actor ends, everything expected of it must have occurred.
          if (isOfActors && step.status !== 'active') parts.finish(step.actor.path)
        },
        end: parts.end,
        verdict: parts.verdict,
      }
    },
  }
}

/** The steps of one key. */
interface Part {
  last: ObservedStep
  /** Removed once it can no longer fail. */
  monitor: Monitor | undefined
}

/** Runs a formula separately for each key. */
class Parts {
  readonly #sink: Sink
  readonly #plan: Plan
  readonly #parts = new Map<string, Part>()
  #hasFailed = false
  #isOver = false

  constructor(sink: Sink, plan: Plan) {
    this.#sink = sink
    this.#plan = plan
  }

  take(key: string, step: ObservedStep): void {
    const part = this.#parts.get(key) ?? this.#begin(key, step)
    part.last = step
    if (this.#plan.wants(step.actor)) part.monitor?.step(step)
  }

  finish(key: string): void {
    this.#parts.get(key)?.monitor?.end(true)
    this.#parts.delete(key)
  }

  readonly end = (isClosed: boolean): void => {
    for (const { monitor } of this.#parts.values()) monitor?.end(isClosed)
    this.#isOver = isClosed
    if (isClosed && !this.#hasFailed) this.#sink.hold()
  }

  readonly verdict = (): Verdict => {
    if (this.#hasFailed || this.#isOver) return this.#hasFailed ? 'fails' : 'holds'
    const standing = [...this.#parts.values()].flatMap(({ monitor }) => monitor ?? [])
    return worst(['so far', ...standing.map(monitor => monitor.verdict())])
  }

  #begin(key: string, step: ObservedStep): Part {
    const part: Part = { last: step, monitor: undefined }
    const whose = (found: Found): Found => ({
      ...found,
      key: found.key ?? key,
      about: found.about ?? found.trigger?.actor ?? part.last.actor,
    })
    part.monitor = this.#plan.start({
      fail: found => {
        this.#hasFailed = true
        this.#sink.fail(whose(found))
      },
      wait: found => this.#sink.wait(whose(found)),
      hold: () => void (part.monitor = undefined),
    })
    this.#parts.set(key, part)
    return part
  }
}
