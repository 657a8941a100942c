// Runs one machine under a minimal parent that forwards events to it, for checks and traces of a single
// machine.
import { sendTo, setup, type AnyEventObject, type AnyStateMachine } from 'xstate'
import type { composeMachines } from '../../client/index.ts'
import type { workbenchMachines } from './workbench-machines.ts'

export type MachineId = keyof ReturnType<typeof composeMachines> | keyof typeof workbenchMachines

/** Sent to the parent from outside. */
export type AloneEvent = { readonly type: 'alone.tell'; readonly event: AnyEventObject }

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
