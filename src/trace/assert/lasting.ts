// Compiles formulas over spans: how many at once, closed in time, alternating, calm after the last stir.
import { clockOf, deadlines, describeWithin, ringAt } from './deadline.ts'
import type { Alternates, AtMost, Calms, Closes, Responds, Stir } from './language.ts'
import {
  type Deadline,
  type DeadlineOf,
  type Found,
  inTurn,
  type MonitorContext,
  outcomeFor,
  type Plan,
  type Sink,
  timeOf,
} from './monitor.ts'
import { type SpanListener, spanning, type SpanPlan, type Tracker } from './spans.ts'
import type { ObservedStep } from './steps.ts'
import { describeOpenedSpan, describePattern } from './describe-formula.ts'
import { typesOf, wanting } from './match.ts'
import { asking } from './plain.ts'

/** Formulas that can fail when a span opens or closes. */
function bySpan(
  plan: SpanPlan,
  listen: (fail: (found: Found) => void, open: () => ReadonlyMap<string, ObservedStep>) => SpanListener,
): Plan {
  return {
    wants: plan.wants,
    types: plan.types,
    start(sink) {
      const outcome = outcomeFor(sink)
      const tracker = plan.start(listen(outcome.fail, () => tracker.open))
      return { ...outcome, step: tracker.step }
    },
  }
}

export function planAtMost({ atMost, of }: AtMost, { memory }: MonitorContext): Plan {
  const words = () => describeOpenedSpan(of)
  return bySpan(spanning(of, memory), (fail, open) => ({
    opened(key) {
      const { size } = open()
      if (size <= atMost) return
      const others = [...open().values()].slice(0, -1).slice(-SHOWN)
      const why = `${size} open at once, at most ${atMost} allowed: ${words()}.`
      fail({ why, key: key || undefined, others: others.map(step => ['open', step]) })
    },
  }))
}

/** Maximum number of open spans listed. */
const SHOWN = 5

export function planAlternates({ alternates }: Alternates, { memory }: MonitorContext): Plan {
  const words = () => describeOpenedSpan(alternates)
  return bySpan(spanning(alternates, memory), fail => ({
    again: (key, trigger) => fail({ why: `Started again before it ended: ${words()}.`, key, trigger }),
    unopened: key => fail({ why: `Ended without having started: ${words()}.`, key }),
  }))
}

export function planCloses({ closes, within, unless }: Closes, around: MonitorContext): Plan {
  const describe = () => {
    const missing = 'from' in closes ? describePattern(closes.to) : `the end of ${describeOpenedSpan(closes)}`
    return { why: `Expected step did not follow${describeWithin(within)}: ${missing}.`, missing }
  }
  return owing(spanning(closes, around.memory), describe, { within, unless }, around)
}

export function planResponds({ responds, to, by, within, unless }: Responds, around: MonitorContext): Plan {
  const span = spanning({ from: to, to: responds, ...(by !== undefined && { by }) }, around.memory, true)
  const describe = () => ({
    why: `No response${describeWithin(within)}: ${describePattern(to)}.`,
    missing: describePattern(responds),
  })
  return owing(span, describe, { within, unless }, around)
}

/** Formulas by which an opened span is an expectation that its end meets; `describe` words an unmet one. */
function owing(
  span: SpanPlan,
  describe: () => Found,
  { within, unless }: { readonly [K in 'within' | 'unless']: Closes[K] | undefined },
  around: MonitorContext,
): Plan {
  const isFree = unless === undefined ? undefined : asking(unless, around)
  const wantsFree = unless === undefined ? () => false : wanting(unless)
  const deadlineOf = deadlines(within)
  return {
    wants: actor => span.wants(actor) || wantsFree(actor),
    start(sink) {
      const outcome = outcomeFor(sink)
      const open = new Map<string, { readonly found: () => Found; readonly cancel: () => void }>()
      const fail = (key: string, found: () => Found) => {
        open.delete(key)
        outcome.fail(found())
      }
      const meet = (key: string) => {
        open.get(key)?.cancel()
        open.delete(key)
      }
      const tracker = span.start({
        opened(key, trigger) {
          const deadline = deadlineOf(trigger)
          const found = () => ({ ...describe(), trigger, deadline, key: key || undefined })
          open.set(key, { found, cancel: ringAt(deadline, around, () => fail(key, found)) })
        },
        closed: meet,
      })
      const release = (step: ObservedStep) => {
        if (isFree?.(step)) for (const key of open.keys()) meet(key)
      }
      const parts = [
        { wants: span.wants, types: span.types, step: tracker.step },
        { wants: wantsFree, types: unless && typesOf(unless), step: release },
      ]
      return {
        ...inTurn(parts),
        end(isClosed) {
          for (const [key, { found, cancel }] of open) {
            cancel()
            if (isClosed) fail(key, found)
            else sink.wait(found())
          }
          outcome.end(isClosed)
        },
        verdict: () => (outcome.verdict() !== 'fails' && open.size > 0 ? 'pending' : outcome.verdict()),
      }
    },
  }
}

/** Every open span closes in time after the last stir. */
export function planCalms(formula: Calms, around: MonitorContext): Plan {
  const { calms, stirredBy, pausedWhile } = formula
  const span = spanning(calms, around.memory)
  const pause = pausedWhile && spanning(pausedWhile, around.memory)
  const stirs = stirring(stirredBy, around)
  const wantsStir = typeof stirredBy === 'object' ? wanting(stirredBy) : () => stirredBy !== undefined
  return {
    wants: actor => span.wants(actor) || wantsStir(actor) || (pause?.wants(actor) ?? false),
    start(sink) {
      const unrest = new Unrest(sink, formula, around)
      const parts = [
        { wants: span.wants, types: span.types, step: unrest.watches(span).step },
        ...(pause ? [{ wants: pause.wants, types: pause.types, step: unrest.pauses(pause).step }] : []),
        {
          wants: wantsStir,
          types: typeof stirredBy === 'object' ? typesOf(stirredBy) : undefined,
          step: (step: ObservedStep) => unrest.stir(step, stirs(step)),
        },
      ]
      return { ...inTurn(parts), end: unrest.outcome.end, verdict: unrest.outcome.verdict }
    },
  }
}

/** The open spans, and the time of the last stir. */
class Unrest {
  readonly outcome: ReturnType<typeof outcomeFor>
  readonly #formula: Calms
  readonly #around: MonitorContext
  readonly #clock: Deadline['clock']
  readonly #deadlineOf: DeadlineOf
  #open: Tracker | undefined
  #paused: Tracker | undefined
  #cancel: (() => void) | undefined
  #quiet = -Infinity

  constructor(sink: Sink, formula: Calms, around: MonitorContext) {
    this.outcome = outcomeFor(sink)
    this.#formula = formula
    this.#around = around
    this.#clock = clockOf(formula.within)
    this.#deadlineOf = deadlines(formula.within)
  }

  watches(span: SpanPlan): Tracker {
    const tracker = span.start({
      opened: (_, step) => {
        if (tracker.open.size === 1) this.#rest(timeOf(this.#clock, step))
        if (!this.#cancel) this.#arm(step)
      },
      closed: () => {
        if (tracker.open.size > 0) return
        this.#cancel?.()
        this.#cancel = undefined
      },
    })
    this.#open = tracker
    return tracker
  }

  pauses(span: SpanPlan): Tracker {
    this.#paused = span.start({ closed: (_key, _since, step) => this.#rest(timeOf(this.#clock, step)) })
    return this.#paused
  }

  stir(step: ObservedStep, extra: number | undefined): void {
    if (extra !== undefined) this.#rest(timeOf(this.#clock, step) + extra)
  }

  #rest(until: number): void {
    this.#quiet = Math.max(this.#quiet, until)
  }

  #arm(step: ObservedStep): void {
    const look = () => this.#around.later(() => this.#look())
    this.#cancel = ringAt(this.#deadlineOf(step, this.#quiet), this.#around, look)
  }

  /** The time may have run out, or stirs may have extended it. */
  #look(): void {
    const [step, open] = [this.#around.step(), this.#open?.open]
    this.#cancel = undefined
    if (!step || !open || open.size === 0) return
    const now = timeOf(this.#clock, step)
    if (this.#paused && this.#paused.open.size > 0) this.#rest(now)
    const deadline = this.#deadlineOf(step, this.#quiet)
    if (deadline && now > deadline.at) {
      const why = `Did not settle in time: ${describeOpenedSpan(this.#formula.calms)}.`
      for (const [key, trigger] of open)
        this.outcome.fail({ why, key: key || undefined, trigger, about: trigger.actor, deadline })
      this.#rest(now)
    }
    this.#arm(step)
  }
}

/** The milliseconds by which a step extends the deadline; undefined if it does not. */
function stirring(
  stir: Stir | undefined,
  around: MonitorContext,
): (step: ObservedStep) => number | undefined {
  if (stir === undefined) return () => undefined
  const told = typeof stir === 'function' ? stir : asking(stir, around)
  return step => {
    const stirred = told(step)
    return stirred === false ? undefined : stirred === true ? 0 : stirred
  }
}
