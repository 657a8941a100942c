// Deadlines of formulas: their clocks, their text, and the timers that fire when they have passed.
import type { Within } from './language.ts'
import { type Deadline, type DeadlineOf, type MonitorContext, timeOf } from './monitor.ts'
import type { ObservedStep } from './steps.ts'
import { milliseconds, timeInWords } from './values.ts'

type Amount = number | string | ((trigger: ObservedStep) => number)

/** Compiles a deadline; returns no deadline if none is given. */
export function deadlines(within: Within | undefined): DeadlineOf {
  if (within === undefined) return () => undefined
  const [clock, amount] = onClock(within)
  const spanOf = typeof amount === 'function' ? amount : () => milliseconds(amount) ?? Infinity
  return (trigger, since = timeOf(clock, trigger)) => {
    const span = spanOf(trigger)
    return { clock, span, at: since + span }
  }
}

/** The clock of a deadline. */
export const clockOf = (within: Within): Deadline['clock'] => onClock(within)[0]

function onClock(within: Within): [Deadline['clock'], Amount] {
  if (typeof within !== 'object') return ['time', within]
  return 'steps' in within ? ['steps', within.steps] : ['awake', within.awake]
}

/** Calls back when a deadline has passed, if there is one; returns a function that cancels this. */
export function ringAt(
  deadline: Deadline | undefined,
  { timers }: Pick<MonitorContext, 'timers'>,
  ring: () => void,
): () => void {
  if (!deadline) return () => {}
  const timer = timers[deadline.clock].set(deadline.at, ring)
  return () => timers[deadline.clock].off(timer)
}

/** Formats a deadline: `30 s`, `20 steps`, `30 s awake`. */
export function describeSpan({ clock, span }: Deadline): string {
  return clock === 'steps' ? `${span} steps` : `${timeInWords(span)}${clock === 'awake' ? ' awake' : ''}`
}

/** Formats a deadline whose start is not known yet. */
export function describeWithin(within: Within | undefined): string {
  if (within === undefined) return ''
  const [clock, amount] = onClock(within)
  if (typeof amount === 'function') return ' in time'
  return ` within ${describeSpan({ clock, at: 0, span: milliseconds(amount) ?? Infinity })}`
}

/** A pending deadline on one clock. */
export interface Timer {
  readonly at: number
  isOff: boolean
  readonly ring: () => void
}

/** A simulated clock, the earliest deadline first; canceled ones do not occupy memory for long. Each method is O(log n) of the pending deadlines. */
export class Timers {
  #heap: Timer[] = []
  #off = 0

  set(at: number, ring: () => void): Timer {
    const timer: Timer = { at, isOff: false, ring }
    this.#heap.push(timer)
    this.#rise(this.#heap.length - 1)
    return timer
  }

  off(timer: Timer | undefined): void {
    if (!timer || timer.isOff) return
    timer.isOff = true
    this.#off += 1
    if (this.#off < 32 || this.#off * 2 < this.#heap.length) return
    const standing = this.#heap.filter(({ isOff }) => !isOff)
    // A sorted list is a valid heap.
    this.#heap = standing.sort((a, b) => a.at - b.at)
    this.#off = 0
  }

  /** Number of deadlines in memory, pending or canceled. */
  get size(): number {
    return this.#heap.length
  }

  /** Fires all overdue deadlines. */
  advance(now: number): void {
    for (let first = this.#heap[0]; first && first.at < now; first = this.#heap[0]) {
      this.#pop()
      if (first.isOff) this.#off -= 1
      else {
        first.isOff = true
        first.ring()
      }
    }
  }

  #pop(): void {
    const last = this.#heap.pop()
    if (!last || this.#heap.length === 0) return
    this.#heap[0] = last
    this.#sink()
  }

  #rise(from: number): void {
    const heap = this.#heap
    let at = from
    while (at > 0) {
      const up = (at - 1) >> 1
      if ((heap[up] as Timer).at <= (heap[at] as Timer).at) return
      this.#swap(at, up)
      at = up
    }
  }

  #sink(): void {
    const heap = this.#heap
    let at = 0
    for (;;) {
      let least = at
      for (const under of [2 * at + 1, 2 * at + 2]) {
        if (under < heap.length && (heap[under] as Timer).at < (heap[least] as Timer).at) least = under
      }
      if (least === at) return
      this.#swap(at, least)
      at = least
    }
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap
    const kept = heap[a] as Timer
    heap[a] = heap[b] as Timer
    heap[b] = kept
  }
}
