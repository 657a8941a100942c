// Sends a report: its row by REST, and its files to the bucket, each in a way that can be repeated.
import type { Failure, SendPartEvent } from '../../machines/index.ts'
import {
  type ChartroomClient,
  describeFailure,
  loadSendInParts,
  PART,
  retryAfterOf,
  type TusUrlStorage,
} from '../client/index.ts'
import type { StoredReport } from './outbox.ts'

/** Where reports go. */
export interface ReportPlace {
  readonly table: string
  readonly bucket: string
}

/** One attempt to deliver a report. */
export interface Delivery {
  readonly client: Pick<ChartroomClient, 'fetch' | 'status'>
  readonly place: ReportPlace
  readonly report: StoredReport
  readonly signal: AbortSignal
  /** Stores where an interrupted upload continues. */
  readonly urlStorage: TusUrlStorage
}

/** File names of pictures, by type. */
const PICTURES: Readonly<Record<string, string>> = {
  'image/png': 'page.png',
  'image/webp': 'page.webp',
  'image/jpeg': 'page.jpg',
}

export const isPicture = ({ type }: Blob): boolean => Object.hasOwn(PICTURES, type)

/** Folder of a report in the bucket. */
const folderOf = ({ happenedAt, id }: StoredReport): string => `${happenedAt.slice(0, 10)}/${id}`

/** Milliseconds that one file may take. */
const UPLOAD_TIMEOUT = 300_000

/** Adds the row. A backend that knows the id already has accepted an earlier attempt without an answer. */
export async function sendRow(delivery: Delivery): Promise<SendPartEvent> {
  const { client, place, report, signal } = delivery
  const { session } = client.status()
  const userId = report.withUser && session.phase === 'authenticated' ? session.user.id : undefined
  const row = {
    id: report.id,
    happened_at: report.happenedAt,
    cause: report.cause.kind,
    fingerprint: report.cause.fingerprint,
    title: report.cause.title,
    app_version: report.appVersion,
    system: report.system,
    note: report.note,
    path: folderOf(report),
    trace_bytes: report.trace.size,
    ...(report.traceId !== undefined && { trace_id: report.traceId }),
    ...(report.picture && {
      picture: PICTURES[report.picture.type],
      picture_bytes: report.picture.size,
    }),
    ...(userId !== undefined && { user_id: userId }),
  }
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'return=minimal' },
    body: JSON.stringify(row),
    signal,
  }
  const access = userId === undefined ? 'public' : 'user'
  const sent = await resultOf(
    client.fetch(`/rest/v1/${place.table}`, init, { access, priority: 'low' }),
    '23505',
  )
  // The token expired or was revoked in the meantime: the report itself needs no user.
  const isOfUser = userId !== undefined && sent.type !== 'part.sent' && sent.failure.kind === 'auth'
  return isOfUser ? sendRow({ ...delivery, report: { ...report, withUser: false } }) : sent
}

/**
 * Uploads the recording and the picture, large ones in parts. Files that are there already were part of an earlier
 * attempt.
 */
export async function sendFiles(delivery: Delivery): Promise<SendPartEvent> {
  const { trace, picture } = delivery.report
  const files: readonly ReportFile[] = [
    { name: 'trace.gz', type: 'application/gzip', content: trace },
    ...(picture ? [{ name: PICTURES[picture.type] ?? '', type: picture.type, content: picture }] : []),
  ]
  for (const file of files) {
    const inParts = file.content.size > PART ? await sendParts(delivery, file) : undefined
    const sent = inParts ?? (await sendWhole(delivery, file))
    if (sent.type !== 'part.sent') return sent
  }
  return { type: 'part.sent' }
}

interface ReportFile {
  readonly name: string
  readonly type: string
  readonly content: Blob
}

const OPTIONS = { access: 'public', priority: 'low', timeout: UPLOAD_TIMEOUT } as const

function sendWhole(
  { client, place, report, signal }: Delivery,
  { name, type, content }: ReportFile,
): Promise<Sent> {
  const init = {
    method: 'POST',
    headers: { 'content-type': type, 'x-upsert': 'false', 'cache-control': 'max-age=31536000' },
    body: content,
    signal,
  }
  const path = `/storage/v1/object/${place.bucket}/${folderOf(report)}/${name}`
  return resultOf(client.fetch(path, init, OPTIONS), '409', 'Duplicate')
}

/** Returns undefined if the backend does not support resumable uploads. */
async function sendParts(
  { client, place, report, signal, urlStorage }: Delivery,
  { name, type, content }: ReportFile,
): Promise<Sent | undefined> {
  const sendInParts = await loadSendInParts()
  const event = await sendInParts(
    { url: HERE, key: '', fetch: fetchByPath(client), urlStorage },
    {
      bucket: place.bucket,
      path: `${folderOf(report)}/${name}`,
      replace: false,
      content: { blob: content, mime: type, mark: report.id },
      signal,
      sent: () => undefined,
    },
  )
  if (event === 'notTaken') return undefined
  if (event.type !== 'transfer.failed') return { type: 'part.sent' }
  const { failure } = event
  return { type: isFinal(failure.status) ? 'part.refused' : 'part.failed', failure }
}

/** Placeholder for the origin of the backend: the client sends by path only. */
const HERE = 'https://backend.invalid'

/** Sends each request to the client's backend with its key, whatever the origin in the URL. */
const fetchByPath =
  (client: Delivery['client']): typeof fetch =>
  async (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    // A backend below a path includes it in the URLs of uploads; the client adds it again.
    const path = pathname.slice(Math.max(pathname.indexOf('/storage/v1/'), 0))
    const headers = new Headers(init.headers)
    for (const name of ['apikey', 'authorization']) headers.delete(name)
    const { method = 'GET', body = null, signal = null } = init
    const response = await client.fetch(`${path}${search}`, { method, headers, body, signal }, OPTIONS)
    const location = URL.parse(response.headers.get('location') ?? '', HERE)
    if (!response.headers.has('location') || !location) return response
    const answered = new Headers(response.headers)
    answered.set('location', `${HERE}${location.pathname}${location.search}`)
    return new Response(await response.arrayBuffer(), { status: response.status, headers: answered })
  }

type Sent = Exclude<SendPartEvent, { readonly type: 'port.broken' }>

/** @param knownTexts codes by which the backend says that it has this already */
async function resultOf(sending: Promise<Response>, ...knownTexts: readonly string[]): Promise<Sent> {
  let response: Response
  try {
    response = await sending
  } catch (error) {
    return { type: 'part.failed', failure: await describeFailure(error) }
  }
  const body = await response.text().catch(() => '')
  if (response.ok) return { type: 'part.sent' }
  const { code, message, error, statusCode } = fieldsOf(body)
  if ([code, error, statusCode].some(one => one !== undefined && knownTexts.includes(one)))
    return { type: 'part.sent' }
  const described = await describeFailure({ message: message ?? error ?? '', code }, response.status)
  const retryAfter = retryAfterOf(response)
  const failure: Failure = { ...described, ...(retryAfter !== undefined && { retryAfter }) }
  return { type: isFinal(response.status) ? 'part.refused' : 'part.failed', failure }
}

/** A backend that is down, busy or not set up yet may accept it later; one that refuses the report will not. */
const isFinal = (status: number | undefined): boolean => [400, 403, 413, 422].includes(status ?? 0)

function fieldsOf(text: string): Readonly<Record<string, string | undefined>> {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null
      ? Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)]))
      : {}
  } catch {
    return {}
  }
}
