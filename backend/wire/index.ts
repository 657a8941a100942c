// The database URL: PostgreSQL's wire protocol on loopback, for psql and any driver, with a password.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { closeSignal, createScramSha256Data, PostgresConnection, type ScramSha256Data } from 'pg-gateway'
import { parameterStatus } from './answers.ts'
import { farewell, WireError } from './errors.ts'
import { readFrames } from './frames.ts'
import { ClientTimeouts, type WireLimits } from './client-timeouts.ts'
import { WireSession, type Exclusive } from './session.ts'

export type { WireLimits } from './client-timeouts.ts'

export interface WireOptions extends WireLimits {
  readonly exclusive: Exclusive
  /** Registers a callback for when database sessions are lost. */
  readonly onReopened: (callback: () => void) => void
  readonly password: string
  /** 0 means any free port. */
  readonly port: number
  /** Maximum time for a client to send its password. */
  readonly greetingMs?: number
}

export interface Wire {
  readonly port: number
  /** Disconnects all clients and rolls back open transactions. May be called twice. */
  stop(): Promise<void>
}

const GREETING_MS = 10_000
const MOST_CLIENTS = 100

const SERVER_VERSION = '17.5'
const PARAMETERS: Readonly<Record<string, string>> = {
  server_encoding: 'UTF8',
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  integer_datetimes: 'on',
  standard_conforming_strings: 'on',
  is_superuser: 'on',
}

/** @throws Error with code `EADDRINUSE` if the port is taken */
export async function startWire(options: WireOptions): Promise<Wire> {
  const scram = await createScramSha256Data(options.password)
  const clients = new Set<Client>()
  let count = 0
  const server = createServer(socket => {
    // More clients than one session could ever serve.
    if (clients.size >= MOST_CLIENTS) return turnAway(socket)
    const client = new Client(socket, (count += 1), options, scram)
    clients.add(client)
    void client.closed.then(() => clients.delete(client))
  })
  // As after a PostgreSQL crash, prepared statements are lost. A client without any is not affected.
  options.onReopened(() => {
    for (const client of clients) if (client.hasUsedDatabase) client.end(DATABASE_REOPENED)
  })
  const port = await listen(server, options.port)
  let stopping: Promise<void> | undefined
  const stop = async () => {
    server.close()
    for (const client of clients) client.end(STOPPING)
    await Promise.all([...clients].map(client => client.closed))
  }
  return { port, stop: () => (stopping ??= stop()) }
}

function turnAway(socket: Socket): void {
  socket.on('error', () => undefined)
  socket.end(farewell(new WireError('53300', `There are already ${MOST_CLIENTS} clients.`)))
  socket.destroySoon()
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** pg-gateway prints what it can't parse; here the client gets the error. */
class Connection extends PostgresConnection {
  override async *handleClientMessage(message: Uint8Array) {
    try {
      yield* super.handleClientMessage(message)
    } catch (error) {
      yield farewell(error)
      yield closeSignal
    }
  }
}

class Client {
  /** Resolves once all state of the client is removed. */
  readonly closed: Promise<void>
  readonly #socket: Socket
  readonly #patience: ClientTimeouts
  #session: WireSession | undefined
  #isRefused = false

  constructor(socket: Socket, number: number, options: WireOptions, scram: ScramSha256Data) {
    this.#socket = socket
    this.#patience = new ClientTimeouts(options, (error, isSending) => this.#refuse(error, isSending))
    socket.setNoDelay(true)
    // Socket errors are handled through its close event.
    socket.on('error', () => undefined)
    const closed = new Promise(resolve => socket.once('close', resolve))
    const greeting = setTimeout(() => socket.destroy(), options.greetingMs ?? GREETING_MS)
    const connection = new Connection(this.#duplex(), {
      serverVersion: SERVER_VERSION,
      auth: { method: 'scram-sha-256', getScramSha256Data: () => scram },
      onAuthenticated: ({ clientParams }) => {
        clearTimeout(greeting)
        this.#session = new WireSession(options.exclusive, number, settingsOf(clientParams ?? {}))
        for (const [name, value] of Object.entries(PARAMETERS)) socket.write(parameterStatus(name, value))
      },
      onMessage: (message, { isAuthenticated }) =>
        isAuthenticated && message[0] !== TERMINATE ? this.#handle(message) : undefined,
    })
    void connection
    this.closed = closed.then(async () => {
      clearTimeout(greeting)
      this.#patience.end()
      await this.#session?.end()
    })
  }

  get hasUsedDatabase(): boolean {
    return this.#session?.hasBorrowed ?? false
  }

  /** Accepts no more messages, and ends once all state of the client is removed. */
  end(error: WireError): void {
    this.#session?.revoke()
    this.#refuse(error)
  }

  async #handle(message: Uint8Array): Promise<Uint8Array> {
    if (this.#isRefused) return new Uint8Array()
    this.#patience.busy()
    const answer = await this.#session?.handle(message).catch((error: unknown) => {
      // The rest of a series of messages may still arrive.
      this.#refuse(error, true)
      return undefined
    })
    // A client that disconnected in the meantime must leave no timer behind.
    if (!this.#socket.destroyed) this.#patience.answered(this.#session?.isHolding ?? false)
    return answer ?? new Uint8Array()
  }

  /**
   * If the client is still sending, closing would reset its connection before it reads the error, so it may
   * disconnect itself.
   */
  #refuse(error: unknown, isSending = false): void {
    if (this.#isRefused) return
    this.#isRefused = true
    this.#socket.end(farewell(error))
    if (!isSending) return this.#socket.destroySoon()
    const destroyTimer = setTimeout(() => this.#socket.destroy(), FAREWELL_MS)
    this.#socket.once('close', () => clearTimeout(destroyTimer))
  }

  /** The streams that pg-gateway uses; they never fail, because an error would end the process. */
  #duplex() {
    const socket = this.#socket
    const frames = readFrames(socket, () => this.#session !== undefined)
    const next = () =>
      frames.next().catch((error: unknown) => {
        // The client may still be sending; unread bytes would reset its connection.
        socket.resume()
        this.#refuse(error, true)
        return { done: true } as const
      })
    return {
      readable: new ReadableStream<Uint8Array>({
        async pull(controller) {
          const frame = await next()
          if (!frame.done) return controller.enqueue(frame.value)
          controller.close()
          if (!socket.writableEnded) socket.destroySoon()
        },
      }),
      writable: new WritableStream<Uint8Array>({
        async write(chunk) {
          if (socket.writable && !socket.write(chunk)) await drained(socket)
        },
        close: () => socket.destroySoon(),
        abort: () => void socket.destroy(),
      }),
    }
  }
}

const STOPPING = new WireError('57P01', 'The backend is stopping.')
const DATABASE_REOPENED = new WireError('57P02', 'The database failed and was reopened. Connect again.')
const TERMINATE = 'X'.charCodeAt(0)
/** How long a disconnected client may take to close its side. */
const FAREWELL_MS = 250

function drained(socket: Socket): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      socket.off('drain', done).off('close', done)
      resolve()
    }
    socket.on('drain', done).on('close', done)
  })
}

/** Startup parameters that are session settings. */
function settingsOf(parameters: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const {
    user: _user,
    database: _database,
    options: _options,
    replication: _replication,
    ...settings
  } = parameters
  return new Map(Object.entries(settings))
}
