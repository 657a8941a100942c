// What follows from a refused or closed channel, or from row changes that failed, by the words of the server.

/**
 * `token`: another token helps. `denied`: only another token, other options or who asks anew can. `rateLimited`:
 * later, and not soon. `transient`: again.
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

/** Whether row changes failed for what was asked for, which trying again does not change. */
export const isConfigError = (reason: string): boolean => CONFIGURATION.test(reason)

/** What follows when an HTTP request to the place of a socket that never opened is answered with `status`. */
export function classifyStatus(status: number): RefusalKind {
  if (status === 401 || status === 403) return 'denied'
  return status === 429 || status === 404 ? 'rateLimited' : 'transient'
}
