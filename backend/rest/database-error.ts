// PostgreSQL's errors as errors of a request.
import { fieldOf, textOf } from '../shared/fields.ts'
import { RestError } from './rest-error.ts'

/** PostgREST's statuses for classes of SQLSTATEs and single ones; the longest match wins. */
const STATUSES: ReadonlyMap<string, number> = new Map([
  ['08', 503],
  ['09', 500],
  ['0L', 403],
  ['0P', 403],
  ['21000', 500],
  ['23503', 409],
  ['23505', 409],
  ['25', 500],
  ['25006', 405],
  ['28', 403],
  ['2D', 500],
  ['38', 500],
  ['39', 500],
  ['3B', 500],
  ['40', 500],
  ['42883', 404],
  ['42P01', 404],
  ['42P17', 500],
  ['53', 503],
  ['53400', 500],
  // PostgREST returns 500 for these two, but the request causes them.
  ['54', 413],
  ['55000', 400],
  // Excessive recursion is caused by the schema.
  ['54001', 500],
  ['55', 500],
  ['57', 500],
  ['57P01', 503],
  ['58', 500],
  ['F0', 500],
  ['HV', 500],
  ['P0', 500],
  ['P0001', 400],
  ['XX', 500],
])

const RAISED = 'PGRST'

/** The error of a request for one of the database; undefined if it is another. */
export function restErrorOf(error: unknown, role: string): RestError | undefined {
  const code = textOf(error, 'code')
  if (code === undefined || !/^[0-9A-Z]{5}$/.test(code) || fieldOf(error, 'severity') === undefined)
    return undefined
  const [message, details] = [textOf(error, 'message') ?? '', textOf(error, 'detail')]
  if (code === RAISED) return raised(message, details)
  return new RestError({
    status: statusOf(code, message, role),
    code,
    message,
    details,
    hint: textOf(error, 'hint'),
  })
}

function statusOf(code: string, message: string, role: string): number {
  if (code === '42501') return role === 'anon' ? 401 : 403
  if (code === '42883' && message.startsWith('function xmlagg(')) return 406
  // PostgREST returns 500 for the first, but the request causes both.
  if (code === '21000' && /^ON CONFLICT|requires a WHERE clause$/.test(message)) return 400
  if (code === '22023' && /^role.* does not exist$/s.test(message)) return 401
  const status = /^PT(\d{3})$/.exec(code)?.[1]
  if (status !== undefined) return Number(status) >= 200 && Number(status) < 600 ? Number(status) : 500
  return code.startsWith('PT') ? 500 : (STATUSES.get(code) ?? STATUSES.get(code.slice(0, 2)) ?? 400)
}

const MESSAGE_HINT =
  "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'."
const DETAIL_HINT =
  "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'."

/** `raise sqlstate 'PGRST'`: its message and detail are the whole response. */
function raised(message: string, detail: string | undefined): RestError {
  const fields = objectIn(message)
  const [code, text] = [textOf(fields, 'code'), textOf(fields, 'message')]
  if (code === undefined || text === undefined)
    return unreadable(`Invalid JSON value for MESSAGE: '${message}'`, MESSAGE_HINT)
  if (detail === undefined) return unreadable('DETAIL is missing in the RAISE statement', DETAIL_HINT)
  const response = objectIn(detail)
  const status = fieldOf(response, 'status')
  const headers = fieldOf(response, 'headers')
  if (typeof status !== 'number' || !isTexts(headers))
    return unreadable(`Invalid JSON value for DETAIL: '${detail}'`, DETAIL_HINT)
  return new RestError({
    status: status >= 200 && status < 600 ? status : 500,
    code,
    message: text,
    details: textOf(fields, 'details'),
    hint: textOf(fields, 'hint'),
    headers,
  })
}

const unreadable = (details: string, hint: string) =>
  new RestError({
    status: 500,
    code: 'PGRST121',
    message: 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error',
    details,
    hint,
  })

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(one => typeof one === 'string')
