// What patterns remember of the trace: spans that are open, and what has happened since when.
import { keysOf } from './compare.ts'
import type { ActorPattern, Key, Past, Span } from './language.ts'
import { matching, wanting, type Memory } from './match.ts'
import type { Part } from './monitor.ts'
import { spanning, type Tracker } from './spans.ts'
import type { Step } from './steps.ts'

/** Begins to remember; whatever has to be looked at is told to `observe`. */
export function createMemory(observe: (observer: Part) => void, usesPaths: () => void): Memory {
  const pasts = new Map<Past, () => boolean>()
  const trackers = new Map<Span, Tracker>()
  const [onOpened, onClosed]: [Listeners, Listeners] = [new Map(), new Map()]
  const track = (span: Span): Tracker => {
    const known = trackers.get(span)
    if (known) return known
    const plan = spanning(span, memory)
    const [opened, closed] = [listeners(onOpened, span), listeners(onClosed, span)]
    const tracker = plan.start({
      opened: (key, step) => opened.forEach(tell => tell(step, key)),
      closed: (key, _, step) => closed.forEach(tell => tell(step, key)),
    })
    trackers.set(span, tracker)
    observe({ wants: plan.wants, step: tracker.step })
    return tracker
  }
  let uses = 0
  const memory: Memory = {
    get uses() {
      return uses
    },
    usesPaths() {
      uses += 1
      usesPaths()
    },
    inside(span: Span, by?: Key) {
      uses += 1
      const { open } = track(span)
      // The step that closes it is still inside.
      const closing = new Set<string>()
      let closedAt: Step | undefined
      listeners(onClosed, span).push((step, key) => {
        if (step !== closedAt) closing.clear()
        closing.add(key)
        closedAt = step
      })
      if (by === undefined) return (_, step) => open.size > 0 || closedAt === step
      const keys = keysOf(by)
      return (_, step) => keys(step).some(key => open.has(key) || (closedAt === step && closing.has(key)))
    },
    happened(past: Past) {
      uses += 1
      const known = pasts.get(past)
      if (known) return known
      const { step: pattern, during } = past
      let [has, opened]: [boolean, Step | undefined] = [false, undefined]
      const { test } = matching(pattern, memory)
      const note = (step: Step) => void (has ||= step !== opened && test(step, step))
      observe({ wants: wanting(pattern), step: note })
      if (during) {
        track(during)
        listeners(onOpened, during).push(step => {
          has = false
          opened = step
        })
      }
      const hasHappened = () => has
      pasts.set(past, hasHappened)
      return hasHappened
    },
    some: (pattern: ActorPattern) => memory.inside({ during: pattern }),
  }
  return memory
}

type Listeners = Map<Span, ((step: Step, key: string) => void)[]>

function listeners(all: Listeners, span: Span): ((step: Step, key: string) => void)[] {
  const known = all.get(span) ?? []
  all.set(span, known)
  return known
}
