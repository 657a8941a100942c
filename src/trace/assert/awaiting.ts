// Compiles the `eventually` formula.
import { deadlines, describeWithin } from './deadline.ts'
import type { Eventually } from './formulas.ts'
import { wanting } from './wanting.ts'
import type { DeadlineOf, Found, Monitor, Plan, Sink, MonitorContext, Verdict } from './monitor.ts'
import { asking } from './plain.ts'
import type { ObservedStep } from './steps.ts'
import { describePattern } from './describe-formula.ts'

export function planEventually(formula: Eventually, around: MonitorContext): Plan {
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
