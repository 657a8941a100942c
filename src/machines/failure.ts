// Failures as plain data, and the one place that decides what follows from them.

/** What went wrong, in terms an app can act on. `message` can be shown to users and contains no secrets. */
export interface Failure {
  readonly kind:
    | 'network'
    | 'timeout'
    | 'aborted'
    | 'auth'
    | 'apiKey'
    | 'forbidden'
    | 'notFound'
    | 'conflict'
    | 'validation'
    | 'rateLimit'
    | 'storage'
    | 'function'
    | 'decode'
    | 'server'
    | 'disposed'
    | 'bug'
  readonly code?: string
  readonly status?: number
  readonly message: string
  /** Seconds to wait, from the server's `Retry-After`. */
  readonly retryAfter?: number
  /** The body of a function's error response: parsed if it is JSON, else text. */
  readonly body?: unknown
  /** The injected fault that the response names as its cause, e.g. `late#2`. */
  readonly faultId?: string
}

/** Why there is no session. */
export type SignedOutReason =
  | 'never'
  | 'userLocal'
  | 'userGlobal'
  | 'remoteRevoked'
  | 'notFound'
  | 'reuseDetected'
  | 'inactivity'
  | 'timebox'
  | 'newerLogin'
  | 'lowAal'
  | 'banned'
  | 'storageCleared'
  | 'otherTab'
  | 'corrupt'

/**
 * Why a request was refused. `keyPrivilege`: the key is valid, but not for this endpoint. `byApp`: a policy, a
 * function or another rule of the app. `unknown`: something that is not a part of a backend refused it, such as a
 * proxy.
 */
export type AccessRefusal =
  | KeyRefusal
  | 'keyPrivilege'
  | 'tokenMissing'
  | 'tokenExpired'
  | 'tokenRejected'
  | 'sessionEnded'
  | 'userBanned'
  | 'byApp'
  | 'unknown'

/** Why a backend does not accept the API key. `keyDisabled`: keys of this kind are turned off. */
export type KeyRefusal = 'keyMissing' | 'keyRejected' | 'keyDisabled'

/** A service of the backend that checks the API key. */
export type KeyFamily = 'auth' | 'rest' | 'storage' | 'functions' | 'realtime'

const KEY_MESSAGES: Readonly<Record<KeyRefusal, string>> = {
  keyMissing: 'The request reached the backend without its API key. Does a proxy remove the `apikey` header?',
  keyRejected:
    'The backend does not accept this API key. It was replaced, revoked, or belongs to another project. Enter the current publishable key.',
  keyDisabled:
    'The legacy API keys of this project are disabled. Enter its publishable key, which begins with sb_publishable_.',
}

export const isKeyRefusal = (refusal: AccessRefusal | undefined): refusal is KeyRefusal =>
  refusal !== undefined && refusal in KEY_MESSAGES

/** The failure of a request whose API key was refused; no retry and no other token helps. */
export const keyFailure = (refusal: KeyRefusal, status?: number): Failure => ({
  kind: 'apiKey',
  code: refusal,
  ...(status !== undefined && { status }),
  message: KEY_MESSAGES[refusal],
})

const RETRYABLE_STATUS: ReadonlySet<number> = new Set([
  500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 530,
])

/** Whether a later retry can help. */
export function isRetryable(failure: Failure): boolean {
  if (failure.kind === 'network' || failure.kind === 'timeout' || failure.kind === 'rateLimit') return true
  return failure.status !== undefined && RETRYABLE_STATUS.has(failure.status)
}

const REASON_BY_CODE: Readonly<Record<string, SignedOutReason>> = {
  refresh_token_not_found: 'notFound',
  refresh_token_already_used: 'reuseDetected',
  session_not_found: 'remoteRevoked',
  session_expired: 'timebox',
  user_not_found: 'notFound',
  user_banned: 'banned',
}

const REASON_BY_TEXT: readonly (readonly [RegExp, SignedOutReason])[] = [
  [/already used/i, 'reuseDetected'],
  [/inactivity/i, 'inactivity'],
  [/low aal/i, 'lowAal'],
  [/revoked by newer/i, 'newerLogin'],
  [/user banned/i, 'banned'],
  [/session expired/i, 'timebox'],
  [/no valid session|session (?:(?!session ).)*does not exist/i, 'remoteRevoked'],
  [/refresh token(?:(?!refresh token).)*(not found|not valid)|invalid refresh token/i, 'notFound'],
]

/**
 * The reason why a refused refresh ends the session, or undefined if the session is kept. Only errors about
 * the token, the session or the user are terminal; a refused API key or a malformed request is not. Texts are
 * checked first, because they distinguish errors that share a code.
 */
export function terminalReason(failure: Failure): SignedOutReason | undefined {
  const { kind, status = 0, code = '', message } = failure
  if (kind === 'apiKey' || status < 400 || status >= 500 || status === 429) return undefined
  return REASON_BY_TEXT.find(([text]) => text.test(message))?.[1] ?? REASON_BY_CODE[code]
}

/** A broken port is a bug: reported as one, and never retried. */
export function bug(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  return { kind: 'bug', message: `Unexpected failure inside the client: ${message}` }
}

export const disposed: Failure = { kind: 'disposed', message: 'The client was disposed.' }
export const offline: Failure = { kind: 'network', message: 'This device is offline.' }

export const timedOut = (what: string): Failure => ({
  kind: 'timeout',
  message: `${what} timed out.`,
})

export type AbortReason = 'by_app' | 'superseded' | 'signed_out'

const ABORTED: Readonly<Record<AbortReason, string>> = {
  by_app: 'The request was aborted.',
  superseded: 'A newer request replaced this one.',
  signed_out: 'The session ended during the request.',
}
export const aborted = (code: AbortReason = 'by_app'): Failure => ({
  kind: 'aborted',
  code,
  message: ABORTED[code],
})
