// What patterns remember of the trace: spans that are open, and what has happened since when.
import { keysOf } from './assert-compare.ts'
import type { ActorPattern, Key, Past, Span } from './assert-language.ts'
import { matching, wanting, whole, type Match, type Memory } from './assert-match.ts'
import { spanning, type Tracker } from './assert-spans.ts'
import type { Step } from './assert-steps.ts'

/** Something that looks at steps before any formula does. */
export interface Observer {
  readonly wants: Match['wants']
  readonly step: (step: Step) => void
}

/** Begins to remember; whatever has to be looked at is told to `observe`. */
export function createMemory(observe: (observer: Observer) => void): Memory {
  const trackers = new Map<Span, Tracker>()
  const onOpened = new Map<Span, ((step: Step) => void)[]>()
  const track = (span: Span): Tracker => {
    const known = trackers.get(span)
    if (known) return known
    const listeners: ((step: Step) => void)[] = []
    const plan = spanning(span, memory)
    const tracker = plan.start({ opened: (_, step) => listeners.forEach(tell => tell(step)) })
    trackers.set(span, tracker)
    onOpened.set(span, listeners)
    observe({ wants: plan.wants, step: tracker.step })
    return tracker
  }
  const memory: Memory = {
    inside(span: Span, by?: Key) {
      const { open } = track(span)
      if (by === undefined) return () => open.size > 0
      const keys = keysOf(by)
      return (_, step) => keys(step).some(key => open.has(key))
    },
    happened({ step: pattern, during }: Past) {
      let [has, opened]: [boolean, Step | undefined] = [false, undefined]
      const test = whole(matching(pattern, memory))
      const note = (step: Step) => void (has ||= step !== opened && test(step, step))
      observe({ wants: wanting(pattern), step: note })
      if (during) {
        track(during)
        onOpened.get(during)?.push(step => {
          has = false
          opened = step
        })
      }
      return () => has
    },
    some: (pattern: ActorPattern) => memory.inside({ during: pattern }),
  }
  return memory
}
