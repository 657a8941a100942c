// The system's timers by ordinal, so that a replay can fire the same timers.
import type { AnyActorRef, EventObject } from 'xstate'
import { type StepOutput, typeOf } from '../../trace/index.ts'
import { swapEnvironment } from '../runtime/index.ts'

/** Purpose of a timer. */
export interface Armed {
  readonly ordinal: number
  readonly source: AnyActorRef
  readonly target: AnyActorRef
  readonly event: EventObject
  readonly delay: number
  readonly id: string
  /** Time when the timer was set, in milliseconds of the table's clock. */
  readonly setAt: number
}

/** A clock as XState expects it. */
export interface TimerClock {
  readonly setTimeout: (fn: () => void, ms: number) => unknown
  readonly clearTimeout: (handle: never) => void
}

/** Numbers the timers of a system. */
export interface TimerTable {
  /** Clock to pass to XState. */
  readonly clock: { setTimeout(fn: () => void, ms: number): never; clearTimeout(handle: unknown): void }
  /** Intercepts the scheduler to learn the purpose of each timer. */
  attach(root: AnyActorRef): void
  /** Active timers, in order. */
  armed(): Armed[]
  get(ordinal: number): Armed | undefined
  /** Fires a timer manually. Returns false if no such timer is active. */
  fire(ordinal: number): boolean
  /** Returns the remaining delay of a timer. */
  left(armed: Armed): number
  /** Marks part of the last timer's delay as already elapsed. */
  backdate(elapsed: number): void
  /**
   * Gives timers that were set again the ordinals that they had before. Returns false, and changes nothing, if there
   * are others now.
   */
  renumber(before: readonly Armed[], next: number): boolean
  /** Ordinal of the next timer. */
  next: number
}

export interface TimerTableOptions {
  /** Sets real timers. Without it, timers fire only manually. */
  readonly clock?: TimerClock
  /** Called when a timer is set. */
  readonly armed?: ((armed: Armed) => void) | undefined
  /** Called when a real timer is due. */
  readonly due?: (armed: Armed) => void
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number
}

/** The handle that XState holds. It cannot be confused with a real clock's handle. */
class Timer implements Armed {
  readonly source: AnyActorRef
  readonly target: AnyActorRef
  readonly event: EventObject
  readonly delay: number
  readonly id: string
  ordinal = -1
  setAt = 0
  fn: () => void = nothing
  handle: unknown = undefined

  constructor(source: AnyActorRef, target: AnyActorRef, event: EventObject, delay: number, id: string) {
    this.source = source
    this.target = target
    this.event = event
    this.delay = delay
    this.id = id
  }
}

const nothing = () => undefined

/** Creates an empty table. */
export function createTimerTable({ clock, armed, due, now }: TimerTableOptions): TimerTable {
  const timers = new Map<number, Timer>()
  let last: Timer | undefined
  /** The timer that XState is about to set. */
  let scheduled: Timer | undefined
  const fire = (ordinal: number) => {
    const timer = timers.get(ordinal)
    timers.delete(ordinal)
    timer?.fn()
    return timer !== undefined
  }
  const set = (fn: () => void, ms: number): unknown => {
    // App code uses the system's clock directly.
    if (!scheduled) return clock?.setTimeout(fn, ms)
    const timer = scheduled
    timer.ordinal = table.next++
    timer.setAt = now()
    timer.fn = fn
    last = timer
    timers.set(timer.ordinal, timer)
    armed?.(timer)
    if (clock) timer.handle = clock.setTimeout(() => due?.(timer), ms)
    return timer
  }
  const clear = (handle: unknown) => {
    if (handle instanceof Timer) timers.delete(handle.ordinal)
    clock?.clearTimeout((handle instanceof Timer ? handle.handle : handle) as never)
  }
  const table: TimerTable = {
    next: 0,
    fire,
    armed: () => [...timers.values()],
    left: ({ setAt, delay }) => Math.max(0, setAt + delay - now()),
    backdate(elapsed) {
      if (last) last.setAt = now() - elapsed
    },
    get: ordinal => timers.get(ordinal),
    renumber(before, next) {
      const again = before.map(({ source, id }) =>
        [...timers.values()].find(timer => timer.source === source && timer.id === id),
      )
      if (again.length !== timers.size || again.includes(undefined)) return false
      timers.clear()
      for (const [at, timer] of again.entries()) {
        if (!timer) continue
        timer.ordinal = before[at]?.ordinal ?? timer.ordinal
        timers.set(timer.ordinal, timer)
      }
      table.next = next
      return true
    },
    clock: disguised(clock, { setTimeout: set as TimerTable['clock']['setTimeout'], clearTimeout: clear }),
    attach(root) {
      const { scheduler } = root.system
      const schedule = scheduler.schedule
      scheduler.schedule = (source, target, event, delay, id = `timer.${table.next}`) => {
        scheduled = new Timer(source, target, event, delay, id)
        // XState notes the time here.
        const before = swapEnvironment(undefined)
        try {
          schedule(source, target, event, delay, id)
        } finally {
          swapEnvironment(before)
          scheduled = undefined
        }
      }
    },
  }
  return table
}

/** How the output of a step shows a timer: the event of `after` is named in the id. */
export function timerOutput({ id, delay, event }: Armed): StepOutput {
  const isDelayed = typeOf(event)?.startsWith('xstate.after.') === true
  return { kind: 'timer', name: id, ...(!isDelayed && { value: event }), delay }
}

/** The app's clock with two replaced methods. Other features, such as advancing, keep working. */
function disguised(clock: TimerClock | undefined, methods: TimerTable['clock']): TimerTable['clock'] {
  if (!clock) return methods
  const rest = new Proxy(clock as unknown as TimerTable['clock'], {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  })
  // These two are called often, so they bypass the proxy.
  const { setTimeout, clearTimeout } = methods
  return Object.create(rest, {
    setTimeout: { value: setTimeout, writable: true },
    clearTimeout: { value: clearTimeout, writable: true },
  }) as TimerTable['clock']
}
