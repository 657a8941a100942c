// Keeps events as they are when they are sent: the app may change and reuse them.
import type { AnyEventObject } from 'xstate'
import { errorExtras, errorText, isPlain, makeError, readField } from '../../trace/index.ts'

/** The keys of a type's events, in order. */
class Shape {
  readonly #keys: readonly string[]

  constructor(keys: readonly string[]) {
    this.#keys = keys
  }

  get keys(): readonly string[] {
    return this.#keys
  }

  /** Recognizes shapes; `instanceof` would run the traps of a proxy that is an event. */
  static is(value: unknown): value is Shape {
    return typeof value === 'object' && value !== null && #keys in value
  }
}

/**
 * Event types of which one event had neither getters nor symbol keys, with that event's keys. Checking each
 * event takes longer than copying it.
 */
const shapes = new Map<string, Shape>()
const MOST_TYPES = 1000

/** Whether this refers to an event that is kept as values, so that it contains no objects. */
export function isFlat(reference: unknown): boolean {
  return Shape.is(reference)
}

/** Events with more fields are copied. */
const MOST_KEYS = 16

/** Number of values in a chunk. */
const SIZE = 4096

/** Values of events. No event is spread over two chunks. */
interface Chunk {
  readonly values: unknown[]
  /** Number of values in use. */
  used: number
}

const NONE: Chunk = { values: [], used: 0 }

/**
 * Keeps events in the order in which they were sent, and returns each once, in the same order. Events without
 * objects are kept as values in long lists: most of what a recording costs is the garbage collector's moving
 * of objects that stay. Other events of the app are copied one level deep.
 */
export class KeptEvents {
  readonly #chunks: Chunk[] = []
  #writing = NONE
  #reading = NONE
  #read = 0

  /** Returns the reference by which `take` finds the event, if there is one. */
  put(event: AnyEventObject | undefined): unknown {
    try {
      if (typeof event !== 'object' || event === null || !isPlain(event)) return event
      const shape = shapes.get(event.type) ?? learned(event)
      if (!shape) return event
      return this.#store(event, shape.keys) ? shape : toKept(event)
    } catch {
      return event
    }
  }

  take(reference: unknown): AnyEventObject | undefined {
    if (!Shape.is(reference)) return reference as AnyEventObject | undefined
    if (this.#read === this.#reading.used) {
      this.#reading = this.#chunks.shift() ?? NONE
      this.#read = 0
    }
    const event: Record<string, unknown> = {}
    for (const key of reference.keys) event[key] = this.#reading.values[this.#read++]
    return event as AnyEventObject
  }

  /** Returns false, and stores nothing, if the event has other keys or contains objects. */
  #store(event: AnyEventObject, keys: readonly string[]): boolean {
    if (this.#writing.used + keys.length > this.#writing.values.length) this.#grow()
    const { values, used } = this.#writing
    let count = 0
    for (const key in event) {
      if (key !== keys[count]) return false
      const value: unknown = event[key]
      if (typeof value === 'object' ? value !== null : typeof value === 'function') return false
      values[used + count] = value
      count += 1
    }
    if (count === 0 || count !== keys.length) return false
    this.#writing.used += count
    return true
  }

  #grow(): void {
    const size = this.#writing === NONE ? MOST_KEYS * 4 : SIZE
    this.#writing = { values: Array.from({ length: size }), used: 0 }
    this.#chunks.push(this.#writing)
  }
}

/** Returns the shape of events of a new type, or undefined if the event cannot be copied. */
function learned(event: AnyEventObject): Shape | undefined {
  for (const key in event)
    if (Object.getOwnPropertyDescriptor(event, key)?.get !== undefined) return undefined
  const keys = Object.keys(event)
  const isFlat =
    keys.length <= MOST_KEYS &&
    !keys.includes('__proto__') &&
    Object.getOwnPropertySymbols(event).length === 0
  const shape = new Shape(isFlat ? keys : [])
  if (shapes.size < MOST_TYPES && typeof event.type === 'string') shapes.set(event.type, shape)
  return shape
}

/** Returns what is kept of an event that contains objects. Events that XState creates are not shared. */
function toKept(event: AnyEventObject): AnyEventObject {
  if (typeof event.type !== 'string' || !event.type.startsWith('xstate.')) return copyOf(event)
  const { data } = event as { readonly data?: unknown }
  return data instanceof Error ? { ...event, data: keptError(data) } : event
}

/**
 * Returns the event that starts an actor, with a copy of its input if that contains no objects: the actor's code
 * may change it in place, such as by sorting a list.
 */
export function withKeptInput(event: AnyEventObject): AnyEventObject {
  try {
    if (event.type !== 'xstate.init') return event
    const { input } = event as { readonly input?: unknown }
    if (typeof input !== 'object' || input === null) return event
    const list: readonly unknown[] | undefined = Array.isArray(input) ? input : undefined
    if (list ? list.length > MOST_KEYS : !isPlain(input)) return event
    const keys = Object.keys(input)
    const isKept =
      keys.length <= MOST_KEYS &&
      keys.every(key => {
        const field = Object.getOwnPropertyDescriptor(input, key)
        return !field?.get && (typeof field?.value !== 'object' || field.value === null)
      }) &&
      Object.getOwnPropertySymbols(input).length === 0
    return isKept ? { ...event, input: list ? [...list] : { ...input } } : event
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
