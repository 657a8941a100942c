// The trace state that patterns read: open spans, and what has occurred since when.
import { keysOf } from './compare.ts'
import type { ActorPattern, Key, Past, Span } from './language.ts'
import { matching, type Match, type Memory } from './match.ts'
import { typesOf, wanting } from './wanting.ts'
import type { Part } from './monitor.ts'
import { spanning, type Tracker } from './spans.ts'
import type { ObservedStep } from './steps.ts'

type Hear = (step: ObservedStep, key: string) => void

/** A tracked span. */
interface Tracked extends Tracker {
  readonly onOpened: Hear[]
  readonly onClosed: Hear[]
}

/** The memory of the patterns of one assertion; passes everything that must observe steps to `observe`. */
export class TraceMemory implements Memory {
  readonly #observe: (observer: Part) => void
  readonly #whenPaths: () => void
  readonly #pasts = new Map<Past, () => boolean>()
  readonly #spans = new Map<Span, Tracked>()
  #uses = 0

  constructor(observe: (observer: Part) => void, whenPaths: () => void) {
    this.#observe = observe
    this.#whenPaths = whenPaths
  }

  get uses(): number {
    return this.#uses
  }

  usesPaths(): void {
    this.#uses += 1
    this.#whenPaths()
  }

  inside(span: Span, by?: Key): Match['test'] {
    const { open, onClosed } = this.#track(span)
    // The step that closes a span is still inside it.
    const closing = new Set<string>()
    let closedAt: ObservedStep | undefined
    onClosed.push((step, key) => {
      if (step !== closedAt) closing.clear()
      closing.add(key)
      closedAt = step
    })
    if (by === undefined) return (_, step) => open.size > 0 || closedAt === step
    const keys = keysOf(by)
    return (_, step) => keys(step).some(key => open.has(key) || (closedAt === step && closing.has(key)))
  }

  happened(past: Past): () => boolean {
    const known = this.#pasts.get(past)
    this.#uses += 1
    if (known) return known
    const { step: pattern, during } = past
    let [has, opened]: [boolean, ObservedStep | undefined] = [false, undefined]
    const { test } = matching(pattern, this)
    const note = (step: ObservedStep) => void (has ||= step !== opened && test(step, step))
    this.#observe({ wants: wanting(pattern), types: typesOf(pattern), step: note })
    if (during) {
      this.#track(during).onOpened.push(step => {
        has = false
        opened = step
      })
    }
    const hasHappened = () => has
    this.#pasts.set(past, hasHappened)
    return hasHappened
  }

  some(pattern: ActorPattern): Match['test'] {
    return this.inside({ during: pattern })
  }

  #track(span: Span): Tracked {
    this.#uses += 1
    const known = this.#spans.get(span)
    if (known) return known
    const plan = spanning(span, this)
    const [onOpened, onClosed]: [Hear[], Hear[]] = [[], []]
    const tracker = plan.start({
      opened: (key, step) => onOpened.forEach(listener => listener(step, key)),
      closed: (key, _, step) => onClosed.forEach(listener => listener(step, key)),
    })
    const tracked = { ...tracker, onOpened, onClosed }
    this.#spans.set(span, tracked)
    this.#observe({ wants: plan.wants, types: plan.types, step: tracker.step })
    return tracked
  }
}
