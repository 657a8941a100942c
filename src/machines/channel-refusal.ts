// What follows from a refused or closed channel, decided by the words of the server.

/** `denied`: only another token or topic can help. `rateLimited`: later, and not soon. `transient`: again. */
export type RefusalKind = 'denied' | 'rateLimited' | 'transient'

const DENIED =
  /unauthorized|not authorized|private[- ]?only|permission|mismatch|row-level security|TopicNameRequired|InvalidJoinPayload|Replay (params|is not allowed)/i
const RATE_LIMITED =
  /RateLimitReached|too many (messages|presence messages)|rate limit exceeded|size exceeded/i

export function classifyRefusal(reason: string): RefusalKind {
  if (DENIED.test(reason)) return 'denied'
  return RATE_LIMITED.test(reason) ? 'rateLimited' : 'transient'
}
