// A running job of the workbench: its machine, recorded separately, as a subscribable object.
import type { AnyStateMachine, EventFromLogic, InputFrom, SnapshotFrom } from 'xstate'
import { attach, type Attached } from '../../control/index.ts'
import type { workbenchMachines } from '../systems/workbench-machines.ts'
import { workbenchSystem } from '../systems/workbench-system.ts'

/** A job as seen by its view. */
export interface Transfer<State, Event, Machine extends AnyStateMachine> {
  readonly state: () => State
  /** Subscribes to changes. @returns an unsubscribe function */
  readonly subscribe: (listener: () => void) => () => void
  readonly send: (event: Event) => void
  /** Stops the job in its current state. */
  readonly stop: () => void
  /** For a separate console. */
  readonly attached: Pick<Attached<Machine>, 'recording' | 'control'>
}

interface Begun<Machine extends AnyStateMachine, State> {
  readonly input: InputFrom<Machine>
  /** Selects the parts of a snapshot for the view. */
  readonly look: (snapshot: SnapshotFrom<Machine>) => State
}

/** Starts a job. */
export function beginTransfer<Machine extends AnyStateMachine, State>(
  id: keyof typeof workbenchMachines,
  machine: Machine,
  { input, look }: Begun<Machine, State>,
): Transfer<State, EventFromLogic<Machine>, Machine> {
  const { actor, recording, control } = attach(machine, { input, system: workbenchSystem(id) })
  const listeners = new Set<() => void>()
  let state = look(actor.getSnapshot())
  actor.subscribe(snapshot => {
    state = look(snapshot)
    for (const listener of listeners) listener()
  })
  actor.start()
  return {
    state: () => state,
    subscribe: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    send: event => actor.send(event),
    stop: () => void actor.stop(),
    attached: { recording, control },
  }
}
