// A session for SQL that a user writes, on a server: a separate connection, which is closed afterwards.
import { connect } from 'node:net'
import pg, { type Connection, type Submittable } from 'pg'
import type { Engine } from '../engine.ts'
import {
  type CancelReason,
  OutcomeReader,
  provideExtensions,
  type SqlField,
  type SqlOutcome,
  type SqlRow,
  type SqlSession,
  type SqlSessionOptions,
} from '../sql-session.ts'
import { type ServerAddress, sessionConfig } from './driver.ts'
import { unreachable } from './unreachable.ts'

/** How long a canceled statement may go on before its connection is closed. */
const GRACE_MS = 2_000
/** A function may catch the error and go on. */
const AGAIN_MS = 500
/** A canceled statement only ended with its session. */
const STUCK_ERROR = {
  code: '57014',
  message: 'canceling statement due to user request',
  hint: 'The statement did not end when it was canceled, so its connection was closed.',
}
const CANCEL_REQUEST = 80_877_102

/** What the types of pg lack. */
type SqlClient = pg.Client & {
  readonly connection: Connection
  readonly processID: number
  readonly secretKey: number
  readonly host: string
  readonly port: number
}

/** @throws UnavailableError if the server can't be reached */
export async function withServerSession<T>(
  {
    address,
    settings,
    engine,
  }: {
    readonly address: ServerAddress
    readonly settings: Readonly<Record<string, string>>
    readonly engine: Pick<Engine, 'extensions'>
  },
  options: SqlSessionOptions,
  work: (session: SqlSession) => Promise<T>,
): Promise<T> {
  const { authenticator } = address
  const user = options.login === 'authenticator' && authenticator !== undefined ? { user: authenticator } : {}
  const config = { ...sessionConfig(address, settings), ...user }
  const client = new pg.Client(config) as SqlClient
  client.on('error', () => undefined)
  await client.connect().catch((error: unknown) => {
    throw unreachable(address.name, error)
  })
  const canceler = watch(client, options, () => terminate(client, config))
  try {
    return await work({
      run: (sql, maxRows) => runStatement(client, engine, sql, maxRows, canceler),
      get canceledBy() {
        return canceler.reason
      },
    })
  } finally {
    canceler.stop()
    await client.end().catch(() => undefined)
  }
}

interface Canceler {
  readonly reason: CancelReason | undefined
  readonly cancel: (reason: CancelReason) => void
  stop(): void
}

function watch(
  client: SqlClient,
  { signal, limitMs }: SqlSessionOptions,
  terminate: () => Promise<void>,
): Canceler {
  let reason: CancelReason | undefined
  let retryTimer: NodeJS.Timeout | undefined
  let end: NodeJS.Timeout | undefined
  const cancel = (cancelReason: CancelReason) => {
    if (reason !== undefined) return
    reason = cancelReason
    sendCancel(client)
    retryTimer = setInterval(() => sendCancel(client), AGAIN_MS)
    end = setTimeout(() => void terminate(), GRACE_MS)
  }
  const onAbort = () => cancel('user')
  const limit = setTimeout(() => cancel('timeLimit'), limitMs)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort)
  return {
    get reason() {
      return reason
    },
    cancel,
    stop() {
      signal.removeEventListener('abort', onAbort)
      for (const timer of [retryTimer, end, limit]) clearTimeout(timer)
    },
  }
}

/** Is sent over a separate connection, without a password or encryption. */
function sendCancel({ host, port, processID, secretKey }: SqlClient): void {
  const message = Buffer.alloc(16)
  for (const [at, value] of [16, CANCEL_REQUEST, processID, secretKey].entries())
    message.writeInt32BE(value, at * 4)
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  socket.on('error', () => undefined)
  socket.end(message)
}

/** Ends the session's process, which its user may; and the connection, as the server may not be reached. */
async function terminate(client: SqlClient, config: pg.ClientConfig): Promise<void> {
  const cancelClient = new pg.Client(config)
  cancelClient.on('error', () => undefined)
  try {
    await cancelClient.connect()
    await cancelClient.query('select pg_terminate_backend($1)', [client.processID])
    await cancelClient.end()
  } catch {
    // The connection is closed below.
  }
  client.connection.stream.destroy()
}

async function runStatement(
  client: SqlClient,
  engine: Pick<Engine, 'extensions'>,
  sql: string,
  maxRows: number,
  canceler: Canceler,
): Promise<SqlOutcome> {
  const text = await provideExtensions(engine, sql)
  const reader = new OutcomeReader(maxRows, () => canceler.cancel('size'), text === sql)
  const onNotice = (notice: object) => reader.notice(notice)
  client.on('notice', onNotice)
  try {
    const statement = new PortalStatement(text, maxRows, reader, () => canceler.reason !== undefined)
    client.query(statement)
    return await statement.done
  } finally {
    client.off('notice', onNotice)
  }
}

/** Why the connection has ended. */
function lossOf(error: unknown, isCanceled: boolean) {
  if (isCanceled) return STUCK_ERROR
  const message = error instanceof Error ? error.message : 'The connection has ended.'
  return { code: '08006', message }
}

/** A statement of which only some rows are read. */
class PortalStatement implements Submittable {
  readonly done: Promise<SqlOutcome>
  readonly #isCanceled: () => boolean
  readonly #sql: string
  readonly #maxRows: number
  readonly #reader: OutcomeReader
  readonly #resolve: (outcome: SqlOutcome) => void

  /** @param isCanceled whether PostgreSQL was asked to cancel */
  constructor(sql: string, maxRows: number, reader: OutcomeReader, isCanceled: () => boolean) {
    this.#isCanceled = isCanceled
    this.#sql = sql
    this.#maxRows = maxRows
    this.#reader = reader
    const { promise, resolve } = Promise.withResolvers<SqlOutcome>()
    this.done = promise
    this.#resolve = resolve
  }

  submit(connection: Connection): void {
    // After an error, pg does not report this to the statement.
    connection.once('readyForQuery', ({ status }: { readonly status: string }) => {
      this.#reader.ready(status)
      this.#resolve(this.#reader.end())
    })
    connection.stream.cork()
    connection.parse({ name: '', text: this.#sql, types: [] }, true)
    connection.bind({}, true)
    connection.describe({ type: 'P', name: '' }, true)
    // The additional row shows whether there are more.
    connection.execute({ rows: String(this.#maxRows + 1) }, true)
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }): void {
    this.#reader.describe(
      fields.map(({ name, tableID, columnID, dataTypeID, dataTypeModifier }): SqlField => ({
        name,
        tableId: tableID,
        columnId: columnID,
        typeId: dataTypeID,
        typeModifier: dataTypeModifier,
      })),
    )
  }

  handleDataRow({ fields }: { readonly fields: SqlRow }): void {
    this.#reader.row(fields)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#reader.complete(text)
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyData(): void {}
  handleCopyInResponse(connection: Connection & { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('There are no rows for it.')
  }

  /** A lost connection is an error, too, after which nothing follows. */
  handleError(error: unknown): void {
    const fields = error instanceof Error ? error : {}
    const isLost = !(error instanceof pg.DatabaseError) || error.severity === 'FATAL'
    this.#reader.fail(isLost ? lossOf(error, this.#isCanceled()) : fields)
    if (isLost) this.#resolve(this.#reader.end('lost'))
  }

  handleReadyForQuery(): void {}
}
