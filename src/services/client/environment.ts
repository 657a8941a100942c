// The environment: whether the device is online, whether the page is visible and running, whether the device
// slept, and what time it is.
import { fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import type { EnvironmentEvent, TickEvent } from '../../machines/index.ts'
import { isEqual } from '../../trace/index.ts'
import type { Clock, PageEvents } from '../runtime/index.ts'

export interface PageEnvironment {
  readonly online: boolean
  readonly visible: boolean
  readonly frozen: boolean
}

/** Calls the listener at once and with each change, until the function that it returns is called. */
export type WatchPage = (listener: (now: PageEnvironment) => void) => () => void

/**
 * Observes a browser page, including its time in the back/forward cache. Outside browsers, it is always
 * online and visible.
 */
export function pageEnvironment(page: Partial<PageEvents> = globalThis): WatchPage {
  const { window, document, navigator } = page
  const readEnvironment = (frozen: boolean): PageEnvironment => ({
    online: navigator?.onLine ?? true,
    visible: document?.visibilityState !== 'hidden',
    frozen,
  })
  return listener => {
    let reported = readEnvironment(false)
    const left = new AbortController()
    const on = (target: EventTarget, type: string, isFrozen?: boolean) => {
      const notify = () => {
        const now = readEnvironment(isFrozen ?? reported.frozen)
        if (isEqual(now, reported)) return
        reported = now
        listener(now)
      }
      target.addEventListener(type, notify, left)
    }
    listener(reported)
    if (window && document) {
      on(window, 'online')
      on(window, 'offline')
      on(document, 'visibilitychange')
      on(document, 'freeze', true)
      on(window, 'pagehide', true)
      on(document, 'resume', false)
      on(window, 'pageshow', false)
    }
    return () => left.abort()
  }
}

/** Interval between clock checks, in ms. */
const LOOK_EVERY = 10_000
/** In ms. Timers of hidden pages fire only once a minute, which does not count as sleep. */
const ASLEEP = 75_000

/** Reports environment changes, and sleep, before them, when the clock advanced while no timer fired. */
export const createEnvironmentPort = (watch: WatchPage, clock: Clock) =>
  fromCallback<EventObject, NonReducibleUnknown, EnvironmentEvent>(({ sendBack }) => {
    let last = clock.now()
    const check = () => {
      const at = clock.now()
      const sleptMs = at - last
      last = at
      if (sleptMs > ASLEEP) sendBack({ type: 'environment.woke', slept: sleptMs, at })
    }
    const leave = watch(now => {
      // The page may be back before any timer fires.
      check()
      sendBack({ type: 'environment.changed', ...now })
    })
    const examine = () => {
      timer = clock.setTimeout(examine, LOOK_EVERY)
      check()
    }
    const forget = clock.beforeTimers?.(check)
    let timer = clock.setTimeout(examine, LOOK_EVERY)
    return () => {
      leave()
      forget?.()
      clock.clearTimeout(timer)
    }
  })

/** Sends the time immediately and then at a fixed interval, so that machines need no clock. */
export const createTickerPort = (clock: Clock) =>
  fromCallback<EventObject, { readonly every: number }, TickEvent>(({ input, sendBack }) => {
    let timer: unknown
    const tick = () => {
      timer = clock.setTimeout(tick, input.every)
      sendBack({ type: 'clock.tick', at: clock.now() })
    }
    tick()
    return () => clock.clearTimeout(timer)
  })
