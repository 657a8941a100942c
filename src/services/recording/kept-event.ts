// What a log keeps of an event until it is read: the app may change its object, and an error holds on to very much.
import type { AnyEventObject } from 'xstate'
import { errorExtras, makeError } from '../../trace/values.ts'

/** A copy of what the app made itself; nobody else has those that XState makes. */
export function keptEvent(event: AnyEventObject): AnyEventObject {
  const { type } = event
  if (!type.startsWith('xstate.')) return isPlain(event) ? { ...event } : event
  const { data } = event as { readonly data?: unknown }
  return data instanceof Error ? { ...event, data: keptError(data) } : event
}

/** The same error without its stack, whose frames would keep alive all actors that were at work when it was thrown. */
function keptError(error: Error): Error {
  if (error instanceof AggregateError) return error
  const { name, message } = error
  const cause = Object.hasOwn(error, 'cause') ? { value: error.cause } : undefined
  return Object.assign(makeError(name, message, cause), Object.fromEntries(errorExtras(error)))
}

function isPlain(event: object): boolean {
  return Object.getPrototypeOf(event) === Object.prototype
}
