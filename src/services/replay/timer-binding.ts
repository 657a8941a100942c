// Which recorded timer a timer of a drive stands for: by source, event and occurrence.
import type { Stimulus } from '../../trace/format.ts'
import type { SetTimer } from './placing.ts'

/** How much later than it is due a timer of a busy page may fire, in milliseconds. */
const LATE = 1_000

/** Finds the timers here that recorded ones stand for, and those that nobody recorded. */
export class TimerBinding {
  readonly #setAt = new Map<number, number>()
  /** Recorded timers still to come, by source and type. */
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

  /** Takes note of the timers that were set in the step that has just ended. */
  look(timers: readonly SetTimer[], t: number): void {
    for (const { ordinal } of timers) if (!this.#setAt.has(ordinal)) this.#setAt.set(ordinal, t)
  }

  /** When a timer is due; at once when nobody saw it being set. */
  due({ ordinal, delay }: SetTimer): number {
    const at = this.#setAt.get(ordinal)
    return at === undefined ? Number.NEGATIVE_INFINITY : at + delay
  }

  /** The recorded one has had its turn. */
  passed(key: string): void {
    this.#coming.get(key)?.shift()
  }

  /** The one that is due nearest to the time at which it fired then. */
  nearest(timers: readonly SetTimer[], t: number): SetTimer | undefined {
    let best: SetTimer | undefined
    for (const timer of timers) {
      if (!best || Math.abs(this.due(timer) - t) < Math.abs(this.due(best) - t)) best = timer
    }
    return best
  }

  /** The first timer that is due before `until` and whose firing was not recorded. */
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
      // After a sleep all that was due meanwhile fires late.
      if (coming === undefined || coming > Math.max(due, until) + LATE) first = timer
    }
    return first
  }
}
