// A table of the backend as a TanStack DB collection: rows as the signed-in user, followed by realtime, and writes that
// are sent at once or stored in an outbox first.
import type { CollectionConfig, InferSchemaOutput, PendingMutation } from '@tanstack/db'
import { type ChannelStatus, type ChartroomClient, identityIn } from '../client/index.ts'
import { disposed, SIGNED_OUT, noSession, type RowsStatus } from '../../machines/index.ts'
import { createEntropy, RequestError } from '../runtime/index.ts'
import { type CollectionRows, startCollectionRows } from './collection-rows.ts'
import { type CreateActor, withoutRecording } from './run-machine.ts'
import { sendWrite } from './send-write.ts'
import type { Row, TableAddress, Write } from './stored-write.ts'
import { createSyncedRows, type SyncedRows } from './synced-rows.ts'

/** Names of the tables of a generated `Database` type. */
type TableNames<Database> = Database extends { public: { Tables: infer Tables } }
  ? keyof Tables & string
  : string

/** Row of a table of a generated `Database` type. */
type RowOf<Database, Table> = Database extends { public: { Tables: infer Tables } }
  ? Table extends keyof Tables
    ? Tables[Table] extends { Row: infer R extends object }
      ? R
      : Record<string, unknown>
    : Record<string, unknown>
  : Record<string, unknown>

interface SchemaIssue {
  readonly message: string
}

/** A schema of any library that implements Standard Schema 1. */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult | Promise<SchemaResult>
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined
  }
}
type SchemaResult =
  { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] }

/** Which rows a collection has, and how they are read and written. */
export interface ChartroomCollectionConfig<
  Database,
  Table extends TableNames<Database>,
  TSchema extends StandardSchema = never,
> {
  readonly client: ChartroomClient<Database>
  readonly table: Table
  /** Schema of the database with the table; defaults to `public`. */
  readonly dbSchema?: string
  /** Columns of the primary key; defaults to `id`. The app makes the key of a new row, for example by `crypto.randomUUID()`. */
  readonly primaryKey?: string | readonly string[]
  /**
   * A column that changes with each change of a row, such as `updated_at` set by a trigger: an update or delete of a row
   * that has changed since becomes a conflict. Without it, an update compares the columns that it changes, and a delete
   * nothing.
   */
  readonly version?: string
  /** Shows only some rows: a condition on one column, as in realtime, like `project=eq.7`. */
  readonly filter?: string
  /**
   * `user`, the default, requires a session: while signed out, the collection is empty and writes fail. `public` reads and
   * writes with the API key alone, for any user.
   */
  readonly access?: 'user' | 'public'
  /** A Standard Schema that validates and transforms rows that the app writes. */
  readonly schema?: TSchema
  /** Id of the collection; defaults to the table with its filter. */
  readonly id?: string
  /** Milliseconds without subscribers after which the rows are dropped; see TanStack DB. */
  readonly gcTime?: number
  /** Loads the rows before the first subscriber. */
  readonly startSync?: boolean
  /** `record` or `attach` of `@chartroom/devtools`: records the machine that reads and follows the rows. */
  readonly record?: CreateActor
}

/** Status of a collection's rows. */
export interface CollectionStatus extends RowsStatus {
  /** Whether changes of the table arrive; absent while it is not followed. */
  readonly changes?: ChannelStatus
}

/** The methods at `collection.utils`. */
export interface ChartroomCollectionUtils {
  [name: string]: unknown
  status(): CollectionStatus
  /** Calls the listener after each change of the status. */
  onStatus(listener: () => void): () => void
  /** Reads the rows again. */
  reload(): void
}

/** What an outbox needs of a collection. */
export interface CollectionLink {
  readonly client: object
  readonly address: TableAddress
  readonly isPublic: boolean
  readonly synced: SyncedRows
  readonly keyOf: (row: Row) => string | number
  /** Stores a write instead of sending it at once. */
  store: ((mutation: PendingMutation, write: Write, userId: string) => Promise<void>) | undefined
}

const LINK = Symbol('chartroom')

/** The link of a collection that was made with `chartroomCollectionOptions`. */
export const linkOf = (utils: object): CollectionLink | undefined =>
  (utils as { readonly [LINK]?: CollectionLink })[LINK]

type SchemaOption<TSchema> = [TSchema] extends [never]
  ? { readonly schema?: never }
  : { readonly schema: TSchema }

type Item<Database, Table, TSchema extends StandardSchema> = [TSchema] extends [never]
  ? RowOf<Database, Table>
  : InferSchemaOutput<TSchema>

/**
 * Options for `createCollection` of `@tanstack/db` that show a table of the backend. Rows are requested once the session
 * is known, as its user, and follow changes over realtime; after a gap they are read again.
 *
 * Writes are sent at once, and fail with the reason if the backend refuses them or the row has changed since. After
 * `startOutbox` they are stored first.
 */
export function chartroomCollectionOptions<
  Database,
  Table extends TableNames<Database>,
  TSchema extends StandardSchema = never,
>(
  config: ChartroomCollectionConfig<Database, Table, TSchema>,
): CollectionConfig<Item<Database, Table, TSchema>, string | number, TSchema, ChartroomCollectionUtils> & {
  readonly utils: ChartroomCollectionUtils
} & SchemaOption<TSchema> {
  const { table, dbSchema = 'public', primaryKey = 'id', version, filter, access = 'user' } = config
  const client = config.client as ChartroomClient
  const columns = typeof primaryKey === 'string' ? [primaryKey] : primaryKey
  const address: TableAddress = { table, schema: dbSchema, primaryKey: columns, version }
  const isPublic = access === 'public'
  const keyOf = (row: Row): string | number => {
    const [firstKey, ...moreKeys] = columns.map(column => row[column] as string | number)
    return moreKeys.length === 0 ? (firstKey as string | number) : JSON.stringify([firstKey, ...moreKeys])
  }
  const synced = createSyncedRows(keyOf)
  const entropy = createEntropy()
  let rows: CollectionRows | undefined

  const link: CollectionLink = { client, address, isPublic, synced, keyOf, store: undefined }

  const save = async ({
    transaction,
  }: {
    readonly transaction: { readonly mutations: readonly PendingMutation[] }
  }) => {
    for (const mutation of transaction.mutations) {
      const write = writeOf(address, mutation)
      const userId = isPublic ? SIGNED_OUT : await userOf(client)
      if (link.store) await link.store(mutation, write, userId)
      else await sendNow(write)
    }
  }
  const sendNow = async (write: Write) => {
    const sent = await sendWrite(client, write, { access: isPublic ? 'public' : 'user' })
    if (sent.kind === 'refused' || sent.kind === 'failed') throw new RequestError(sent.failure)
    if (sent.kind === 'asking') throw new RequestError(changedSince(sent.theirs === null))
    if (sent.row) synced.put(sent.row)
    else synced.remove(keyOf(write.original))
  }
  const utils = {
    status(): CollectionStatus {
      const changes = rows?.changes()
      return { ...(rows?.status() ?? { phase: 'waiting' }), ...(changes && { changes }) }
    },
    onStatus: (listener: () => void) => {
      statusListeners.add(listener)
      return () => void statusListeners.delete(listener)
    },
    reload: () => rows?.reload(),
    [LINK]: link,
  }
  const statusListeners = new Set<() => void>()

  const options = {
    id: config.id ?? [dbSchema, table, ...(filter === undefined ? [] : [filter])].join('.'),
    ...(config.schema && { schema: config.schema }),
    ...(config.gcTime !== undefined && { gcTime: config.gcTime }),
    ...(config.startSync !== undefined && { startSync: config.startSync }),
    getKey: keyOf,
    sync: {
      // A response has all columns.
      rowUpdateMode: 'full',
      sync(params: Parameters<SyncedRows['start']>[0]) {
        synced.start(params)
        const started = startCollectionRows({
          ...address,
          client,
          filter,
          isPublic,
          keyOf,
          synced,
          createActor: config.record ?? withoutRecording,
          seed: Math.floor(entropy.random() * 2 ** 32),
        })
        rows = started
        const stop = started.onStatus(() => {
          for (const listener of statusListeners) listener()
        })
        return () => {
          stop()
          started.stop()
          synced.stop()
          rows = undefined
        }
      },
    },
    onInsert: save,
    onUpdate: save,
    onDelete: save,
    utils,
  }
  return options as unknown as ReturnType<typeof chartroomCollectionOptions<Database, Table, TSchema>>
}

function writeOf(address: TableAddress, { type, modified, changes, original }: PendingMutation): Write {
  return {
    ...address,
    kind: type,
    row: defined(modified),
    changes: type === 'update' ? defined(changes) : {},
    original: defined(original),
  }
}

/** Without columns that JSON leaves out. */
const defined = (row: object): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))

const changedSince = (isGone: boolean) =>
  ({
    kind: 'conflict',
    code: 'changed_since',
    message: isGone
      ? 'This row was deleted in the meantime, or is no longer visible.'
      : 'This row was changed in the meantime.',
  }) as const

/** Waits until the session is known. @throws RequestError if no user is signed in */
async function userOf(client: Pick<ChartroomClient, 'status' | 'onStatus'>): Promise<string> {
  const identity = identityIn(client.status()) ?? (await isKnown(client))
  if (identity === SIGNED_OUT) throw new RequestError(noSession)
  return identity
}

const isKnown = (client: Pick<ChartroomClient, 'status' | 'onStatus'>) =>
  new Promise<string>((resolve, reject) => {
    const check = () => {
      const status = client.status()
      const identity = identityIn(status)
      if (identity !== undefined) done(() => resolve(identity))
      else if (status.session.phase === 'disposed') done(() => reject(new RequestError(disposed)))
    }
    const stop = client.onStatus(check)
    const done = (end: () => void) => {
      stop()
      end()
    }
    check()
  })
