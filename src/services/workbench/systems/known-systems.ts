// The systems that can be replayed, by the name in a trace's header.
import { type AnyStateMachine, sendTo, setup, type AnyEventObject } from 'xstate'
import { CLIENT_SYSTEM, composeClient, declaredPorts } from '../../client/index.ts'
import type { Spec } from '../../../machines/index.ts'
import { type MachineId, specs, type WorkbenchId, workbenchSpecs } from '../../../machines/specs.ts'
import type { ComposeSystem } from '../../runtime/index.ts'
import { workbenchSystem } from './workbench-system.ts'

/** Sent to the parent from outside. */
type AloneEvent = { readonly type: 'alone.tell'; readonly event: AnyEventObject }

/** System name in traces of a single machine. */
export const aloneSystem = <Id extends MachineId>(id: Id) => `chartroom/${id}` as const

export function composeAlone(machine: AnyStateMachine): AnyStateMachine {
  return setup({
    types: { context: {} as { input: unknown }, events: {} as AloneEvent, input: {} as unknown },
    actors: { machine },
    actions: { tell: sendTo('machine', (_, params: { event: AnyEventObject }) => params.event) },
  }).createMachine({
    id: 'alone',
    context: ({ input }) => ({ input }),
    initial: 'running',
    states: {
      running: {
        invoke: {
          id: 'machine',
          src: 'machine',
          input: ({ context }: { context: { input: unknown } }) => context.input,
          onDone: 'over',
        },
        on: { 'alone.tell': { actions: { type: 'tell', params: ({ event }) => event } } },
      },
      over: { description: 'The machine has ended; further events have no effect.' },
    },
  })
}

type SystemName =
  | typeof CLIENT_SYSTEM
  | `${typeof CLIENT_SYSTEM}/${Exclude<MachineId, 'client'>}`
  | ReturnType<typeof workbenchSystem<WorkbenchId>>

const known = {} as Record<SystemName, ComposeSystem>
for (const [id, { machine }] of Object.entries<Spec>(specs))
  if (id !== 'client') known[aloneSystem(id as Exclude<MachineId, 'client'>)] = () => composeAlone(machine)
for (const [id, { machine }] of Object.entries<Spec>(workbenchSpecs))
  known[workbenchSystem(id as WorkbenchId)] = () => machine
known[CLIENT_SYSTEM] = () => composeClient(declaredPorts)

/**
 * The systems that this build can replay, by the name in a trace's header: the client, the workbench's own
 * systems, and each machine alone.
 */
export const systems: Readonly<typeof known> = known
