// Explains a response: its kind, what it means, and what to do about it.
import type { CallState, Head } from './call-state.ts'

export type ResponseKind =
  'events' | 'lines' | 'json' | 'text' | 'image' | 'audio' | 'video' | 'pdf' | 'binary'

const KINDS: readonly (readonly [RegExp, ResponseKind])[] = [
  [/^text\/event-stream$/, 'events'],
  [/ndjson|jsonl|json-?lines|stream\+json|json-seq/, 'lines'],
  [/[/+]json$|^application\/problem/, 'json'],
  [/^image\//, 'image'],
  [/^audio\//, 'audio'],
  [/^video\//, 'video'],
  [/^application\/pdf$/, 'pdf'],
  [/^text\/|[/+]xml$|javascript|yaml|graphql|urlencoded|toml|^application\/(sql|csv)/, 'text'],
]

/** Without a type it is treated as text, as in the official client. */
export const responseKind = (contentType: string | null): ResponseKind => {
  const type = bareType(contentType)
  if (type === '') return 'text'
  return KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'binary'
}

const bareType = (contentType: string | null) => contentType?.split(';')[0]?.trim().toLowerCase() ?? ''

const TEXTUAL: ReadonlySet<ResponseKind> = new Set(['events', 'lines', 'json', 'text'])

/** Whether it is read as text. */
export const isTextual = (kind: ResponseKind): boolean => TEXTUAL.has(kind)

const ENDINGS: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/x-ndjson': 'ndjson',
  'application/zip': 'zip',
  'audio/mpeg': 'mp3',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'text/csv': 'csv',
  'text/event-stream': 'txt',
  'text/html': 'html',
  'text/plain': 'txt',
}

/** The file name from the response, or one based on the function; never with a folder. */
export function fileNameOf(
  name: string,
  contentType: string | null,
  contentDisposition: string | null,
): string {
  const fileName = dispositionName(contentDisposition ?? '')
  if (fileName !== undefined) return fileName
  const type = bareType(contentType)
  const tail = /^(?:image|audio|video)\/([a-z0-9]+)$/.exec(type)?.[1]
  const stem =
    name
      .trim()
      .replace(/^\/+/, '')
      .replaceAll(/[^\w-]+/g, '-') || 'answer'
  return `${stem}.${ENDINGS[type] ?? tail ?? (isTextual(responseKind(contentType)) ? 'txt' : 'bin')}`
}

function dispositionName(text: string): string | undefined {
  const encoded = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(text)?.[1]
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(text)
  const name = encoded === undefined ? (plain?.[1] ?? plain?.[2]) : unescaped(encoded)
  const bare = name?.split(/[/\\]/).at(-1)?.trim()
  return bare === undefined || bare === '' || /^\.+$/.test(bare) ? undefined : bare
}

const unescaped = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The message above a response; undefined when it needs none. */
export interface ResponseText {
  readonly tone: 'fail' | 'info'
  readonly text: string
}

const headerOf = ({ headers }: Head, headerName: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === headerName)?.[1]

const isRelay = (head: Head): boolean =>
  headerOf(head, 'x-relay-error') === 'true' || headerOf(head, 'x-relay-header') === 'true'

function statusWords(head: Head, name: string): ResponseText | undefined {
  const { status } = head
  if (status < 400) return undefined
  const fail = (text: string) => ({ tone: 'fail', text }) as const
  const code = headerOf(head, 'sb-error-code') ?? ''
  if (status === 401 && /^UNAUTHORIZED_.*API_KEY/.test(code))
    return fail('The backend refused the API key, so the function did not run. Enter another key.')
  if (status === 401)
    return fail(
      'Unauthorized: your session was rejected, or this function requires a token and none was sent.',
    )
  if (status === 404)
    return fail(
      `Not found: no function “${name}” exists, or the function itself responds so. See the response body.`,
    )
  if (status === 429) return fail('Too many calls.')
  if (isRelay(head)) return fail('The gateway failed; the function didn’t complete.')
  if (status >= 500) return fail('The function failed. See the response body.')
  return fail('The function refused this call. See the response body.')
}

/** Messages for failure codes that allow a more specific explanation. */
const BY_CODE: Readonly<Record<string, string>> = {
  blocked_offline:
    'You are offline and the token has expired: nothing was sent. Send again when you are online.',
  stalled: 'The function sent nothing for a while, so reading was aborted. Partial response below.',
  session_ended: 'Your session ended before the call was sent.',
  signed_out: 'You signed out during the call.',
  body_spent:
    'The token was refused, and this body can be sent only once. The session is refreshed: send again.',
}

const CORS =
  ' If the backend responds otherwise, the function may not allow calls from this origin with this method and these headers (CORS): browsers do not report that.'

function failureWords(call: Extract<CallState, { phase: 'failed' }>, isForeign: boolean): string {
  const { code, kind, message } = call.failure
  const [hasBegun, hasBody] = [call.head !== undefined, (call.body?.size ?? 0) > 0]
  const explanation = code === undefined ? undefined : BY_CODE[code]
  if (explanation !== undefined) return explanation
  if (kind === 'network')
    return hasBegun
      ? `The connection was lost before the response was complete. ${hasBody ? 'Partial response below.' : 'No body was received.'}`
      : `No response from the backend. Your input is kept; send again when it is reachable.${isForeign ? CORS : ''}`
  if (kind === 'timeout') return `${message} You can set a longer timeout under Options.`
  return message
}

/**
 * The message for a call in its current state.
 * @param isForeign the backend has another origin than the page
 */
export function describeResponse(call: CallState, isForeign = false): ResponseText | undefined {
  switch (call.phase) {
    case 'none':
    case 'sending':
      return undefined
    case 'receiving':
    case 'done':
      return statusWords(call.head, call.draft.name)
    case 'failed':
      return { tone: 'fail', text: failureWords(call, isForeign) }
    case 'canceled':
      return {
        tone: 'info',
        text: call.head ? 'Canceled. Partial response below.' : 'Canceled before a response arrived.',
      }
  }
}

/** Seconds from the response's `Retry-After` header. */
export function waitOf(call: CallState): number | undefined {
  const head = call.phase === 'done' || call.phase === 'failed' ? call.head : undefined
  const text = head && headerOf(head, 'retry-after')
  if (head === undefined || text === undefined || head.status < 400) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : NaN
  return seconds > 0 && seconds < 86_400 ? seconds : undefined
}

/** An injected fault. */
export const faultOf = (head: Head | undefined): string | undefined =>
  head && headerOf(head, 'x-chartroom-fault')
