// Copies events for a log, because the app may mutate them and errors retain a lot of memory.
import type { AnyEventObject } from 'xstate'
import { errorExtras, errorText, isPlain, makeError, readField } from '../../trace/index.ts'

/**
 * Copies an event created by the app; events created by XState are not shared. What cannot be copied without
 * running app code is stored as it is.
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

/** An event that refers to itself is not copied: the copy would refer to the original. */
function copyOf(event: AnyEventObject): AnyEventObject {
  const copy = { ...event }
  for (const key in copy) if (copy[key] === event) return event
  return copy
}

/** Event types without getters. Checking every property takes ten times as long as copying. */
const plainTypes = new Set<string>()
const MOST_TYPES = 1000

/** Copying an event would run its getters. */
function hasGetter(event: AnyEventObject): boolean {
  if (plainTypes.has(event.type)) return false
  for (const key in event) if (Object.getOwnPropertyDescriptor(event, key)?.get !== undefined) return true
  if (plainTypes.size < MOST_TYPES && typeof event.type === 'string') plainTypes.add(event.type)
  return false
}

/**
 * Returns the error without its stack, whose frames would retain all actors that were active when it was
 * thrown.
 */
function keptError(error: Error): Error {
  if (error instanceof AggregateError) return error
  const cause = Object.hasOwn(error, 'cause') ? { value: readField(error, 'cause') } : undefined
  const kept = makeError(errorText(error, 'name'), errorText(error, 'message'), cause)
  return Object.assign(kept, Object.fromEntries(errorExtras(error)))
}
