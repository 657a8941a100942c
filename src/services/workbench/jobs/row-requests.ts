// Requests of jobs with rows: reads their pages, and classifies failures by what they mean for the rows.
import type { Failure } from '../../../machines/index.ts'
import { type ChartroomClient, describeFailure } from '../../client/index.ts'
import { type RestError, restErrorIn } from '../rest/rest-error.ts'
import { sendRest } from '../rest/rest.ts'
import { rowsOfPage } from '../table/export/export-format.ts'
import type { PageAnswer, PageRequest, RowReader } from '../table/row-reader.ts'
import { formatCount, plural } from '../text/format.ts'

/** Servers respond to pages after the last row with 416 or an empty page. */
const NO_MORE = 416
const TOO_LARGE = 413

/**
 * Sends the next request of a reader; a page that is too large is requested in smaller ones. Returns what the reader
 * takes, or why there is no response. Rejects only when aborted.
 */
export async function readPage(
  fetch: ChartroomClient['fetch'],
  reader: Pick<RowReader, 'next' | 'smaller' | 'isCounting'>,
  signal: AbortSignal,
  onStart: (id: string) => void,
): Promise<PageAnswer | Failure> {
  const isCounting = reader.isCounting()
  const send = ({ method, path, headers }: PageRequest) =>
    sendRest(fetch, path, { method, headers, signal }, { onStart })
  let answer = await send(reader.next())
  while (!answer.ok && answer.status === TOO_LARGE) {
    const smaller = reader.smaller()
    if (smaller === undefined) break
    answer = await send(smaller)
  }
  if (!answer.ok) {
    const { status, error } = answer
    if (status === NO_MORE) return { rows: [], total: undefined }
    const { failure } = await refusalOf(error, status)
    return isCounting && !isPassing(failure) ? { rows: [], total: undefined } : failure
  }
  const total = answer.total ?? undefined
  if (isCounting) return { rows: [], total }
  try {
    return { rows: rowsOfPage(answer.text), total }
  } catch (error) {
    return (await refusalOf(error, 0)).failure
  }
}

/** Whether the count may be possible later; a count that takes too long will take as long again. */
const isPassing = ({ kind, status }: Failure): boolean =>
  kind === 'network' || kind === 'rateLimit' || kind === 'auth' || status === 503

/** The failure of a read that ended before all rows were there. */
const INCOMPLETE = 'incomplete'

export const isIncomplete = (failure: Failure | undefined): boolean => failure?.code === INCOMPLETE

export const incomplete = (read: number, missing: number): Failure => ({
  kind: 'server',
  code: INCOMPLETE,
  message: `${formatCount(read)} of ${plural(read + missing, 'row')} were read. The backend did not return the others, or other users were writing to the table.`,
})

/** A failure with a plain message, followed by the database's message. */
export interface RestRefusal {
  readonly failure: Failure
  readonly fate: 'refused' | 'hopeless' | 'delayed' | 'lost'
  /** The database's code; empty if it gave none. */
  readonly sqlState: string
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
  const message = isMore ? `${sentence(described.message)} ${sentence(reason)}` : described.message
  const failure = { ...described, message }
  return { failure, fate: fateOf(failure, status, refused), sqlState: refused.code }
}
