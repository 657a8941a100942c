// The system's timers by ordinal: which of them fired when is recorded, and repeated by a replay.
import type { AnyActorRef, EventObject } from 'xstate'

/** What a timer was set for. */
interface Armed {
  readonly ordinal: number
  readonly source: AnyActorRef
  readonly target: AnyActorRef
  readonly event: EventObject
  readonly delay: number
  readonly id: string
}

/** A clock for XState that numbers the timers. */
export interface TimerTable {
  readonly clock: { setTimeout(fn: () => void, ms: number): number; clearTimeout(ordinal: number): void }
  /** Learns what each timer is set for. */
  attach(root: AnyActorRef): void
  /** The timers that are set, in order. */
  armed(): Armed[]
  /** Ordinal of the next timer. */
  next: number
}

export interface TimerTableOptions {
  /** Sets a real timer; absent where timers fire by hand only. */
  readonly set?: (armed: Armed, fire: () => void) => () => void
  readonly first?: number
}

/** A timer table, and the way to fire one by hand: false when no such timer is set. */
export function createTimerTable(
  options: TimerTableOptions = {},
): TimerTable & { fire(ordinal: number): boolean } {
  const timers = new Map<number, { readonly armed: Armed; readonly fn: () => void; cancel?: () => void }>()
  let purpose: Omit<Armed, 'ordinal'> | undefined
  const fire = (ordinal: number) => {
    const timer = timers.get(ordinal)
    timers.delete(ordinal)
    timer?.fn()
    return timer !== undefined
  }
  const table = {
    next: options.first ?? 0,
    fire,
    armed: () => [...timers.values()].map(timer => timer.armed),
    clock: {
      setTimeout(fn: () => void): number {
        const ordinal = table.next++
        if (!purpose) throw new Error('a timer was set past the scheduler')
        const armed = { ordinal, ...purpose }
        const timer: { readonly armed: Armed; readonly fn: () => void; cancel?: () => void } = { armed, fn }
        timers.set(ordinal, timer)
        const cancel = options.set?.(armed, () => fire(ordinal))
        if (cancel) timer.cancel = cancel
        return ordinal
      },
      clearTimeout(ordinal: number) {
        timers.get(ordinal)?.cancel?.()
        timers.delete(ordinal)
      },
    },
    attach(root: AnyActorRef) {
      const { scheduler } = root.system
      const schedule = scheduler.schedule
      scheduler.schedule = (source, target, event, delay, id = `timer.${table.next}`) => {
        purpose = { source, target, event, delay, id }
        schedule(source, target, event, delay, id)
        purpose = undefined
      }
    },
  }
  return table
}
