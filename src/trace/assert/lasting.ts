// Compiles formulas over spans: how many at once, closed in time, alternating.
import { withinInWords } from './deadline.ts'
import type { Alternates, AtMost, Closes, Responds } from './formulas.ts'
import type { Found, Plan, Surroundings, Verdict } from './monitor.ts'
import { owing } from './owing.ts'
import { spanning, type SpanListener, type SpanPlan } from './spans.ts'
import type { Step } from './steps.ts'
import { patternInWords, spanOpenedInWords } from './words.ts'

/** Formulas that can fail when a span opens or closes. */
function bySpan(
  plan: SpanPlan,
  listen: (fail: (found: Found) => void, open: () => ReadonlyMap<string, Step>) => SpanListener,
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

export function planAtMost({ atMost, of }: AtMost, { memory }: Surroundings): Plan {
  const words = () => spanOpenedInWords(of)
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

export function planAlternates({ alternates }: Alternates, { memory }: Surroundings): Plan {
  const words = () => spanOpenedInWords(alternates)
  return bySpan(spanning(alternates, memory), fail => ({
    again: (key, trigger) => fail({ why: `Started again before it ended: ${words()}.`, key, trigger }),
    unopened: key => fail({ why: `Ended without having started: ${words()}.`, key }),
  }))
}

export function planCloses({ closes, within, unless }: Closes, around: Surroundings): Plan {
  const said = () => {
    const missing = 'from' in closes ? patternInWords(closes.to) : `the end of ${spanOpenedInWords(closes)}`
    return { why: `Expected step did not follow${withinInWords(within)}: ${missing}.`, missing }
  }
  return owing(spanning(closes, around.memory), said, { within, unless }, around)
}

export function planResponds({ responds, to, by, within, unless }: Responds, around: Surroundings): Plan {
  const span = spanning({ from: to, to: responds, ...(by !== undefined && { by }) }, around.memory, true)
  const said = () => ({
    why: `No response${withinInWords(within)}: ${patternInWords(to)}.`,
    missing: patternInWords(responds),
  })
  return owing(span, said, { within, unless }, around)
}
