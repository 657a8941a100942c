// Compiles formulas of any kind, and those over parts of a trace; a formula's `says` replaces the default
// message.
import { planAlternates, planAtMost, planCalms, planCloses, planResponds } from './lasting.ts'
import { jsonText } from '../codec/json-text.ts'
import { keysOf, readPath } from './compare.ts'
import { wanting } from './match.ts'
import type { After, Each, Eventually, Formula, MessageFacts, Says, Telling, Watched } from './language.ts'
import {
  timeOf,
  type Found,
  type Plan,
  type Report,
  type Sink,
  type MonitorContext,
  type Verdict,
  type Monitor,
  best,
  inTurn,
  outcomeFor,
  OPPOSITE,
  partsOf,
  worst,
} from './monitor.ts'
import { asking, planAlways, planAtRest, planCount, planNever, planPrecedes } from './plain.ts'
import type { Followed, ObservedStep } from './steps.ts'
import { timeInWords } from './values.ts'
import { deadlines, describeWithin, ringAt } from './deadline.ts'
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
  if ('after' in formula) return planAfter(formula, around)
  if ('each' in formula) return planEach(formula, around)
  if ('atMost' in formula) return planAtMost(formula, around)
  if ('closes' in formula) return planCloses(formula, around)
  if ('alternates' in formula) return planAlternates(formula, around)
  if ('calms' in formula) return planCalms(formula, around)
  if ('count' in formula) return planCount(formula, around)
  if ('atRest' in formula) return planAtRest(formula, around)
  if ('all' in formula) return planAll(formula.all, around)
  if ('any' in formula) return planAny(formula.any, around)
  if ('not' in formula) return planNot(formula.not, around)
  return planWatch(formula, around)
}

function planWatch({ watch, of }: Watched, around: MonitorContext): Plan {
  const isAsked = of === undefined ? undefined : asking(of, around)
  return {
    wants: of === undefined ? () => true : wanting(of),
    start(sink) {
      const outcome = outcomeFor(sink)
      const report: Report = (about, why, trigger) => outcome.fail({ about, why, trigger, isReported: true })
      const look = watch({ report, atRest: around.atRest })
      return { ...outcome, step: step => (!isAsked || isAsked(step) ? look(step) : undefined) }
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

/** Waits for one step. */
function planEventually({ eventually, within }: Eventually, around: MonitorContext): Plan {
  const test = asking(eventually, around)
  const deadlineOf = deadlines(within)
  const found = (): Found => {
    const missing = describePattern(eventually)
    return { why: `Expected step did not occur${describeWithin(within)}: ${missing}.`, missing }
  }
  return {
    // The deadline counts from the first step of any actor.
    wants: within === undefined ? wanting(eventually) : () => true,
    start(sink) {
      let verdict: Verdict = 'pending'
      /** Absent before the first step. */
      let cancel: (() => void) | undefined
      const fail = (more: Partial<Found>) => {
        verdict = 'fails'
        sink.fail({ ...found(), ...more })
      }
      const begin = (trigger: ObservedStep) => {
        const deadline = deadlineOf(trigger)
        return ringAt(deadline, around, () => fail({ trigger, deadline }))
      }
      const first = around.step()
      if (first) cancel = begin(first)
      return {
        step(step) {
          if (verdict !== 'pending') return
          cancel ??= begin(step)
          if (!test(step)) return
          cancel()
          verdict = 'holds'
          sink.hold()
        },
        end(isClosed) {
          cancel?.()
          if (verdict !== 'pending') return
          if (isClosed) fail({})
          else sink.wait(found())
        },
        verdict: () => verdict,
      }
    },
  }
}

/** All parts must be true; each reports its own failures. */
function planAll(formulas: readonly Formula[], around: MonitorContext): Plan {
  const plans = formulas.map(one => planFormula(one, around))
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
function planAny(formulas: readonly Formula[], around: MonitorContext): Plan {
  const plans = formulas.map(one => planFormula(one, around))
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

function planNot(formula: Formula, around: MonitorContext): Plan {
  const plan = planFormula(formula, around)
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

function planAfter({ after, until, holds }: After, around: MonitorContext): Plan {
  const [begins, ends] = [asking(after, around), until === undefined ? undefined : asking(until, around)]
  const inner = planFormula(holds, around)
  const [wantsAfter, wantsUntil] = [wanting(after), until === undefined ? () => false : wanting(until)]
  return {
    wants: actor => inner.wants(actor) || wantsAfter(actor) || wantsUntil(actor),
    start(sink) {
      let current: Monitor | undefined
      const outcome = outcomeFor(sink)
      return {
        step(step) {
          if (current && ends?.(step)) {
            current.end(true)
            current = undefined
          }
          if (current) {
            if (inner.wants(step.actor)) current.step(step)
          } else if (begins(step)) current = inner.start(scopeOf(step, outcome.fail, sink.wait))
        },
        end(isClosed) {
          current?.end(isClosed)
          outcome.end(isClosed)
        },
        verdict: () => whileRunning(outcome.verdict(), current ? [current] : []),
      }
    },
  }
}

/** The worst verdict of the monitors that are still running, as long as nothing is final. */
const whileRunning = (verdict: Verdict, running: readonly Monitor[]): Verdict =>
  verdict === 'so far' ? worst([verdict, ...running.map(monitor => monitor.verdict())]) : verdict

/** Adds the opening step to each finding of a scope. */
function scopeOf(opener: ObservedStep, fail: Sink['fail'], wait: Sink['wait']): Sink {
  const withMessage = (found: Found): Found => ({
    ...found,
    others: [['after', opener], ...(found.others ?? [])],
  })
  return { fail: found => fail(withMessage(found)), wait: found => wait(withMessage(found)), hold: () => {} }
}

function planEach({ each, of, holds }: Each, around: MonitorContext): Plan {
  const keys = keysOf(each)
  const isAsked = of === undefined ? () => true : asking(of, around)
  const inner = planFormula(holds, around)
  const isOfActors = each === 'actor'
  const wants = of === undefined ? () => true : wanting(of)
  return {
    wants: isOfActors ? actor => inner.wants(actor) && wants(actor) : wants,
    start(sink) {
      const outcome = outcomeFor(sink)
      const parts = new Map<string, KeyPart>()
      const begin = (key: string, step: ObservedStep): KeyPart => {
        const part: KeyPart = { last: step, monitor: undefined }
        const whose = (found: Found): Found => ({
          ...found,
          key: found.key ?? key,
          about: found.about ?? found.trigger?.actor ?? part.last.actor,
        })
        part.monitor = inner.start({
          fail: found => outcome.fail(whose(found)),
          wait: found => sink.wait(whose(found)),
          hold: () => void (part.monitor = undefined),
        })
        parts.set(key, part)
        return part
      }
      return {
        step(step) {
          for (const key of isAsked(step) ? keys(step) : []) {
            const part = parts.get(key) ?? begin(key, step)
            part.last = step
            if (inner.wants(step.actor)) part.monitor?.step(step)
          }
          if (!isOfActors || step.status === 'active') return
          // When an actor ends, everything expected of it must have occurred.
          parts.get(step.actor.path)?.monitor?.end(true)
          parts.delete(step.actor.path)
        },
        end(isClosed) {
          for (const { monitor } of parts.values()) monitor?.end(isClosed)
          outcome.end(isClosed)
        },
        verdict: () => {
          const running = [...parts.values()].flatMap(({ monitor }) => monitor ?? [])
          return whileRunning(outcome.verdict(), running)
        },
      }
    },
  }
}

/** The steps of one key. */
interface KeyPart {
  last: ObservedStep
  /** Removed once it can no longer fail. */
  monitor: Monitor | undefined
}
