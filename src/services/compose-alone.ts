// One machine alone under a bare parent, which hands it what it is told: for checks of a single machine, and their traces.
import { sendTo, setup, type AnyEventObject, type AnyStateMachine } from 'xstate'
import type { composeMachines } from './compose-client.ts'
import type { workbenchMachines } from './workbench-machines.ts'

export type MachineId = keyof ReturnType<typeof composeMachines> | keyof typeof workbenchMachines

/** Told to the parent from outside. */
export type AloneEvent = { readonly type: 'alone.tell'; readonly event: AnyEventObject }

/** Name under which the traces of a machine alone are known. */
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
      over: { description: 'It came to its end; what is told now reaches nobody.' },
    },
  })
}
