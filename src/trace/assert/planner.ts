// Compiles formulas of any kind; a formula's `says` replaces the default message.
import { planEventually } from './awaiting.ts'
import { planCalms } from './calms.ts'
import { jsonText } from '../codec/json-text.ts'
import { readPath } from './compare.ts'
import { wanting } from './wanting.ts'
import type { Formula, Watched } from './formulas.ts'
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
} from './monitor.ts'
import { asking, planAlways, planAtRest, planCount, planNever, planPrecedes } from './plain.ts'
import { planAll, planAny, planNot } from './combined.ts'
import { planAfter, planEach } from './scopes.ts'
import type { Followed } from './steps.ts'
import { timeInWords } from './values.ts'

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
