// The configuration in a join request. As in the original, invalid values count as absent.
import { fieldOf, textOf } from '../shared/fields.ts'

/** One requested row change. */
export interface ChangeRequest {
  readonly event: string
  readonly schema: string
  readonly table?: string | undefined
  readonly filter?: string | undefined
  readonly select?: readonly string[] | undefined
}

export interface AskedChange {
  /** The client's original request, which the response repeats. */
  readonly rawConfig: Readonly<Record<string, unknown>>
  /** `undefined` if it is invalid. */
  readonly request: ChangeRequest | undefined
}

/** A requested change, with the id that its messages carry. */
export type NumberedChange = AskedChange & { readonly id: number }

export interface JoinConfig {
  readonly ack: boolean
  readonly self: boolean
  readonly presenceKey: string | undefined
  readonly presenceEnabled: boolean
  readonly changes: readonly AskedChange[]
  readonly isPrivate: boolean
  readonly accessToken: string | undefined
  /** Requests a message once database broadcasts are active. */
  readonly replicationReady: boolean
  readonly replay: { readonly since: unknown; readonly limit: unknown } | undefined
}

/** Parses a `phx_join` payload; throws like the original, with a message for the client. */
export function readJoin(payload: unknown): JoinConfig {
  if (!isRecord(payload)) throw new TypeError('The payload of a join must be an object')
  const config = fieldOf(payload, 'config')
  const broadcast = fieldOf(config, 'broadcast')
  const presence = fieldOf(config, 'presence')
  const replay = fieldOf(broadcast, 'replay')
  return {
    ack: readFlag(fieldOf(broadcast, 'ack')) ?? false,
    self: readFlag(fieldOf(broadcast, 'self')) ?? false,
    presenceKey: readKey(fieldOf(presence, 'key')),
    // Clients older than this flag omit it and expect presence.
    presenceEnabled: readFlag(fieldOf(presence, 'enabled')) ?? true,
    changes: readChanges(fieldOf(config, 'postgres_changes')),
    isPrivate: readFlag(fieldOf(config, 'private')) ?? false,
    accessToken: textOf(payload, 'user_token') ?? textOf(payload, 'access_token'),
    replicationReady: Boolean(fieldOf(broadcast, 'replication_ready')),
    replay: replay == null ? undefined : readReplay(replay),
  }
}

const REPLAY_LIMIT = 25

function readReplay(value: unknown): JoinConfig['replay'] {
  return { since: fieldOf(value, 'since'), limit: fieldOf(value, 'limit') ?? REPLAY_LIMIT }
}

function readFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  return word === 'true' || word === 'false' ? word === 'true' : undefined
}

function readKey(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function readChanges(value: unknown): AskedChange[] {
  if (!Array.isArray(value)) return []
  return value
    .filter((change: unknown) => change !== null)
    .map((change: unknown) => {
      if (!isRecord(change)) throw new TypeError('Each postgres_changes entry must be an object')
      return { rawConfig: change, request: readChange(change) }
    })
}

/** A schema without a table means every table in it; a table without a schema means `public`. */
function readChange(change: Readonly<Record<string, unknown>>): ChangeRequest | undefined {
  const { schema, table, filter, select } = change
  const isReadable = [schema, table, filter].every(name => name == null || typeof name === 'string')
  if (!isReadable || (schema == null && table == null) || (filter != null && table == null)) return undefined
  if (select != null && !Array.isArray(select)) return undefined
  const columns = select?.filter((column: unknown) => typeof column === 'string')
  return {
    event: readEvent(change.event),
    schema: textOf(change, 'schema') ?? 'public',
    table: textOf(change, 'table'),
    filter: textOf(change, 'filter'),
    select: columns?.length ? columns : undefined,
  }
}

function readEvent(value: unknown): string {
  const event = typeof value === 'string' ? value.toUpperCase() : '*'
  return ['INSERT', 'UPDATE', 'DELETE'].includes(event) ? event : '*'
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  )
}
