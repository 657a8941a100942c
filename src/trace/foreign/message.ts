// Validates messages of Stately's inspection protocol: `@statelyai/inspect` 0.x as used by XState 5 apps. They
// are untrusted, and may be faulty or hostile.
import type { StateValue, StepRecord } from '../format/records.ts'
import { ActorReference, Opaque, setOwn } from '../codec/values.ts'

/** Limits on what is received and stored. */
export interface ForeignLimits {
  /** Characters of one text message. */
  readonly messageText: number
  /** Number of values in one message, and their nesting; deeper values are cut off. */
  readonly values: number
  readonly depth: number
  /** Characters of a machine's definition, and its number of states. */
  readonly definitionText: number
  readonly states: number
  /** States of all machines together. */
  readonly allStates: number
  readonly actors: number
  /**
   * Maximum number of steps, and their approximate total size in bytes; beyond that, the older half is
   * dropped.
   */
  readonly steps: number
  readonly bytes: number
}

export const FOREIGN_LIMITS: ForeignLimits = {
  messageText: 16 * 2 ** 20,
  values: 400_000,
  depth: 60,
  definitionText: 2 * 2 ** 20,
  states: 3_000,
  allStates: 50_000,
  actors: 50_000,
  steps: 200_000,
  bytes: 256 * 2 ** 20,
}

/** The snapshot of an actor. */
export interface ForeignSnapshot {
  readonly status: StepRecord['status']
  readonly value?: StateValue
  readonly context?: unknown
  readonly output?: unknown
  readonly error?: unknown
}

export type ForeignEvent = StepRecord['event']

interface Base {
  /** Unique only within its process and its lifetime. */
  readonly session: string
  /** Wall-clock milliseconds at which the app wrote the message. */
  readonly at: number | undefined
  /** Approximate size in bytes. */
  readonly size: number
}

/** An actor was created. */
export interface ActorMessage extends Base {
  readonly kind: 'actor'
  readonly name: string
  readonly parent: string | undefined
  /** A machine's config as JSON. */
  readonly definition: string | undefined
  readonly snapshot: ForeignSnapshot
  /** Whether its snapshot has the fields of an observable's. */
  readonly observes: boolean
}

/** An event was sent to an actor. */
export interface EventMessage extends Base {
  readonly kind: 'event'
  readonly event: ForeignEvent
  readonly source: string | undefined
}

/** An actor has processed an event. */
export interface SnapshotMessage extends Base {
  readonly kind: 'snapshot'
  readonly event: ForeignEvent
  readonly snapshot: ForeignSnapshot
}

export type ForeignMessage = ActorMessage | EventMessage | SnapshotMessage

/** A valid message, a protocol message that is not shown, or the reason for a refusal. */
type ReadMessage = ForeignMessage | { readonly kind: 'ignored' } | { readonly refused: string }

const NAME = 500

/** Validates and copies a message; strings are parsed as JSON. Never throws. */
export function readMessage(raw: unknown, limits: ForeignLimits = FOREIGN_LIMITS): ReadMessage {
  try {
    return read(raw, limits)
  } catch (error) {
    if (error instanceof TooLarge) return { refused: error.message }
    return { refused: error instanceof SyntaxError ? 'is not JSON' : 'could not be read' }
  }
}

function read(raw: unknown, limits: ForeignLimits): ReadMessage {
  if (typeof raw === 'string' && raw.length > limits.messageText) return { refused: 'is too long' }
  const { value, size } = plainCopy(typeof raw === 'string' ? JSON.parse(raw) : raw, limits)
  if (size > limits.messageText) return { refused: 'is too long' }
  if (!isRecord(value) || typeof value['type'] !== 'string') return { refused: 'is not an inspection event' }
  const type = value['type']
  const session = value['sessionId']
  if (!['@xstate.actor', '@xstate.event', '@xstate.snapshot'].includes(type))
    return type.startsWith('@xstate.') || type.startsWith('@statelyai.')
      ? { kind: 'ignored' }
      : { refused: 'is not an inspection event' }
  if (typeof session !== 'string' || session === '' || session.length > NAME)
    return { refused: `${type} names no actor` }
  const base = { session, at: timeOf(value['createdAt']), size }
  if (type === '@xstate.actor') return { ...base, ...actorOf(value, session, limits) }
  const event = eventOf(value['event'])
  if (!event) return { refused: `${type} contains no event` }
  if (type === '@xstate.event') return { ...base, kind: 'event', event, source: idOf(value['sourceId']) }
  return { ...base, kind: 'snapshot', event, snapshot: snapshotOf(value['snapshot']) }
}

type ActorFields = Omit<ActorMessage, keyof Base>

function actorOf(
  value: { readonly [key: string]: unknown },
  session: string,
  { definitionText }: ForeignLimits,
): ActorFields {
  const { name, definition, snapshot } = value
  const isText = typeof definition === 'string' && definition.length <= definitionText
  return {
    kind: 'actor',
    name: typeof name === 'string' && name !== '' ? name.slice(0, NAME) : session,
    parent: idOf(value['parentId']),
    definition: isText ? definition : undefined,
    snapshot: snapshotOf(snapshot),
    observes: isRecord(snapshot) && Object.hasOwn(snapshot, '_subscription'),
  }
}

const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= NAME ? value : undefined

/** A string or a number; implausible times are ignored. */
function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return time > 0 && time < 1e14 ? time : undefined
}

function eventOf(value: unknown): ForeignEvent | undefined {
  if (typeof value === 'string') return { type: value.slice(0, NAME) }
  if (!isRecord(value) || typeof value['type'] !== 'string') return undefined
  return { ...value, type: value['type'].slice(0, NAME) }
}

const STATUSES: readonly unknown[] = ['active', 'done', 'error', 'stopped']

function snapshotOf(value: unknown): ForeignSnapshot {
  if (!isRecord(value)) return { status: 'active' }
  const { status } = value
  const state = stateValueOf(value['value'])
  return {
    status: STATUSES.includes(status) ? (status as ForeignSnapshot['status']) : 'active',
    ...(state !== undefined && { value: state }),
    ...(value['context'] !== undefined && { context: value['context'] }),
    ...(value['output'] !== undefined && { output: value['output'] }),
    ...(value['error'] !== undefined && { error: value['error'] }),
  }
}

function stateValueOf(value: unknown): StateValue | undefined {
  if (typeof value === 'string') return value
  if (!isRecord(value)) return undefined
  const entries = Object.entries(value).map(([key, item]) => [key, stateValueOf(item)] as const)
  return entries.every(([, item]) => item !== undefined) ? Object.fromEntries(entries) : undefined
}

/** Whether this is an object with named values. */
export function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Thrown when a message exceeds the limits. */
class TooLarge extends Error {
  override name = 'TooLarge'
}

interface PlainCopy {
  readonly value: unknown
  /** Approximate size in bytes. */
  readonly size: number
}

interface Copying {
  readonly limits: Pick<ForeignLimits, 'values' | 'depth'>
  readonly above: object[]
  values: number
  size: number
}

/**
 * Returns a copy that shares nothing with `raw`.
 * @throws TooLarge if it contains more values than allowed
 */
function plainCopy(raw: unknown, limits: Pick<ForeignLimits, 'values' | 'depth'>): PlainCopy {
  const state: Copying = { limits, above: [], values: 0, size: 0 }
  const value = copy(raw, state)
  return { value, size: state.size }
}

function copy(raw: unknown, state: Copying): unknown {
  state.values += 1
  if (state.values > state.limits.values)
    throw new TooLarge(`contains more than ${state.limits.values.toLocaleString('en')} values`)
  state.size += 8
  if (typeof raw === 'string') {
    state.size += raw.length
    return raw
  }
  if (typeof raw === 'function') return new Opaque('function', raw.name)
  if (typeof raw === 'symbol') return new Opaque('symbol', raw.description ?? '')
  if (typeof raw !== 'object' || raw === null) return raw
  if (state.above.includes(raw)) return new Opaque('cycle')
  if (state.above.length >= state.limits.depth) return new Opaque('deep')
  state.above.push(raw)
  try {
    return copyObject(raw, state)
  } finally {
    state.above.pop()
  }
}

function copyObject(raw: object, state: Copying): unknown {
  if (Array.isArray(raw)) {
    // A sparse array may claim a large length.
    if (raw.length > state.limits.values) throw new TooLarge('holds a list that is too long')
    return Array.from(raw, item => copy(item, state))
  }
  if (raw instanceof Date) return new Date(raw)
  if (raw instanceof Map)
    return new Map(Array.from(raw, ([key, item]) => [copy(key, state), copy(item, state)] as const))
  if (raw instanceof Set) return new Set(Array.from(raw, item => copy(item, state)))
  if (raw instanceof Error) return { name: raw.name, message: raw.message }
  if (raw instanceof ArrayBuffer || ArrayBuffer.isView(raw)) return `${raw.byteLength} bytes`
  const { id } = raw as { readonly id?: unknown }
  // XState serializes an actor in a context like this.
  if (Object.hasOwn(raw, 'xstate$$type') && typeof id === 'string') return new ActorReference(id)
  const out: { [key: string]: unknown } = {}
  for (const key of Object.keys(raw)) {
    state.size += key.length
    setOwn(out, key, copy(Reflect.get(raw, key), state))
  }
  return out
}
