// Tracks expectations: once a span has opened, an end or answer is due in time, unless something cancels it.
import { deadlines } from './deadline.ts'
import type { Closes } from './formulas.ts'
import { typesOf, wanting } from './wanting.ts'
import { inTurn, type Found, type Plan, type Sink, type MonitorContext, type Verdict } from './monitor.ts'
import { asking } from './plain.ts'
import type { SpanPlan } from './spans.ts'
import type { ObservedStep } from './steps.ts'
import type { Timer } from './timers.ts'

/** Compiles it; `said` creates the finding for an unmet expectation. */
export function owing(
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
      const debts = new Debts(sink)
      const tracker = span.start({
        opened(key, trigger) {
          const deadline = deadlineOf(trigger)
          debts.owe(
            key,
            () => ({ ...describe(), trigger, deadline, key: key || undefined }),
            ring => deadline && around.timers[deadline.clock].set(deadline.at, ring),
            timer => deadline && around.timers[deadline.clock].off(timer),
          )
        },
        closed: key => debts.pay(key),
      })
      const release = (step: ObservedStep) => (isFree?.(step) ? debts.release() : undefined)
      const parts = [
        { wants: span.wants, types: span.types, step: tracker.step },
        { wants: wantsFree, types: unless && typesOf(unless), step: release },
      ]
      return { ...inTurn(parts), end: debts.end, verdict: debts.verdict }
    },
  }
}

interface Debt {
  readonly found: () => Found
  readonly stop: () => void
}

/** Open expectations by key. */
class Debts {
  readonly #sink: Sink
  readonly #debts = new Map<string, Debt>()
  #hasFailed = false
  #isOver = false

  constructor(sink: Sink) {
    this.#sink = sink
  }

  owe(
    key: string,
    found: () => Found,
    set: (ring: () => void) => Timer | undefined,
    off: (timer: Timer | undefined) => void,
  ): void {
    const timer = set(() => this.#fail(key, found))
    this.#debts.set(key, { found, stop: () => off(timer) })
  }

  pay(key: string): void {
    this.#debts.get(key)?.stop()
    this.#debts.delete(key)
  }

  release(): void {
    for (const { stop } of this.#debts.values()) stop()
    this.#debts.clear()
  }

  readonly end = (isClosed: boolean): void => {
    const rest = [...this.#debts]
    for (const [, { stop }] of rest) stop()
    this.#isOver = isClosed
    if (!isClosed) for (const [, { found }] of rest) this.#sink.wait(found())
    else if (rest.length > 0) for (const [key, { found }] of rest) this.#fail(key, found)
    else if (!this.#hasFailed) this.#sink.hold()
  }

  readonly verdict = (): Verdict => {
    if (this.#hasFailed) return 'fails'
    if (this.#debts.size > 0) return 'pending'
    return this.#isOver ? 'holds' : 'so far'
  }

  #fail(key: string, found: () => Found): void {
    this.#debts.delete(key)
    this.#hasFailed = true
    this.#sink.fail(found())
  }
}
