// The systems that can be replayed, by the name in a trace's header.
import { type AnyStateMachine, sendTo, setup, type AnyEventObject } from 'xstate'
import { CLIENT_SYSTEM, composeClient, composeMachines, declaredPorts } from '../../client/index.ts'
import { reportDeliveryMachine, reporterMachine } from '../../../machines/index.ts'
import type { ComposeSystem } from '../../runtime/index.ts'
import { workbenchMachines } from './workbench-machines.ts'
import { workbenchSystem } from './workbench-system.ts'

/** Machines of reports, which run next to a client. */
const reportMachines = { reporter: reporterMachine, reportDelivery: reportDeliveryMachine } as const

export type MachineId =
  keyof ReturnType<typeof composeMachines> | keyof typeof reportMachines | keyof typeof workbenchMachines

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

const { client: _, ...parts } = composeMachines(declaredPorts)
const alone = { ...parts, ...reportMachines, ...workbenchMachines }
type WorkbenchId = keyof typeof workbenchMachines
type SystemName =
  | typeof CLIENT_SYSTEM
  | `${typeof CLIENT_SYSTEM}/${Exclude<MachineId, 'client'>}`
  | ReturnType<typeof workbenchSystem<WorkbenchId>>

const known = {} as Record<SystemName, ComposeSystem>
known[CLIENT_SYSTEM] = () => composeClient(declaredPorts)
for (const id of Object.keys(alone) as (keyof typeof alone)[])
  known[aloneSystem(id)] = () => composeAlone(alone[id] as unknown as AnyStateMachine)
for (const id of Object.keys(workbenchMachines) as WorkbenchId[])
  known[workbenchSystem(id)] = () => workbenchMachines[id] as unknown as AnyStateMachine

/**
 * The systems that this build can replay, by the name in a trace's header: the client, the workbench's own
 * systems, and each machine alone.
 */
export const systems: Readonly<typeof known> = known
