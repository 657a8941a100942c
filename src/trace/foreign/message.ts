// The messages of Stately's inspection protocol, checked: `@statelyai/inspect` 0.x as XState 5 apps speak it.
import type { StateValue, ViewRecord } from '../format.ts'
import { FOREIGN_LIMITS, type ForeignLimits } from './limits.ts'
import { plainCopy, TooLarge } from './plain-copy.ts'

/** What an actor is in. */
export interface ForeignSnapshot {
  readonly status: ViewRecord['status']
  readonly value?: StateValue
  readonly context?: unknown
  readonly output?: unknown
  readonly error?: unknown
}

export type ForeignEvent = ViewRecord['event']

interface Base {
  /** Unique in its process alone, and only as long as that runs. */
  readonly session: string
  /** Wall-clock milliseconds at which the app wrote the message. */
  readonly at: number | undefined
  /** Roughly, in bytes. */
  readonly size: number
}

/** An actor was made. */
export interface ActorMessage extends Base {
  readonly kind: 'actor'
  readonly name: string
  readonly parent: string | undefined
  /** A machine's config as JSON. */
  readonly definition: string | undefined
  readonly snapshot: ForeignSnapshot
  /** Whether its snapshot has the parts of an observable's. */
  readonly observes: boolean
}

/** An actor was sent an event. */
export interface EventMessage extends Base {
  readonly kind: 'event'
  readonly event: ForeignEvent
  readonly source: string | undefined
}

/** An actor has taken an event. */
export interface SnapshotMessage extends Base {
  readonly kind: 'snapshot'
  readonly event: ForeignEvent
  readonly snapshot: ForeignSnapshot
}

export type ForeignMessage = ActorMessage | EventMessage | SnapshotMessage

/** A message, something that is of the protocol but tells nothing that is shown, or why it was refused. */
export type ReadMessage = ForeignMessage | { readonly kind: 'ignored' } | { readonly refused: string }

const NAME = 500

/** Checks and copies what came; text is taken as JSON. Never throws. */
export function readMessage(raw: unknown, limits: ForeignLimits = FOREIGN_LIMITS): ReadMessage {
  try {
    return read(raw, limits)
  } catch (error) {
    if (error instanceof TooLarge) return { refused: error.message }
    return { refused: error instanceof SyntaxError ? 'is no JSON' : 'could not be read' }
  }
}

function read(raw: unknown, limits: ForeignLimits): ReadMessage {
  if (typeof raw === 'string' && raw.length > limits.messageText) return { refused: 'is too long' }
  const { value, size } = plainCopy(typeof raw === 'string' ? JSON.parse(raw) : raw, limits)
  if (size > limits.messageText) return { refused: 'is too long' }
  if (!isRecord(value) || typeof value['type'] !== 'string') return { refused: 'is no inspection event' }
  const type = value['type']
  const session = value['sessionId']
  if (!['@xstate.actor', '@xstate.event', '@xstate.snapshot'].includes(type))
    return type.startsWith('@xstate.') || type.startsWith('@statelyai.')
      ? { kind: 'ignored' }
      : { refused: 'is no inspection event' }
  if (typeof session !== 'string' || session === '' || session.length > NAME)
    return { refused: `${type} names no actor` }
  const base = { session, at: timeOf(value['createdAt']), size }
  if (type === '@xstate.actor') return { ...base, ...actorOf(value, session, limits) }
  const event = eventOf(value['event'])
  if (!event) return { refused: `${type} holds no event` }
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

/** As text or a number; anything that is no time of this age is none. */
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

/** Whether this is an object that holds values by name. */
export function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
