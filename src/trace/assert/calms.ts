// Compiles the `calms` formula: every open span closes in time after the last stir.
import { clockOf, deadlines } from './deadline.ts'
import type { Calms, Stir } from './formulas.ts'
import type { Within } from './language.ts'
import { typesOf, wanting } from './wanting.ts'
import {
  inTurn,
  timeOf,
  type Deadline,
  type DeadlineOf,
  type Plan,
  type Sink,
  type MonitorContext,
  type Verdict,
} from './monitor.ts'
import { asking } from './plain.ts'
import { spanning, type SpanPlan, type Tracker } from './spans.ts'
import type { ObservedStep } from './steps.ts'
import type { Timer } from './timers.ts'
import { describeOpenedSpan } from './describe-formula.ts'

export function planCalms(formula: Calms, around: MonitorContext): Plan {
  const { calms, within, stirredBy, pausedWhile } = formula
  const span = spanning(calms, around.memory)
  const pause = pausedWhile && spanning(pausedWhile, around.memory)
  const stirs = stirring(stirredBy, around)
  const wantsStir = typeof stirredBy === 'object' ? wanting(stirredBy) : () => stirredBy !== undefined
  const why = () => `Did not settle in time: ${describeOpenedSpan(calms)}.`
  return {
    wants: actor => span.wants(actor) || wantsStir(actor) || (pause?.wants(actor) ?? false),
    start(sink) {
      const unrest = new Unrest(sink, why, within, around)
      const pauses = pause && { wants: pause.wants, types: pause.types, step: unrest.pauses(pause).step }
      const parts = [
        { wants: span.wants, types: span.types, step: unrest.watches(span).step },
        ...(pauses ? [pauses] : []),
        {
          wants: wantsStir,
          types: typeof stirredBy === 'object' ? typesOf(stirredBy) : undefined,
          step: (step: ObservedStep) => unrest.stir(step, stirs(step)),
        },
      ]
      return { ...inTurn(parts), end: unrest.end, verdict: unrest.verdict }
    },
  }
}

/** The open spans, and the time of the last stir. */
class Unrest {
  readonly #sink: Sink
  readonly #why: () => string
  readonly #around: MonitorContext
  readonly #clock: Deadline['clock']
  readonly #deadlineOf: DeadlineOf
  #open: Tracker | undefined
  #paused: Tracker | undefined
  #timer: Timer | undefined
  #quiet = -Infinity
  #hasFailed = false
  #isOver = false

  constructor(sink: Sink, why: () => string, within: Within, around: MonitorContext) {
    this.#sink = sink
    this.#why = why
    this.#around = around
    this.#clock = clockOf(within)
    this.#deadlineOf = deadlines(within)
  }

  watches(span: SpanPlan): Tracker {
    const tracker = span.start({
      opened: (_, step) => {
        if (tracker.open.size === 1) this.#rest(timeOf(this.#clock, step))
        if (!this.#timer) this.#arm(step)
      },
      closed: () => {
        if (tracker.open.size > 0) return
        this.#around.timers[this.#clock].off(this.#timer)
        this.#timer = undefined
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

  readonly end = (isClosed: boolean): void => {
    this.#isOver = isClosed
    if (isClosed && !this.#hasFailed) this.#sink.hold()
  }

  readonly verdict = (): Verdict => (this.#hasFailed ? 'fails' : this.#isOver ? 'holds' : 'so far')

  #rest(until: number): void {
    this.#quiet = Math.max(this.#quiet, until)
  }

  #arm(step: ObservedStep): void {
    const deadline = this.#deadlineOf(step, this.#quiet)
    const look = () => this.#around.later(() => this.#look())
    this.#timer = deadline && this.#around.timers[this.#clock].set(deadline.at, look)
  }

  /** The time may have run out, or stirs may have extended it. */
  #look(): void {
    const [step, open] = [this.#around.step(), this.#open?.open]
    this.#timer = undefined
    if (!step || !open || open.size === 0) return
    const now = timeOf(this.#clock, step)
    if (this.#paused && this.#paused.open.size > 0) this.#rest(now)
    const deadline = this.#deadlineOf(step, this.#quiet)
    if (deadline && now > deadline.at) {
      this.#hasFailed = true
      for (const [key, trigger] of open)
        this.#sink.fail({ why: this.#why(), key: key || undefined, trigger, about: trigger.actor, deadline })
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
