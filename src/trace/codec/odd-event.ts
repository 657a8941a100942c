// Events in records: always fields with a `type`, whatever was sent.
import { ActorReference, isPlain, Opaque } from './values.ts'
import { webContent } from './web-values.ts'

/** An event in a record. */
export type EventFields = { readonly type: string } & Readonly<Record<string, unknown>>

/**
 * Event type in a record for sent values without a form as fields with a type; `value` contains what was
 * sent.
 */
export const ODD_EVENT = 'chartroom.notAnEvent'

/** Represents a sent `undefined`, since steps without an event are stops. */
export const UNDEFINED_EVENT: EventFields = { type: ODD_EVENT, value: undefined }

/** Returns the type of an event if it is a string. Never throws. */
export function typeOf(event: unknown): string | undefined {
  try {
    const { type } = event as { readonly type?: unknown }
    return typeof type === 'string' ? type : undefined
  } catch {
    return undefined
  }
}

/**
 * Creates the event of a record from its plain form; `type` returns the plain form of its type. Never throws.
 */
export function eventFields(plain: unknown, type: () => string | undefined): EventFields {
  if (hasOwnType(plain)) return plain
  const found = isFields(plain) ? type() : undefined
  // An event that is a class instance may inherit its type.
  return found === undefined ? { type: ODD_EVENT, value: plain } : { ...(plain as object), type: found }
}

/** Returns what was sent, from the event of a record. */
export function sentEvent(event: unknown): unknown {
  return typeOf(event) === ODD_EVENT ? (event as { readonly value?: unknown }).value : event
}

function hasOwnType(plain: unknown): plain is EventFields {
  try {
    if (typeof plain !== 'object' || plain === null || !isPlain(plain)) return false
    return Object.hasOwn(plain, 'type') && typeOf(plain) !== undefined
  } catch {
    return false
  }
}

const NO_FIELDS = [Array, Date, Error, Map, Set, ArrayBuffer, Opaque, ActorReference]

/** Whether a value is written as fields, without a tag. */
function isFields(value: unknown): boolean {
  try {
    if (typeof value !== 'object' || value === null || Object.hasOwn(value, '$')) return false
    return !NO_FIELDS.some(type => value instanceof type) && !ArrayBuffer.isView(value) && !webContent(value)
  } catch {
    return false
  }
}
