// Classifies a refused or closed channel, or failed row changes, by the text of the server.

/**
 * `token`: retry with another token. `denied`: retry only with another token, other options or on request.
 * `rateLimited`: retry after a long pause. `transient`: retry.
 */
export type RefusalKind = 'token' | 'denied' | 'rateLimited' | 'transient'

const TOKEN = /jwt|token has expired|signature_error|error_generating_signer/i
const DENIED =
  /unauthorized|not authorized|private[- ]?only|permission|mismatch|row-level security|TopicNameRequired|InvalidJoinPayload|Replay (params|is not allowed)/i
const RATE_LIMITED =
  /RateLimitReached|too many (messages|presence messages)|rate limit exceeded|size exceeded/i

export function classifyRefusal(reason: string): RefusalKind {
  if (TOKEN.test(reason)) return 'token'
  if (DENIED.test(reason)) return 'denied'
  return RATE_LIMITED.test(reason) ? 'rateLimited' : 'transient'
}

const CONFIGURATION =
  /subscription params|connect parameters|given parameters|does not exist|invalid|malformed|column|publication|filter/i

/** Whether row changes failed because of the requested configuration, so that a retry cannot help. */
export const isConfigError = (reason: string): boolean => CONFIGURATION.test(reason)

/** Classifies the HTTP `status` of a request to the URL of a socket that never opened. */
export function classifyStatus(status: number): RefusalKind {
  if (status === 401 || status === 403) return 'denied'
  return status === 429 || status === 404 ? 'rateLimited' : 'transient'
}
