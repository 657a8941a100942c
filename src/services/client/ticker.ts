// The ticker: sends the time immediately and then at a fixed interval, so that machines need no clock.
import { fromCallback, type EventObject } from 'xstate'
import type { TickEvent } from '../../machines/index.ts'
import type { Clock } from '../runtime/index.ts'

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
