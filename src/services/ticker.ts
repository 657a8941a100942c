// The ticker: says the time at once and then at an even pace, so that machines need no clock of their own.
import { fromCallback, type EventObject } from 'xstate'
import type { TickEvent } from '../machines/ports.ts'
import type { Clock } from './clock.ts'

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
