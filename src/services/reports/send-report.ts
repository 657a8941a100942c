// Sends a report: its row by REST, and its files to the bucket, each in a way that can be repeated.
import type { Failure, SendPartEvent } from '../../machines/index.ts'
import { type ChartroomClient, describeFailure, retryAfterOf } from '../client/index.ts'
import type { StoredReport } from './outbox.ts'

type Sender = Pick<ChartroomClient, 'fetch' | 'status'>

/** Where reports go. */
export interface ReportPlace {
  readonly table: string
  readonly bucket: string
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
export async function sendRow(
  client: Sender,
  { table }: ReportPlace,
  report: StoredReport,
  signal: AbortSignal,
): Promise<SendPartEvent> {
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
    ...(report.picture && { picture: PICTURES[report.picture.type] }),
    ...(userId !== undefined && { user_id: userId }),
  }
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'return=minimal' },
    body: JSON.stringify(row),
    signal,
  }
  const access = userId === undefined ? 'public' : 'user'
  const sent = await resultOf(client.fetch(`/rest/v1/${table}`, init, { access, priority: 'low' }), '23505')
  // The token expired or was revoked in the meantime: the report itself needs no user.
  const isOfUser = userId !== undefined && sent.type !== 'part.sent' && sent.failure.kind === 'auth'
  return isOfUser ? sendRow(client, { table, bucket: '' }, { ...report, withUser: false }, signal) : sent
}

/** Uploads the recording and the picture. Files that are there already were part of an earlier attempt. */
export async function sendFiles(
  client: Sender,
  { bucket }: ReportPlace,
  report: StoredReport,
  signal: AbortSignal,
): Promise<SendPartEvent> {
  const files: readonly (readonly [name: string, content: Blob])[] = [
    ['trace.gz', report.trace],
    ...(report.picture ? [[PICTURES[report.picture.type] ?? '', report.picture] as const] : []),
  ]
  for (const [name, content] of files) {
    const type = name === 'trace.gz' ? 'application/gzip' : content.type
    const init = {
      method: 'POST',
      headers: { 'content-type': type, 'x-upsert': 'false', 'cache-control': 'max-age=31536000' },
      body: content,
      signal,
    }
    const path = `/storage/v1/object/${bucket}/${folderOf(report)}/${name}`
    const options = { access: 'public', priority: 'low', timeout: UPLOAD_TIMEOUT } as const
    const sent = await resultOf(client.fetch(path, init, options), '409', 'Duplicate')
    if (sent.type !== 'part.sent') return sent
  }
  return { type: 'part.sent' }
}

type Sent = Exclude<SendPartEvent, { readonly type: 'port.broken' }>

/** @param known codes by which the backend says that it has this already */
async function resultOf(sending: Promise<Response>, ...known: readonly string[]): Promise<Sent> {
  let response: Response
  try {
    response = await sending
  } catch (error) {
    return { type: 'part.failed', failure: await describeFailure(error) }
  }
  const body = await response.text().catch(() => '')
  if (response.ok) return { type: 'part.sent' }
  const { code, message, error, statusCode } = fieldsOf(body)
  if ([code, error, statusCode].some(one => one !== undefined && known.includes(one)))
    return { type: 'part.sent' }
  const described = await describeFailure({ message: message ?? error ?? '', code }, response.status)
  const retryAfter = retryAfterOf(response)
  const failure: Failure = { ...described, ...(retryAfter !== undefined && { retryAfter }) }
  // A backend that is down, busy or not set up yet may accept it later; one that refuses the report will not.
  const isFinal = [400, 403, 413, 422].includes(response.status)
  return { type: isFinal ? 'part.refused' : 'part.failed', failure }
}

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
