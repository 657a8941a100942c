// Compiles formulas of any kind; a formula's `says` replaces the default message.
import { planCalms } from './calms.ts'
import { jsonText } from '../codec/json-text.ts'
import { readPath } from './compare.ts'
import { wanting } from './wanting.ts'
import type { Formula, Watched, Eventually } from './formulas.ts'
import type { Says, Telling, MessageFacts } from './language.ts'
import { planAlternates, planAtMost, planCloses, planResponds } from './lasting.ts'
import {
  timeOf,
  type Found,
  type Plan,
  type Report,
  type Sink,
  type MonitorContext,
  type Verdict,
  type DeadlineOf,
  type Monitor,
  best,
  inTurn,
  OPPOSITE,
  partsOf,
  worst,
} from './monitor.ts'
import { asking, planAlways, planAtRest, planCount, planNever, planPrecedes } from './plain.ts'
import { planAfter, planEach, type Planner } from './scopes.ts'
import type { Followed, ObservedStep } from './steps.ts'
import { timeInWords } from './values.ts'
import { deadlines, describeWithin } from './deadline.ts'
import { describePattern, describeFormula } from './describe-formula.ts'

/** Compiles a formula. */
export function planFormula(formula: Formula, around: MonitorContext): Plan {
  const plan = planBare(formula, around)
  if (formula.says === undefined && formula.about === undefined) return plan
  return { ...plan, start: sink => plan.start(telling(formula, sink, around)) }
}

function planBare(formula: Formula, around: MonitorContext): Plan {
  if ('never' in formula) return planNever(formula, around)
  if ('always' in formula) return planAlways(formula, around)
  if ('eventually' in formula) return planEventually(formula, around)
  if ('precedes' in formula) return planPrecedes(formula, around)
  if ('responds' in formula) return planResponds(formula, around)
  if ('after' in formula) return planAfter(formula, around, planFormula)
  if ('each' in formula) return planEach(formula, around, planFormula)
  if ('atMost' in formula) return planAtMost(formula, around)
  if ('closes' in formula) return planCloses(formula, around)
  if ('alternates' in formula) return planAlternates(formula, around)
  if ('calms' in formula) return planCalms(formula, around)
  if ('count' in formula) return planCount(formula, around)
  if ('atRest' in formula) return planAtRest(formula, around)
  if ('all' in formula) return planAll(formula.all, around, planFormula)
  if ('any' in formula) return planAny(formula.any, around, planFormula)
  if ('not' in formula) return planNot(formula.not, around, planFormula)
  return planWatch(formula, around)
}

function planWatch({ watch, of }: Watched, around: MonitorContext): Plan {
  const isAsked = of === undefined ? undefined : asking(of, around)
  return {
    wants: of === undefined ? () => true : wanting(of),
    start(sink) {
      let verdict: Verdict = 'so far'
      const report: Report = (about, why, trigger) => {
        verdict = 'fails'
        sink.fail({ about, why, trigger, isReported: true })
      }
      const look = watch({ report, atRest: around.atRest })
      return {
        step: step => (!isAsked || isAsked(step) ? look(step) : undefined),
        end(isClosed) {
          if (!isClosed || verdict === 'fails') return
          verdict = 'holds'
          sink.hold()
        },
        verdict: () => verdict,
      }
    },
  }
}

/** Applies the formula's `says`; that of an inner formula takes precedence. */
function telling({ says, about }: Telling, sink: Sink, around: MonitorContext): Sink {
  const withMessage = (found: Found): Found => {
    const step = found.trigger ?? around.step()
    if (!step || found.isReported) return found
    const subject = found.about ?? step.actor
    const actor =
      about === 'parent' ? (subject.parent ?? subject) : about === 'root' ? rootOf(subject) : subject
    if (says === undefined) return { ...found, about: actor }
    return { ...found, about: actor, why: fill(says, factsOf(found, actor, around)), isReported: true }
  }
  return {
    fail: found => sink.fail(withMessage(found)),
    wait: found => sink.wait(withMessage(found)),
    hold: sink.hold,
  }
}

function factsOf({ trigger, key, deadline }: Found, actor: Followed, around: MonitorContext): MessageFacts {
  const step = around.step() as NonNullable<ReturnType<MonitorContext['step']>>
  const since = deadline ? deadline.at - deadline.span : trigger?.t
  const waited = since === undefined ? 0 : timeOf(deadline?.clock ?? 'time', step) - since
  return { step, trigger, actor, key, waited }
}

function fill(says: Says, facts: MessageFacts): string {
  if (typeof says === 'function') return says(facts)
  const at = facts.trigger ?? facts.step
  return says.replaceAll(/\{([^{}]+)\}/g, (_, path: string) => {
    if (path === 'key') return facts.key ?? ''
    if (path === 'waited') return timeInWords(facts.waited)
    const value = readPath(path)?.(at, at)
    return typeof value === 'string' ? value : jsonText(value)
  })
}

function rootOf(actor: Followed): Followed {
  let root = actor
  while (root.parent) root = root.parent
  return root
}

/** Compiles the `eventually` formula. */
function planEventually(formula: Eventually, around: MonitorContext): Plan {
  const { eventually, within } = formula
  const test = asking(eventually, around)
  const found = (): Found => {
    const missing = describePattern(eventually)
    return { why: `Expected step did not occur${describeWithin(within)}: ${missing}.`, missing }
  }
  // The deadline counts from the first step of any actor.
  const wants = within === undefined ? wanting(eventually) : () => true
  return { wants, start: sink => new Awaiting(sink, test, found, deadlines(within), around) }
}

/** Waits for one step. */
class Awaiting implements Monitor {
  readonly #sink: Sink
  readonly #test: (step: ObservedStep) => boolean
  readonly #found: () => Found
  readonly #deadlineOf: DeadlineOf
  readonly #around: MonitorContext
  #verdict: Verdict = 'pending'
  #hasBegun = false
  #stop = () => {}

  constructor(
    sink: Sink,
    test: (step: ObservedStep) => boolean,
    found: () => Found,
    deadlineOf: DeadlineOf,
    around: MonitorContext,
  ) {
    this.#sink = sink
    this.#test = test
    this.#found = found
    this.#deadlineOf = deadlineOf
    this.#around = around
    const first = around.step()
    if (first) this.#begin(first)
  }

  readonly step = (step: ObservedStep): void => {
    if (this.#verdict !== 'pending') return
    if (!this.#hasBegun) this.#begin(step)
    if (!this.#test(step)) return
    this.#stop()
    this.#verdict = 'holds'
    this.#sink.hold()
  }

  end(isClosed: boolean): void {
    this.#stop()
    if (this.#verdict !== 'pending') return
    if (isClosed) this.#fail({})
    else this.#sink.wait(this.#found())
  }

  verdict(): Verdict {
    return this.#verdict
  }

  #begin(trigger: ObservedStep): void {
    this.#hasBegun = true
    const deadline = this.#deadlineOf(trigger)
    if (!deadline) return
    const timers = this.#around.timers[deadline.clock]
    const timer = timers.set(deadline.at, () => this.#fail({ trigger, deadline }))
    this.#stop = () => timers.off(timer)
  }

  #fail(more: Partial<Found>): void {
    this.#verdict = 'fails'
    this.#sink.fail({ ...this.#found(), ...more })
  }
}

/** All parts must be true; each reports its own failures. */
function planAll(formulas: readonly Formula[], around: MonitorContext, planner: Planner): Plan {
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
function planAny(formulas: readonly Formula[], around: MonitorContext, planner: Planner): Plan {
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

function planNot(formula: Formula, around: MonitorContext, planner: Planner): Plan {
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
