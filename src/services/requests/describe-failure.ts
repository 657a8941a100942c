// What supabase-js hands an app as an error, told as a failure that the app can show and act on.
import { bug, timedOut, type Failure } from '../../machines/failure.ts'
import { aborted } from '../../machines/request-info.ts'
import { faultIdOf, retryAfterOf } from '../auth/auth-answer.ts'
import { authFailure } from '../auth/auth-failure.ts'
import { CAUSE, RequestError } from './request-error.ts'

type Kind = Failure['kind']
type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}
const textIn = (fields: Fields, ...names: readonly string[]): string =>
  names.map(name => fields[name]).find(value => typeof value === 'string') ?? ''

/** Words for where the server's own say nothing to a user. */
const WORDS: Partial<Readonly<Record<Kind, string>>> = {
  network: 'The backend cannot be reached.',
  timeout: timedOut('The request').message,
  auth: 'Your session was not accepted. Sign in again if this stays.',
  forbidden: 'You are not allowed to do this.',
  notFound: 'This does not exist, or you may not see it.',
  conflict: 'There is one like this already, or somebody changed it meanwhile.',
  rateLimit: 'Too many requests. Wait a little, then try again.',
  decode: 'The backend’s response could not be read.',
}

const BY_STATUS: Readonly<Record<number, Kind>> = {
  0: 'network',
  401: 'auth',
  403: 'forbidden',
  404: 'notFound',
  408: 'timeout',
  409: 'conflict',
  410: 'notFound',
  412: 'conflict',
  429: 'rateLimit',
  504: 'timeout',
}
const kindOf = (status: number, other: Kind): Kind =>
  BY_STATUS[status] ?? (status >= 500 ? 'server' : status < 300 ? 'decode' : other)

const NO_SUCH = 'There is no such table or function, or it is not exposed.'
const POLICY = 'A policy does not let you do this.'

/** Codes of PostgreSQL and PostgREST; the first that fits has the say. */
const BY_CODE: readonly (readonly [code: RegExp, kind: Kind, words?: string])[] = [
  [/^42501$/, 'forbidden', POLICY],
  [/^PGRST30/, 'auth'],
  [/^(42P01|42883|PGRST20[25])$/, 'notFound', NO_SUCH],
  [/^23505$/, 'conflict', 'There is one with this value already.'],
  [/^23503$/, 'conflict'],
  [/^40(001|P01)$/, 'conflict', 'Somebody changed the same at the same moment. Try again.'],
  [/^57014$/, 'timeout'],
  [/^(2[23]|42|P0|PGRST[12])/, 'validation'],
  [/^(0A|08|5|XX|PGRST)/, 'server'],
]

/** Our own failure as JSON, where it is the cause of what a library reports. */
function causeIn(details: string): string {
  const mark = `Caused by: ${CAUSE}: {`
  const at = details.indexOf(mark)
  const [line = ''] = at < 0 ? [] : details.slice(at + mark.length - 1).split('\n', 1)
  return line.slice(0, line.lastIndexOf('}') + 1)
}

function restFailure(fields: Fields, given: number | undefined): Failure {
  const message = textIn(fields, 'message')
  const code = textIn(fields, 'code')
  const details = textIn(fields, 'details')
  const ours = parsed(causeIn(details))
  if (isFailure(ours)) return ours
  const named = /^(AbortError|TimeoutError|SyntaxError)\b/.exec(message)?.[1]
  if (named !== undefined) return thrown(named)
  const status = given ?? (code === '' ? 0 : undefined)
  if (code === 'PGRST116') return oneRow(details, status)
  const [, kind, words] = (status !== 429 && BY_CODE.find(([pattern]) => pattern.test(code))) || []
  const said = [message, textIn(fields, 'hint')].filter(Boolean).join('. ')
  const known = code === '23503' ? referenceWords(message) : words
  return told(kind ?? kindOf(status ?? 400, 'validation'), known, said, code, status)
}

/** Which way a reference is broken: the database says it in the sentence alone. */
function referenceWords(message: string): string {
  const named = /foreign key constraint "([^"]+)"/.exec(message)?.[1]
  const rule = named === undefined ? '' : ` (${named})`
  if (message.startsWith('insert or update')) return `What it refers to is not there${rule}.`
  if (message.startsWith('update or delete')) return `Others refer to this${rule}.`
  return `Others refer to this, or what it refers to is not there${rule}.`
}

/** One row was asked for. */
const oneRow = (details: string, status: number | undefined): Failure =>
  /\b0 rows/.test(details) || details === ''
    ? told('notFound', undefined, '', 'PGRST116', status)
    : told('validation', 'There are several, where one was asked for.', '', 'PGRST116', status)

/** Whose own words help: the app's database, bucket or function may have chosen them. */
const SPOKEN: ReadonlySet<Kind> = new Set(['validation', 'storage', 'function'])

function told(kind: Kind, words: string | undefined, said: string, code: string, status?: number): Failure {
  const isReadable = SPOKEN.has(kind) && said !== '' && said.length < 500 && !said.trimStart().startsWith('<')
  const number = status ? ` (${status})` : ''
  const fallback =
    kind === 'server'
      ? `The backend failed${number}. Try again in a moment.`
      : `The backend refused this${number}.`
  return {
    kind,
    ...(code !== '' && { code }),
    ...(status && { status }),
    message: words ?? (isReadable ? said : (WORDS[kind] ?? fallback)),
  }
}

function storageFailure(fields: Fields): Failure {
  // Storage sends most refusals with 400 and the true status in the body.
  const status = Number(fields['statusCode']) || Number(fields['status'] ?? 0)
  const code = textIn(fields, 'code')
  const message = textIn(fields, 'message')
  if (status === 413) return told('storage', 'The file is larger than this bucket accepts.', '', code, status)
  if (code === 'InvalidJWT' || /\bjwt\b|"exp" claim/i.test(message))
    return told('auth', undefined, '', code, status)
  return told(kindOf(status, 'storage'), storageWords(status, code), message, code, status)
}

const storageWords = (status: number, code: string): string | undefined => {
  if (status === 403) return 'A policy of this bucket does not let you do that here.'
  if (status === 409) return 'There is one with this name already.'
  if (status !== 404) return undefined
  return `There is no such ${code === 'NoSuchBucket' ? 'bucket' : 'file'}, or you may not see it.`
}

/** @param isRelay the function did not run, or not to its end. */
async function functionFailure(response: Response, isRelay: boolean): Promise<Failure> {
  const text = response.bodyUsed
    ? ''
    : await response
        .clone()
        .text()
        .catch(() => '')
  const body = parsed(text)
  const { status } = response
  const fields = fieldsOf(body)
  const said = typeof body === 'string' ? body : textIn(fields, 'message', 'msg', 'error')
  const code = textIn(fields, 'code') || (isRelay ? 'relay' : '')
  const kind = status === 429 ? 'rateLimit' : status === 404 && code === 'NOT_FOUND' ? 'notFound' : 'function'
  const words = said === '' && kind === 'function' ? `The function failed with status ${status}.` : undefined
  const [retryAfter, faultId] = [retryAfterOf(response), faultIdOf(response)]
  return {
    ...told(kind, words, said, code, status),
    ...(text !== '' && { body }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(faultId !== undefined && { faultId }),
  }
}

function isFailure(value: unknown): value is Failure {
  const { kind, message } = fieldsOf(value)
  return typeof kind === 'string' && typeof message === 'string'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text.slice(0, 16_000)
  }
}

function thrown(name: string): Failure {
  if (name === 'AbortError') return aborted('by_app')
  if (name === 'SyntaxError') return told('decode', undefined, '', '')
  return told(name === 'TimeoutError' ? 'timeout' : 'network', undefined, '', '')
}

/**
 * What went wrong, of whatever a call of supabase-js gave as its `error` or threw: REST, storage, functions,
 * auth and network alike. `message` is fit to be shown.
 *
 * @param status the `status` beside a REST error, which tells what its code does not.
 */
export async function describeFailure(error: unknown, status?: number): Promise<Failure> {
  if (error instanceof RequestError) return error.failure
  const fields = fieldsOf(error)
  const { name, context } = fields
  if (isFailure(error)) return error
  if (context instanceof Response) return functionFailure(context, name === 'FunctionsRelayError')
  if ('__isAuthError' in fields) {
    const code = textIn(fields, 'code')
    return authFailure({
      status: Number(fields['status'] ?? 0),
      message: textIn(fields, 'message'),
      ...(code !== '' && { code }),
    })
  }
  const inner = name === 'FunctionsFetchError' ? context : fields['originalError']
  if (inner !== undefined) return describeFailure(inner)
  if ('__isStorageError' in fields) return storageFailure(fields)
  if (typeof name === 'string' && /^(Abort|Timeout|Syntax|Type)Error$/.test(name)) return thrown(name)
  if ('code' in fields || 'details' in fields || status !== undefined) return restFailure(fields, status)
  return bug(error)
}
