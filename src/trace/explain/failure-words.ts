// Clauses for responses, refusals and failures without a response.
import { at, numberAt, textAt } from '../event-values.ts'
import type { StepRecord } from '../format/records.ts'
import type { Evidence } from './answer.ts'
import { durationInWords } from './words.ts'

/** The fields of a recorded failure that contain no words of a server. */
export interface FailureFacts {
  readonly kind: string
  readonly status: number | undefined
  readonly code: string | undefined
  readonly retryAfter: number | undefined
  readonly fault: string | undefined
}

/** Reads a failure at these keys of an event or a context. */
export function failureAt(value: unknown, ...keys: readonly string[]): FailureFacts | undefined {
  const failure = at(value, ...keys)
  const kind = textAt(failure, 'kind')
  if (kind === undefined) return undefined
  return {
    kind,
    status: numberAt(failure, 'status'),
    code: textAt(failure, 'code'),
    retryAfter: numberAt(failure, 'retryAfter'),
    fault: textAt(failure, 'faultId'),
  }
}

/** The failure that an event reports. */
export function failureOf({ event }: StepRecord): FailureFacts | undefined {
  const direct = failureAt(event, 'failure')
  if (direct) return direct
  const pages = at(event, 'pages')
  if (!Array.isArray(pages)) return undefined
  return pages.map(page => failureAt(page, 'failure')).find(failure => failure !== undefined)
}

const KINDS: Readonly<Record<string, string>> = {
  network: '{server} could not be reached',
  timeout: '{server} did not respond in time',
  aborted: 'it was canceled',
  auth: '{server} refused to sign in the user',
  apiKey: '{server} does not accept the API key',
  forbidden: '{server} does not allow it',
  notFound: '{server} found nothing there',
  conflict: 'it is in conflict with another change',
  validation: '{server} considers it invalid',
  rateLimit: '{server} limits the rate of requests',
  storage: 'the storage failed',
  function: 'the function failed',
  decode: 'its response could not be read',
  server: '{server} failed',
  disposed: 'the client was disposed',
  bug: 'the client has a bug',
}

const CODES: Readonly<Record<string, string>> = {
  not_signed_in: 'no user is signed in',
  signed_out: 'no user is signed in',
  session_ended: 'the session ended before it was sent',
  superseded: 'a newer request replaced it',
  body_spent: 'its body is a stream, which cannot be sent twice with a new token',
  blocked_offline: 'the device is offline and the token must be refreshed first',
  no_live_token: 'no live token was available in time',
  not_ready: 'the stored session was not read in time',
  deadline: 'its time was over',
  too_large: 'the file is larger than its bucket allows',
  wrong_type: 'its bucket does not accept files of this type',
  bad_name: 'its name is not allowed',
  name_taken: 'a file of this name exists',
  stalled: 'it made no progress for a minute',
  otp_expired: 'it has expired or was used before',
  verifier_missing: 'it was requested in another browser',
  flow_mismatch: 'it belongs to another kind of sign-in',
  invalid_credentials: 'the email or the password is wrong',
  email_not_confirmed: 'the email address is not confirmed yet',
  user_already_exists: 'the user exists already',
  weak_password: 'the password is too weak',
  captcha_failed: 'the captcha failed',
  refresh_token_already_used: 'the server refused the refresh token, which was used already',
  refresh_token_not_found: 'the server does not know the refresh token',
  session_not_found: 'the session was ended on the server',
  session_expired: 'the session reached the longest time that the server allows',
  user_banned: 'the user was banned',
  user_not_found: 'the user does not exist anymore',
  refresh_breaker_open: 'the token was refreshed too many times in a short time',
}

/** Codes of this client, which need not be quoted. */
const OWN_CODES: ReadonlySet<string> = new Set([
  'not_signed_in',
  'signed_out',
  'session_ended',
  'superseded',
  'body_spent',
  'blocked_offline',
  'no_live_token',
  'not_ready',
  'deadline',
  'too_large',
  'wrong_type',
  'bad_name',
  'name_taken',
  'stalled',
  'verifier_missing',
  'flow_mismatch',
  'keyRejected',
  'keyDisabled',
  'keyMissing',
  'refresh_breaker_open',
])

/** A failure as a clause. `server` names who responds, such as “the auth server”. */
export function failureInWords(
  { kind, status, code, retryAfter }: FailureFacts,
  server = 'the backend',
): string {
  const text = Object.hasOwn(CODES, code ?? '') ? CODES[code ?? ''] : undefined
  const base = text ?? (Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined) ?? '{server} refused it'
  const details = [
    ...(status === undefined || (text !== undefined && code !== undefined && !OWN_CODES.has(code))
      ? []
      : [String(status)]),
    ...(code === undefined || OWN_CODES.has(code) ? [] : [code]),
  ]
  const wait = retryAfter === undefined ? '' : ` and asks to wait ${durationInWords(retryAfter * 1_000)}`
  return `${base.replace('{server}', server)}${details.length === 0 ? '' : ` (${details.join(', ')})`}${wait}`
}

const REFUSALS: Readonly<Record<string, string>> = {
  keyMissing: 'the request reached the backend without its API key',
  keyRejected: 'the backend does not accept the API key',
  keyDisabled: 'the backend has turned off API keys of this kind',
  keyPrivilege: 'the API key may not be used for this endpoint',
  tokenMissing: 'the backend requires a signed-in user',
  tokenExpired: 'the backend considers the token expired',
  tokenRejected: 'the backend rejects the token',
  sessionEnded: 'the session was ended on the server',
  userBanned: 'the user was banned',
  byApp: 'the app’s policies do not allow it',
  unknown: 'something on the way to the backend refused it',
}

const STATUSES: Readonly<Record<number, string>> = {
  401: 'the backend does not accept the token',
  403: 'the backend does not allow it',
  404: 'the backend found nothing there',
  409: 'it is in conflict with what the backend has',
  413: 'it is too large for the backend',
  422: 'the backend considers it invalid',
  429: 'the backend limits the rate of requests',
}

/** A response without success as a clause. */
export function responseInWords(status: number, refusal?: string): string {
  const words =
    refusal !== undefined && Object.hasOwn(REFUSALS, refusal) ? REFUSALS[refusal] : STATUSES[status]
  const text = words ?? (status >= 500 ? 'the server failed' : 'the backend refused it')
  return `${text} (${status})`
}

/** The failure as evidence, and the fault that caused it. */
export function failureEvidence(step: number, failure: FailureFacts): Evidence[] {
  const { kind, status, code, retryAfter, fault } = failure
  const more = { ...(code !== undefined && { code }), ...(retryAfter !== undefined && { retryAfter }) }
  return [
    status === undefined
      ? { step, kind: 'failure', failure: kind, ...(code !== undefined && { code }) }
      : { step, kind: 'response', status, ...more },
    ...faultEvidence(step, fault),
  ]
}

export const faultEvidence = (step: number, id: string | undefined): Evidence[] =>
  id === undefined ? [] : [{ step, kind: 'fault', id }]
