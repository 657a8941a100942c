// Types of the events that each client machine accepts; the forms for sending them are generated from these
// types.
import type { EventFromLogic } from 'xstate'
import type { Machines } from './machines.ts'

/** By machine id. */
export type EventsOf = { readonly [Id in keyof Machines]: EventFromLogic<Machines[Id]> }
