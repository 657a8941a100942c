// The events that each machine of the client takes, as types from which the forms for sending them are made.
import type { EventFromLogic } from 'xstate'
import type { Machines } from './machines.ts'

/** By machine id. */
export type EventsOf = { readonly [Id in keyof Machines]: EventFromLogic<Machines[Id]> }
