// Events as records hold them: always fields with a `type`, whatever was sent.
import { encodeValue } from './codec.ts'
import type { Json } from './json.ts'
import { isPlain } from './values.ts'

/** An event as a record holds it. */
export type EventFields = { readonly type: string } & Readonly<Record<string, unknown>>

/** Type of a record's event where what was sent has no form as fields with a type; `value` holds what was sent. */
export const ODD_EVENT = 'chartroom.notAnEvent'

/** Takes the place of `undefined` where that was sent: steps without an event are those of being stopped. */
export const UNDEFINED_EVENT: EventFields = { type: ODD_EVENT, value: undefined }

/** The type of an event, when it has one that is text. Never throws. */
export function typeOf(event: unknown): string | undefined {
  try {
    const { type } = event as { readonly type?: unknown }
    return typeof type === 'string' ? type : undefined
  } catch {
    return undefined
  }
}

/** The event of a record, made from its plain form; `type` is the plain form of its type. Never throws. */
export function eventFields(plain: unknown, type: () => string | undefined): EventFields {
  if (hasOwnType(plain)) return plain
  const json = encodeValue(plain)
  const found = isFields(json) ? type() : undefined
  // An event of a class may have its type from there.
  return found === undefined ? { type: ODD_EVENT, value: plain } : { ...(plain as object), type: found }
}

/** What was sent, of the event of a record. */
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

function isFields(json: Json): boolean {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && !Object.hasOwn(json, '$')
}
