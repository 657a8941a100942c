// Maps timers of a drive to recorded timers by source, event and occurrence.
import type { Stimulus } from '../../../trace/index.ts'
import type { SetTimer } from './record-resolver.ts'

/** How late a timer of a busy page may fire, in milliseconds. */
const LATE = 1_000

/** Finds the timers for recorded ones, and timers that were not recorded. */
export class TimerBinding {
  readonly #setAt = new Map<number, number>()
  /** Times of pending recorded timers, by source and type. */
  readonly #coming = new Map<string, number[]>()

  constructor(stimuli: readonly Stimulus[], keyOf: (stimulus: Stimulus) => string) {
    for (const stimulus of stimuli) {
      if (stimulus.kind !== 'timer') continue
      const key = keyOf(stimulus)
      const times = this.#coming.get(key)
      if (times) times.push(stimulus.t)
      else this.#coming.set(key, [stimulus.t])
    }
  }

  /** Registers timers that were set in the step that just ended. */
  look(timers: readonly SetTimer[], t: number): void {
    for (const { ordinal } of timers) if (!this.#setAt.has(ordinal)) this.#setAt.set(ordinal, t)
  }

  /** Returns when a timer is due; immediately if its start was not seen. */
  due({ ordinal, delay }: SetTimer): number {
    const at = this.#setAt.get(ordinal)
    return at === undefined ? Number.NEGATIVE_INFINITY : at + delay
  }

  /** Removes a recorded timer that was handled. */
  passed(key: string): void {
    this.#coming.get(key)?.shift()
  }

  /** Returns the timer whose due time is closest to the recorded time. */
  nearest(timers: readonly SetTimer[], t: number): SetTimer | undefined {
    let best: SetTimer | undefined
    for (const timer of timers) {
      if (!best || Math.abs(this.due(timer) - t) < Math.abs(this.due(best) - t)) best = timer
    }
    return best
  }

  /** Returns the first timer that is due before `until` and whose firing was not recorded. */
  overdue(
    timers: readonly SetTimer[],
    until: number,
    keyOf: (timer: SetTimer) => string,
  ): SetTimer | undefined {
    let first: SetTimer | undefined
    for (const timer of timers) {
      const due = this.due(timer)
      if (due >= until || (first && this.due(first) <= due)) continue
      const coming = this.#coming.get(keyOf(timer))?.[0]
      // After a device sleep, all overdue timers fire late.
      if (coming === undefined || coming > Math.max(due, until) + LATE) first = timer
    }
    return first
  }
}
