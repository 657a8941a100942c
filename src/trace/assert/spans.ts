// Tracks spans as they open and close: lives, lasting states, and steps from one to another.
import { keysOf } from './compare.ts'
import type { Key, Pattern, Span } from './language.ts'
import { type Match, matching, type Memory, allTypes, type Types, typesOf, wanting, whole } from './match.ts'
import type { Followed, ObservedStep } from './steps.ts'

/** Events of a span; `since` is the step that opened it. */
export interface SpanListener {
  opened?(key: string, step: ObservedStep): void
  closed?(key: string, since: ObservedStep, step: ObservedStep): void
  /** Opened while already open. */
  again?(key: string, since: ObservedStep, step: ObservedStep): void
  /** Closed without being open. */
  unopened?(key: string, step: ObservedStep): void
}

export interface Tracker {
  /** The steps that opened the currently open spans, by key, the oldest first. */
  readonly open: ReadonlyMap<string, ObservedStep>
  step(step: ObservedStep): void
}

export interface SpanPlan {
  readonly wants: Match['wants']
  readonly types: Types
  start(listener: SpanListener): Tracker
}

/** Compiles a span; with `isAnswered`, a step that both opens and closes leaves nothing open. */
export function spanning(span: Span, memory: Memory, isAnswered = false): SpanPlan {
  if ('life' in span) {
    const { test } = matching(span.life, memory)
    return ofActors(wanting(span.life), (step, isOpen) => step.actor.isActive && (isOpen || test(step, step)))
  }
  if ('during' in span) {
    const { test } = matching(span.during, memory)
    return ofActors(wanting(span.during), step => step.actor.isActive && test(step, step))
  }
  return between(span, memory, isAnswered)
}

function ofActors(wants: Match['wants'], holds: (step: ObservedStep, isOpen: boolean) => boolean): SpanPlan {
  return {
    wants,
    types: undefined,
    start(listener) {
      const open = new Map<string, ObservedStep>()
      return {
        open,
        step(step) {
          const key = step.actor.path
          const since = open.get(key)
          if (holds(step, since !== undefined)) {
            if (since) return
            open.set(key, step)
            listener.opened?.(key, step)
          } else if (since) {
            open.delete(key)
            listener.closed?.(key, since, step)
          }
        },
      }
    },
  }
}

const isPair = (by: Key | readonly [Key, Key]): by is readonly [Key, Key] => Array.isArray(by)

/** The keys of both ends of a span. */
export function keysOfBoth(by: Key | readonly [Key, Key] | undefined): [Keys, Keys] {
  if (by === undefined) return [single, single]
  return isPair(by) ? [keysOf(by[0]), keysOf(by[1])] : [keysOf(by), keysOf(by)]
}
type Keys = (step: ObservedStep) => readonly string[]
const SINGLE = [''] as const
const single: Keys = () => SINGLE

function between(
  { from, to, by }: Extract<Span, { from: Pattern }>,
  memory: Memory,
  isAnswered: boolean,
): SpanPlan {
  const [isBegin, isEnd] = [whole(matching(from, memory)), whole(matching(to, memory))]
  const [openKeys, endKeys] = keysOfBoth(by)
  const [wantsFrom, wantsTo] = [wanting(from), wanting(to)]
  return {
    wants: (actor: Followed) => wantsFrom(actor) || wantsTo(actor),
    types: allTypes([typesOf(from), typesOf(to)]),
    start(listener) {
      const open = new Map<string, ObservedStep>()
      const ends = (step: ObservedStep) =>
        isEnd(step, step) ? closeAll(endKeys(step), step, open, listener) : undefined
      const begins = (step: ObservedStep) =>
        isBegin(step, step) ? openAll(openKeys(step), step, open, listener) : undefined
      const [first, second] = isAnswered ? [begins, ends] : [ends, begins]
      return {
        open,
        step(step) {
          first(step)
          second(step)
        },
      }
    },
  }
}

type Open = Map<string, ObservedStep>

function openAll(keys: readonly string[], step: ObservedStep, open: Open, listener: SpanListener): void {
  for (const key of keys) {
    const since = open.get(key)
    if (since) listener.again?.(key, since, step)
    else {
      open.set(key, step)
      listener.opened?.(key, step)
    }
  }
}

function closeAll(keys: readonly string[], step: ObservedStep, open: Open, listener: SpanListener): void {
  for (const key of keys) {
    const since = open.get(key)
    if (open.delete(key) && since) listener.closed?.(key, since, step)
    else listener.unopened?.(key, step)
  }
}
