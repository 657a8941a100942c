// The ticker: says the time at an even pace, so that machines need no clock of their own.
import { fromCallback, type EventObject } from 'xstate'
import type { TickEvent } from '../machines/ports.ts'
import type { Clock } from './clock.ts'

export const createTickerPort = (clock: Clock) =>
  fromCallback<EventObject, { readonly every: number }, TickEvent>(({ input, sendBack }) => {
    const tick = () => {
      timer = clock.setTimeout(tick, input.every)
      sendBack({ type: 'clock.tick', at: clock.now() })
    }
    let timer = clock.setTimeout(tick, input.every)
    return () => clock.clearTimeout(timer)
  })
