// Sends the requests that SQL has queued with pg_net, and stores the responses.
import type { Database } from '../database/index.ts'
import { NET_CHANNEL } from '../database/index.ts'
import { sendOutgoing, type OutgoingRules } from '../shared/outgoing.ts'

export interface NetOptions extends OutgoingRules {
  readonly database: Database
}

export interface Net {
  /** Aborts requests under way, and resolves when none uses the database any more. */
  stop(): Promise<void>
}

interface Queued {
  /** A bigint, as text. */
  readonly id: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, unknown>> | null
  readonly body: string | null
  readonly timeout: number
}

interface Outcome {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly content?: string
  readonly timedOut?: boolean
  readonly error?: string
}

/** As pg_net's defaults: requests taken at once, and how long responses are kept. */
const BATCH = 200
const RETENTION = '6 hours'

/** Sends what is queued, now and after each commit that queues something. */
export async function startNet(options: NetOptions): Promise<Net> {
  const { database } = options
  const stopping = new AbortController()
  let work: Promise<void> | undefined
  let isWoken = false
  const run = async () => {
    while (isWoken && !stopping.signal.aborted) {
      isWoken = false
      const queued = await take(database)
      await Promise.all(queued.map(request => handle(request, options, stopping.signal)))
      if (queued.length === BATCH) isWoken = true
    }
  }
  const wake = () => {
    isWoken = true
    // A database that is down keeps what is queued until the next wake.
    work ??= run()
      .catch(() => undefined)
      .finally(() => {
        work = undefined
        if (isWoken && !stopping.signal.aborted) wake()
      })
  }
  await database.listen(NET_CHANNEL, wake)
  database.onGap(wake)
  wake()
  return {
    async stop() {
      stopping.abort()
      await work
    },
  }
}

async function take(database: Database): Promise<Queued[]> {
  return database.owner(async tx => {
    const [row] = await tx.query<{ queue: string | null }>(
      `select to_regclass('net.http_request_queue')::text as queue`,
    )
    if (!row?.queue) return []
    const queued = await tx.query<Queued>(
      `delete from net.http_request_queue where id in (select id from net.http_request_queue order by id limit $1)
       returning id::text, method, url, headers, convert_from(body, 'UTF8') as body, timeout_milliseconds as timeout`,
      [BATCH],
    )
    if (queued.length > 0)
      await tx.query(`delete from net._http_response where created < now() - interval '${RETENTION}'`)
    return queued.sort((a, b) => Number(a.id) - Number(b.id))
  })
}

async function handle(request: Queued, options: NetOptions, stopping: AbortSignal): Promise<void> {
  const outcome = await send(request, options, stopping)
  if (stopping.aborted) return
  const { status, headers, content, timedOut, error } = outcome
  await options.database.owner(tx =>
    tx.query(
      `insert into net._http_response (id, status_code, content_type, headers, content, timed_out, error_msg)
       values ($1::bigint, $2::int, $3, $4::jsonb, $5, $6::boolean, $7)`,
      [
        request.id,
        status ?? null,
        headers?.['content-type'] ?? null,
        headers ? JSON.stringify(headers) : null,
        // PostgreSQL text cannot contain NUL.
        content?.replaceAll('\0', '') ?? null,
        timedOut ?? null,
        error ?? null,
      ],
    ),
  )
}

async function send(request: Queued, options: NetOptions, stopping: AbortSignal): Promise<Outcome> {
  const timeout = AbortSignal.timeout(Math.max(0, request.timeout))
  try {
    const { method, url, body } = request
    const headers = new Headers(
      Object.entries(request.headers ?? {}).map(([name, value]) => [name, String(value)]),
    )
    const signal = AbortSignal.any([timeout, stopping])
    const response = await sendOutgoing(url, { method, headers, body, signal }, options)
    const content = await response.text()
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      content,
      timedOut: false,
    }
  } catch (error) {
    if (timeout.aborted) return { timedOut: true, error: `Timeout of ${request.timeout} ms reached` }
    return { error: reasonOf(error) }
  }
}

/** Node describes the reason of a failed fetch in its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error && cause.message !== '') return cause.message
  return error instanceof Error ? error.message : String(error)
}
