// Makes a control: a seat from the start, and what sits on it when it is first opened.
import type { SystemRegistry } from '../replay/find-system.ts'
import type { Control } from './control.ts'
import { Seat } from './seat.ts'
import type { ClientControl } from './seat.ts'
import type { ControlClock } from './control-clock.ts'
import type { Steered } from './steered.ts'

/** What is given to a system so that it can be driven. */
export interface ControlHandle extends ClientControl {
  /** For a system that is no client: its clock. */
  readonly clock: ControlClock
  /** Takes hold of a system, not started yet, that is no client; gives what it was given. */
  attach<S extends Steered>(steered: S): S
  /** Logic by the names of systems, as far as it was told. */
  readonly systems: SystemRegistry
  /** Loads the rest and takes the seat; the same control every time. */
  open(): Promise<Control>
}

/**
 * Makes a client that can be driven: `createChartroomClient({ url, key, control })`, and then
 * `await control.open()`. Until it is opened it costs next to nothing; one control is for one client.
 */
export function createControl(): ControlHandle {
  const seat = new Seat()
  let opened: Promise<Control> | undefined
  return {
    get clock() {
      return seat.clock
    },
    get systems() {
      return seat.steered?.systems ?? {}
    },
    world: world => seat.world(world),
    attach: steered => seat.attach(steered),
    open: () => (opened ??= import('./control.ts').then(({ Control: Taken }) => new Taken(seat))),
  }
}
