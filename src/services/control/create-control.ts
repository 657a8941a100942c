// Creates a control handle; the implementation loads on the first `open()`.
import type { ClientControl, Steered, SystemRegistry } from '../runtime/index.ts'
import type { Control } from './control.ts'
import { ControlPoint } from './control-point.ts'
import type { ControlClock } from './control-clock.ts'

/** Option that makes a system controllable. */
export interface ControlHandle extends ClientControl {
  /** Clock for a system that is not a client. */
  readonly clock: ControlClock
  /** Attaches a system that is not a client, before it starts. Returns its argument with a wrapped `send`. */
  attach<S extends Steered>(steered: S): S
  /** Known machine logic, by system name. */
  readonly systems: SystemRegistry
  /** Loads the implementation and connects it. Returns the same control every time. */
  open(): Promise<Control>
}

/**
 * Makes a client controllable: `createChartroomClient({ url, key, control })`, then `await control.open()`.
 * Costs almost nothing until it is opened. Use one control per client.
 */
export function createControl(): ControlHandle {
  const point = new ControlPoint()
  let opened: Promise<Control> | undefined
  return {
    get clock() {
      return point.clock
    },
    get systems() {
      return point.steered?.systems ?? {}
    },
    world: world => point.world(world),
    attach: steered => point.attach(steered),
    open: () => (opened ??= import('./open-control.ts').then(({ openControl }) => openControl(point))),
  }
}
