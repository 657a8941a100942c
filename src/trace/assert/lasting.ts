// Compiles formulas over spans: how many at once, closed in time, alternating.
import { describeWithin, deadlines } from './deadline.ts'
import type { Alternates, AtMost, Closes, Responds } from './formulas.ts'
import { type Found, type Plan, type MonitorContext, type Verdict, inTurn, type Sink } from './monitor.ts'
import { spanning, type SpanListener, type SpanPlan } from './spans.ts'
import type { ObservedStep } from './steps.ts'
import { describePattern, describeOpenedSpan } from './describe-formula.ts'
import { typesOf, wanting } from './wanting.ts'
import { asking } from './plain.ts'
import type { Timer } from './timers.ts'

/** Formulas that can fail when a span opens or closes. */
function bySpan(
  plan: SpanPlan,
  listen: (fail: (found: Found) => void, open: () => ReadonlyMap<string, ObservedStep>) => SpanListener,
): Plan {
  return {
    wants: plan.wants,
    types: plan.types,
    start(sink) {
      let verdict: Verdict = 'so far'
      const fail = (found: Found) => {
        verdict = 'fails'
        sink.fail(found)
      }
      const tracker = plan.start(listen(fail, () => tracker.open))
      return {
        step: tracker.step,
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

/** Compiles it; `said` creates the finding for an unmet expectation. */
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
