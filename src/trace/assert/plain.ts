// Compiles formulas over single steps: always, never, precedes, counts, at rest.
import type { Always, AtRest, Count, Never, Pattern, Precedes } from './language.ts'
import { type Match, matching, type Types, typesOf, wanting, whole } from './match.ts'
import { type Found, type MonitorContext, outcomeFor, type Plan, type Verdict } from './monitor.ts'
import { keysOfBoth } from './spans.ts'
import type { ObservedStep } from './steps.ts'
import { describePattern } from './describe-formula.ts'

const anyone = () => true

/** Compiles a pattern to a test of one step. */
export function asking(pattern: Pattern, { memory }: MonitorContext): (step: ObservedStep) => boolean {
  if (typeof pattern === 'function') return pattern
  const test = whole(matching(pattern, memory))
  return step => test(step, step)
}

/** The same, if the step's actor is known to be wanted. */
function askingWanted(pattern: Pattern, { memory }: MonitorContext): (step: ObservedStep) => boolean {
  if (typeof pattern === 'function') return pattern
  const { test } = matching(pattern, memory)
  return step => test(step, step)
}

/** Formulas that a single step can fail, and that pass if none does. */
function safety(
  wants: Match['wants'],
  types: Types,
  broken: (step: ObservedStep) => boolean,
  why: () => string,
): Plan {
  return {
    wants,
    types,
    start(sink) {
      const outcome = outcomeFor(sink)
      return { ...outcome, step: step => (broken(step) ? outcome.fail({ why: why() }) : undefined) }
    },
  }
}

export function planAlways({ always, where }: Always, around: MonitorContext): Plan {
  const [test, isAsked] = [asking(always, around), where ? asking(where, around) : anyone]
  const why = () => `Must always be true: ${describePattern(always)}.`
  return safety(
    where ? wanting(where) : anyone,
    where && typesOf(where),
    step => isAsked(step) && !test(step),
    why,
  )
}

export function planNever({ never }: Never, around: MonitorContext): Plan {
  const why = () => `Must never happen: ${describePattern(never)}.`
  return safety(wanting(never), typesOf(never), askingWanted(never, around), why)
}

export function planPrecedes({ precedes, before, by }: Precedes, around: MonitorContext): Plan {
  const [isFirst, isThen] = [asking(precedes, around), asking(before, around)]
  const [firstKeys, thenKeys] = keysOfBoth(by)
  const [wantsFirst, wantsThen] = [wanting(precedes), wanting(before)]
  const found = (): Found => {
    const missing = describePattern(precedes)
    return { why: `Occurred before its required predecessor: ${missing}.`, missing, isEarly: true }
  }
  return {
    wants: actor => wantsFirst(actor) || wantsThen(actor),
    start(sink) {
      const seen = new Set<string>()
      const outcome = outcomeFor(sink)
      return {
        ...outcome,
        step(step) {
          if (outcome.verdict() === 'holds') return
          if (isFirst(step)) for (const key of firstKeys(step)) seen.add(key)
          // Once a `first` has occurred, nothing can fail anymore.
          if (by === undefined && seen.size > 0) return outcome.end(true)
          if (!isThen(step)) return
          for (const key of thenKeys(step))
            if (!seen.has(key)) outcome.fail({ ...found(), key: by === undefined ? undefined : key })
        },
      }
    },
  }
}

export function planCount({ count, least = 0, most = Infinity }: Count, around: MonitorContext): Plan {
  const test = askingWanted(count, around)
  const words = () => describePattern(count)
  return {
    wants: wanting(count),
    types: typesOf(count),
    start(sink) {
      let [n, verdict]: [number, Verdict] = [0, least > 0 ? 'pending' : 'so far']
      const tooFew = (): Found => ({
        why: `Expected at least ${least}, found ${n}: ${words()}.`,
        missing: words(),
      })
      return {
        step(step) {
          if (verdict === 'holds' || !test(step)) return
          n += 1
          if (n > most) {
            verdict = 'fails'
            sink.fail({ why: `Occurred ${n} times, at most ${most} allowed: ${words()}.` })
          } else if (n >= least && verdict === 'pending') verdict = 'so far'
          if (n < least || most !== Infinity || verdict === 'fails') return
          verdict = 'holds'
          sink.hold()
        },
        end(isClosed) {
          if (verdict === 'pending' && !isClosed) return sink.wait(tooFew())
          if (!isClosed || verdict === 'fails' || verdict === 'holds') return
          verdict = n < least ? 'fails' : 'holds'
          if (n < least) sink.fail(tooFew())
          else sink.hold()
        },
        verdict: () => verdict,
      }
    },
  }
}

export function planAtRest({ atRest, when }: AtRest, around: MonitorContext): Plan {
  const [isAsked, test] = [askingWanted(when, around), whole(matching(atRest, around.memory))]
  const why = () => `Not true at rest: ${describePattern(atRest)}.`
  return {
    wants: wanting(when),
    types: typesOf(when),
    start(sink) {
      const outcome = outcomeFor(sink)
      const look = (step: ObservedStep) => {
        if (!test(step.actor, step)) outcome.fail({ why: why(), trigger: step, about: step.actor })
      }
      return { ...outcome, step: step => (isAsked(step) ? around.atRest(() => look(step)) : undefined) }
    },
  }
}
