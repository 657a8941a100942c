// Requests of jobs with rows: reads their pages, and classifies failures by what they mean for the rows.
import type { Failure } from '../../../machines/index.ts'
import { type ChartroomClient, describeFailure } from '../../client/index.ts'
import { type RestError, restErrorIn } from '../rest/rest-error.ts'
import { sendRest } from '../rest/rest.ts'

/** Path, with the query, and headers of a read. */
export interface PageRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Page {
  /** Undefined after the last row. */
  readonly text: string | undefined
  /** From the response's `Content-Range`. */
  readonly total: number | undefined
}

/** Servers respond to pages after the last row with 416 or an empty page. */
const NO_MORE = 416

/** Reads a page of rows, or returns why it could not be read. Rejects only when aborted. */
export async function readPage(
  fetch: ChartroomClient['fetch'],
  { path, headers }: PageRequest,
  signal: AbortSignal,
  onStart: (id: string) => void,
): Promise<Page | Failure> {
  const answer = await sendRest(fetch, path, { headers, signal }, { onStart })
  if (answer.ok) return { text: answer.text, total: answer.total ?? undefined }
  const { status, error } = answer
  if (status === NO_MORE) return { text: undefined, total: undefined }
  return (await refusalOf(error, status)).failure
}

/** A failure with a plain message, followed by the database's message. */
export interface RestRefusal {
  readonly failure: Failure
  readonly fate: 'refused' | 'hopeless' | 'delayed' | 'lost'
}

/** The request was not sent. */
const UNSENT: ReadonlySet<string> = new Set(['blocked_offline', 'no_live_token', 'not_ready'])
/** A gateway timed out: the server behind it may have completed the request. */
const GATEWAY: ReadonlySet<number> = new Set([502, 504, 520, 522, 524])
/** Errors that are the same for every row. */
const FOR_ALL = /^(42P01|42703|42883|PGRST1\d\d|PGRST20\d|25006|28000)$/

function fateOf(failure: Failure, status: number, error: RestError): RestRefusal['fate'] {
  const { kind, code = '' } = failure
  const sqlState = error.code
  // Smaller batches may be fast enough.
  if (sqlState === '57014') return 'refused'
  if (GATEWAY.has(status)) return 'lost'
  if (kind === 'network' || kind === 'timeout') return status === 0 && !UNSENT.has(code) ? 'lost' : 'delayed'
  if (kind === 'rateLimit') return 'delayed'
  if (status >= 500) return 'delayed'
  // The request was aborted while running, e.g. by the end of the session.
  if (kind === 'aborted' || kind === 'disposed') return 'lost'
  if (kind === 'auth' || FOR_ALL.test(sqlState)) return 'hopeless'
  return /permission denied/.test(error.message) ? 'hopeless' : 'refused'
}

const sentence = (text: string): string => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`)

/** @param error PostgREST's error or, with status 0, what the call was rejected with */
export async function refusalOf(error: unknown, status: number): Promise<RestRefusal> {
  const refused = restErrorIn(error)
  const described = await describeFailure(error, status)
  const reason = refused.details || refused.message
  const isMore = status >= 400 && reason !== '' && !described.message.includes(reason)
  const message = isMore ? `${described.message} ${sentence(reason)}` : described.message
  const failure = { ...described, message }
  return { failure, fate: fateOf(failure, status, refused) }
}
