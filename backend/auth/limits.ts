// Rate limits: a token bucket for each kind of request, refilled by the backend's clock, and a count per hour for
// emails and text messages. All callers of a loopback server run on this machine, and forwarding headers can be forged, so all callers share one bucket.
// Only verifications have a bucket per address or token, so that guesses against one account do not block
// others.
import type { Clock } from '../shared/clock.ts'
import { AuthError } from './errors.ts'
import type { RateLimitSettings } from './settings.ts'

/** Routes with the same limit have separate buckets, as in the official server. */
export type LimitedRoute =
  | 'token'
  | 'signup'
  | 'anonymous'
  | 'otp'
  | 'magiclink'
  | 'recover'
  | 'resend'
  | 'user'
  | 'verify'
  | 'factorVerify'
  | 'factorChallenge'
  | 'passkey'
  | 'web3'
  | 'oauthRegister'

export interface RateLimits {
  /** @throws 429 `over_request_rate_limit` if there were too many requests (for the subject, if given). */
  request(route: LimitedRoute, subject?: string): void
  /** @throws 429 `over_email_send_rate_limit` if the backend sent too many emails. */
  mail(): void
  /** @throws 429 `over_sms_send_rate_limit` if the backend sent too many text messages. */
  sms(): void
}

const HOUR_MS = 3_600_000
const FIVE_MINUTES_MS = 300_000
const MINUTE_MS = 60_000
/** The official server allows a burst of this size, whatever the rate. */
const BURST = 30
const FACTOR_CHECKS_PER_MINUTE = 15
const REGISTRATIONS = 10

interface Rate {
  readonly count: number
  readonly perMs: number
  readonly burst: number
}

export function createRateLimits(settings: RateLimitSettings, clock: Clock): RateLimits {
  const buckets = createBuckets(clock)
  const rates = routeRates(settings)
  const mails = createWindow(settings.emailSent, clock)
  const messages = createWindow(settings.smsSent, clock)
  const refuse = (code: string, message: string, waitMs: number | undefined) => {
    if (waitMs === undefined) return
    throw new AuthError(429, code, message, {}, { 'retry-after': String(Math.ceil(waitMs / 1000)) })
  }
  return {
    request(route, subject = '') {
      const wait = buckets.take(`${route} ${subject}`, rates[route])
      refuse('over_request_rate_limit', 'Request rate limit reached', wait)
    },
    mail() {
      refuse('over_email_send_rate_limit', 'email rate limit exceeded', mails())
    },
    sms() {
      refuse('over_sms_send_rate_limit', 'SMS rate limit exceeded', messages())
    },
  }
}

function routeRates(settings: RateLimitSettings): Record<LimitedRoute, Rate> {
  const fiveMinutes = (count: number): Rate => ({ count, perMs: FIVE_MINUTES_MS, burst: BURST })
  const sends = fiveMinutes(settings.signInSignUps)
  const checks = { count: FACTOR_CHECKS_PER_MINUTE, perMs: MINUTE_MS, burst: BURST }
  return {
    token: fiveMinutes(settings.tokenRefresh),
    signup: sends,
    anonymous: { count: settings.anonymousUsers, perMs: HOUR_MS, burst: settings.anonymousUsers },
    otp: sends,
    magiclink: sends,
    recover: sends,
    resend: sends,
    user: sends,
    verify: fiveMinutes(settings.tokenVerifications),
    factorVerify: checks,
    factorChallenge: checks,
    passkey: fiveMinutes(settings.passkey),
    web3: fiveMinutes(settings.web3),
    oauthRegister: fiveMinutes(REGISTRATIONS),
  }
}

/**
 * A number of events per hour; hours begin when the service starts. Each call takes one; if there is none, it
 * returns the wait in milliseconds.
 */
function createWindow(count: number, clock: Clock): () => number | undefined {
  let startedAt = clock.now()
  let tokensUsed = 0
  return () => {
    const now = clock.now()
    const hours = Math.floor((now - startedAt) / HOUR_MS)
    if (hours > 0) {
      startedAt += hours * HOUR_MS
      tokensUsed = 0
    }
    // After a clock is set back, a window must not wait until the clock has caught up.
    if (now < startedAt) startedAt = now
    if (tokensUsed >= count) return startedAt + HOUR_MS - now
    tokensUsed += 1
    return undefined
  }
}

interface Buckets {
  /** Takes one token; if there is none, returns the wait in milliseconds. */
  take(key: string, rate: Rate): number | undefined
}

/** Callers choose the subjects, so their number must be bounded. */
const BUCKETS_KEPT = 10_000

function createBuckets(clock: Clock): Buckets {
  const buckets = new Map<string, { tokens: number; at: number }>()
  return {
    take(key, { count, perMs, burst }) {
      const now = clock.now()
      const perToken = perMs / Math.max(count, Number.MIN_VALUE)
      const bucket = buckets.get(key) ?? { tokens: burst, at: now }
      const tokens = Math.min(burst, bucket.tokens + Math.max(0, now - bucket.at) / perToken)
      if (tokens < 1) {
        // After a clock is set back, a bucket must not wait until the clock has caught up.
        if (now < bucket.at) buckets.set(key, { tokens, at: now })
        return Math.min(perMs, (1 - tokens) * perToken)
      }
      // The most recently used bucket moves to the end, so that the first one is the fullest.
      buckets.delete(key)
      buckets.set(key, { tokens: tokens - 1, at: now })
      const oldest = buckets.keys().next().value
      if (buckets.size > BUCKETS_KEPT && oldest !== undefined) buckets.delete(oldest)
      return undefined
    },
  }
}
