// Work of the workbench under way: its machine, recorded on its own, as something that can be watched and told.
import type { AnyStateMachine, EventFromLogic, InputFrom, SnapshotFrom } from 'xstate'
import { attach, type Attached } from '../attach.ts'
import type { workbenchMachines } from '../workbench-machines.ts'
import { workbenchSystem } from '../workbench-system.ts'

/** What runs, as its view sees it. */
export interface Transfer<State, Event, Machine extends AnyStateMachine> {
  readonly state: () => State
  /** Tells of each change. @returns what ends that. */
  readonly subscribe: (listener: () => void) => () => void
  readonly send: (event: Event) => void
  /** Gives it up where it is. */
  readonly stop: () => void
  /** For a console of its own. */
  readonly attached: Pick<Attached<Machine>, 'recording' | 'control'>
}

interface Begun<Machine extends AnyStateMachine, State> {
  readonly input: InputFrom<Machine>
  /** What of a snapshot its view may know. */
  readonly look: (snapshot: SnapshotFrom<Machine>) => State
}

/** Begins it. */
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
