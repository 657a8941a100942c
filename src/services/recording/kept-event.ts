// What a log keeps of an event until it is read: the app may change its object, and an error holds on to very much.
import type { AnyEventObject } from 'xstate'
import { errorExtras, errorText, isPlain, makeError, readField } from '../../trace/values.ts'

/**
 * A copy of what the app made itself; nobody else has those that XState makes. Anything may have been sent: what
 * cannot be copied without running code of the app is kept as it is.
 */
export function keptEvent(event: AnyEventObject): AnyEventObject {
  try {
    if (typeof event !== 'object' || event === null || !isPlain(event)) return event
    if (hasGetter(event)) return event
    if (typeof event.type !== 'string' || !event.type.startsWith('xstate.')) return copyOf(event)
    const { data } = event as { readonly data?: unknown }
    return data instanceof Error ? { ...event, data: keptError(data) } : event
  } catch {
    return event
  }
}

/** What refers to itself stays as it is: in a copy it would refer to another object. */
function copyOf(event: AnyEventObject): AnyEventObject {
  const copy = { ...event }
  for (const key in copy) if (copy[key] === event) return event
  return copy
}

/** Types of events without a getter: to look at every property takes ten times as long as the copy. */
const plainTypes = new Set<string>()
const MOST_TYPES = 1000

/** A getter would run when its event is copied. */
function hasGetter(event: AnyEventObject): boolean {
  if (plainTypes.has(event.type)) return false
  for (const key in event) if (Object.getOwnPropertyDescriptor(event, key)?.get !== undefined) return true
  if (plainTypes.size < MOST_TYPES && typeof event.type === 'string') plainTypes.add(event.type)
  return false
}

/** The same error without its stack, whose frames would keep alive all actors that were at work when it was thrown. */
function keptError(error: Error): Error {
  if (error instanceof AggregateError) return error
  const cause = Object.hasOwn(error, 'cause') ? { value: readField(error, 'cause') } : undefined
  const kept = makeError(errorText(error, 'name'), errorText(error, 'message'), cause)
  return Object.assign(kept, Object.fromEntries(errorExtras(error)))
}
