// Compiles formulas over spans: how many at once, closed in time, alternating.
import { describeWithin } from './deadline.ts'
import type { Alternates, AtMost, Closes, Responds } from './formulas.ts'
import type { Found, Plan, MonitorContext, Verdict } from './monitor.ts'
import { owing } from './owing.ts'
import { spanning, type SpanListener, type SpanPlan } from './spans.ts'
import type { ObservedStep } from './steps.ts'
import { describePattern, describeOpenedSpan } from './describe-formula.ts'

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
