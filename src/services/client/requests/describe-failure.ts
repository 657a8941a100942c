// Converts errors from supabase-js to failures that the app can show and handle.
import {
  type AccessRefusal,
  aborted,
  bug,
  type Failure,
  isKeyRefusal,
  keyFailure,
  type RequestInfo,
  timedOut,
} from '../../../machines/index.ts'
import { readRefusal } from './read-refusal.ts'
import { faultIdOf, retryAfterOf } from './responses.ts'
import { authFailure } from '../auth/auth-failure.ts'
import { CAUSE } from '../../runtime/index.ts'

type Kind = Failure['kind']
type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}
const textIn = (fields: Fields, ...names: readonly string[]): string =>
  names.map(name => fields[name]).find(value => typeof value === 'string') ?? ''

/** Messages for kinds whose server messages do not help a user. */
const WORDS: Partial<Readonly<Record<Kind, string>>> = {
  network: 'The backend cannot be reached.',
  timeout: timedOut('The request').message,
  auth: 'Your session was rejected. If this persists, sign in again.',
  forbidden: 'You are not allowed to do this.',
  notFound: 'This does not exist, or you are not allowed to see it.',
  conflict: 'This already exists, or it was changed in the meantime.',
  rateLimit: 'Too many requests. Wait a moment, then try again.',
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
const kindOf = (status: number, fallback: Kind): Kind =>
  BY_STATUS[status] ?? (status >= 500 ? 'server' : status < 300 ? 'decode' : fallback)

const SECRET_KEY_NEEDED =
  'This endpoint accepts secret keys only, which must not be in a browser. Everything else works as usual.'

/** The failure of a refused key, or of an endpoint that it may not use; undefined for other refusals. */
function ofKey(refusal: AccessRefusal | undefined, status: number): Failure | undefined {
  if (isKeyRefusal(refusal)) return keyFailure(refusal, status)
  if (refusal !== 'keyPrivilege') return undefined
  return { kind: 'forbidden', code: 'keyPrivilege', status, message: SECRET_KEY_NEEDED }
}

/** Errors of supabase-js have no headers, and the fields of the body at most. */
const keyFailureIn = async (
  family: RequestInfo['family'],
  fields: Fields,
  status: number,
): Promise<Failure | undefined> => {
  const { code, details: _, ...words } = fields
  // The message of an `Error` is not enumerable.
  const message = textIn(fields, 'message')
  const text = JSON.stringify({ ...words, message, ...(code !== '' && { code }) })
  return ofKey(await readRefusal({ family, status, text, bearer: 'own' }), status)
}

const NO_SUCH = 'This table or function does not exist, or it is not exposed.'
const POLICY = 'A row policy does not allow this.'

/** Codes of PostgreSQL and PostgREST; the first match applies. */
const BY_CODE: readonly (readonly [code: RegExp, kind: Kind, words?: string])[] = [
  [/^42501$/, 'forbidden', POLICY],
  [/^PGRST30/, 'auth'],
  [/^(42P01|42883|PGRST20[25])$/, 'notFound', NO_SUCH],
  [/^23505$/, 'conflict', 'This value already exists.'],
  [/^23503$/, 'conflict'],
  [/^40(001|P01)$/, 'conflict', 'This was changed at the same time. Try again.'],
  [/^57014$/, 'timeout'],
  [/^(2[23]|42|P0|PGRST[12])/, 'validation'],
  [/^(0A|08|5|XX|PGRST)/, 'server'],
]

/** Returns our own failure as JSON if it is the cause of a library's error. */
function causeIn(details: string): string {
  const mark = `Caused by: ${CAUSE}: {`
  const at = details.indexOf(mark)
  const [line = ''] = at < 0 ? [] : details.slice(at + mark.length - 1).split('\n', 1)
  return line.slice(0, line.lastIndexOf('}') + 1)
}

async function restFailure(fields: Fields, statusCode: number | undefined): Promise<Failure> {
  const message = textIn(fields, 'message')
  const code = textIn(fields, 'code')
  const details = textIn(fields, 'details')
  const ours = parsed(causeIn(details))
  if (isFailure(ours)) return ours
  const errorName = /^(AbortError|TimeoutError|SyntaxError)\b/.exec(message)?.[1]
  if (errorName !== undefined) return thrown(errorName)
  const status = statusCode ?? (code === '' ? 0 : undefined)
  const refused = status === undefined ? undefined : await keyFailureIn('rest', fields, status)
  if (refused) return refused
  if (code === 'PGRST116') return oneRow(details, status)
  const [, kind, words] = (status !== 429 && BY_CODE.find(([pattern]) => pattern.test(code))) || []
  const text = [message, textIn(fields, 'hint')].filter(Boolean).join('. ')
  const knownWords = code === '23503' ? referenceWords(message) : words
  return failureOf(kind ?? kindOf(status ?? 400, 'validation'), knownWords, text, code, status)
}

/** Describes the direction of a foreign key violation, which only the database's message contains. */
function referenceWords(message: string): string {
  const constraint = /foreign key constraint "([^"]+)"/.exec(message)?.[1]
  const rule = constraint === undefined ? '' : ` (${constraint})`
  if (message.startsWith('insert or update')) return `The referenced row does not exist${rule}.`
  if (message.startsWith('update or delete')) return `Other rows reference this${rule}.`
  return `Other rows reference this, or the referenced row does not exist${rule}.`
}

/** A single row was requested. */
const oneRow = (details: string, status: number | undefined): Failure =>
  /\b0 rows/.test(details) || details === ''
    ? failureOf('notFound', undefined, '', 'PGRST116', status)
    : failureOf('validation', 'Several rows were found where one was expected.', '', 'PGRST116', status)

/**
 * Kinds whose server messages help, because the app's own database, bucket or function may have written them.
 */
const TEXT_KINDS: ReadonlySet<Kind> = new Set(['validation', 'storage', 'function'])

function failureOf(
  kind: Kind,
  text: string | undefined,
  message: string,
  code: string,
  status?: number,
): Failure {
  const isReadable =
    TEXT_KINDS.has(kind) && message !== '' && message.length < 500 && !message.trimStart().startsWith('<')
  const number = status ? ` (${status})` : ''
  const fallback =
    kind === 'server'
      ? `The backend failed${number}. Try again in a moment.`
      : `The backend rejected this${number}.`
  return {
    kind,
    ...(code !== '' && { code }),
    ...(status && { status }),
    message: text ?? (isReadable ? message : (WORDS[kind] ?? fallback)),
  }
}

async function storageFailure(fields: Fields): Promise<Failure> {
  // Storage sends most errors with status 400 and the actual status in the body.
  const status = Number(fields['statusCode']) || Number(fields['status'] ?? 0)
  const code = textIn(fields, 'code')
  const message = textIn(fields, 'message')
  const refused = await keyFailureIn('storage', fields, status)
  if (refused) return refused
  if (status === 413)
    return failureOf('storage', 'The file is larger than this bucket accepts.', '', code, status)
  if (code === 'InvalidJWT' || /\bjwt\b|"exp" claim/i.test(message))
    return failureOf('auth', undefined, '', code, status)
  return failureOf(kindOf(status, 'storage'), storageWords(status, code), message, code, status)
}

const storageWords = (status: number, code: string): string | undefined => {
  if (status === 403) return 'A policy of this bucket does not allow this.'
  if (status === 409) return 'This name already exists.'
  if (status !== 404) return undefined
  return `This ${code === 'NoSuchBucket' ? 'bucket' : 'file'} does not exist, or you are not allowed to see it.`
}

/** @param isRelay whether the function did not run, or not to its end */
async function functionFailure(response: Response, isRelay: boolean): Promise<Failure> {
  const text = response.bodyUsed
    ? ''
    : await response
        .clone()
        .text()
        .catch(() => '')
  const body = parsed(text)
  const { status, headers } = response
  const refusal = await readRefusal({ family: 'functions', status, text, headers, bearer: 'own' })
  const refused = ofKey(refusal, status)
  if (refused) return refused
  const fields = fieldsOf(body)
  const message = typeof body === 'string' ? body : textIn(fields, 'message', 'msg', 'error')
  const code = textIn(fields, 'code') || (isRelay ? 'relay' : '')
  const kind = status === 429 ? 'rateLimit' : status === 404 && code === 'NOT_FOUND' ? 'notFound' : 'function'
  const wording =
    message === '' && kind === 'function' ? `The function failed with status ${status}.` : undefined
  const [retryAfter, faultId] = [retryAfterOf(response), faultIdOf(response)]
  return {
    ...failureOf(kind, wording, message, code, status),
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
  if (name === 'SyntaxError') return failureOf('decode', undefined, '', '')
  return failureOf(name === 'TimeoutError' ? 'timeout' : 'network', undefined, '', '')
}

/**
 * Describes any error that a supabase-js call returned as `error` or threw: REST, storage, functions, auth
 * and network. The `message` is suitable for users.
 * @param status the `status` next to a REST error, which is not part of its code
 */
export async function describeFailure(error: unknown, status?: number): Promise<Failure> {
  const fields = fieldsOf(error)
  const { name, context, failure } = fields
  // A `RequestError`, or the official error of a sign-in.
  if (isFailure(failure)) return failure
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
