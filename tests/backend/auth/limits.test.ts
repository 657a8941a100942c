// Rate limits allow and refuse exactly what the official server's limiters do.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRateLimits, type LimitedRoute } from '../../../backend/auth/limits.ts'
import { authSettings } from '../../../backend/auth/index.ts'
import { ask } from '../../harness/auth.ts'
import { startOwnBackend } from '../../harness/backend.ts'
import { movableClock } from '../../harness/mail.ts'

interface Sequence {
  readonly kind: LimitedRoute
  readonly count: number
  /** Milliseconds since the start. */
  readonly at: readonly number[]
  /** A digit for each time: 1 if allowed. */
  readonly allowed: string
}

/**
 * Written by a Go program with golang.org/x/time/rate 0.9, the limiter of the official server, with the rates and
 * bursts of supabase/auth, internal/api/apilimiter/apilimiter.go:189-241: a burst of 60, then random pauses.
 */
const SEQUENCES: readonly Sequence[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'limits-of-the-original.json'), 'utf8'),
)

/** A clock in milliseconds. */
function handClock() {
  let now = 1_700_000_000_000
  return { now: () => now, set: (ms: number) => (now = 1_700_000_000_000 + ms) }
}

function settingsFor(count: number) {
  const all = { anonymousUsers: count, tokenRefresh: count, signInSignUps: count, tokenVerifications: count }
  const rateLimit = { ...all, passkey: count, web3: count, emailSent: count, smsSent: count }
  return authSettings({ rateLimit }, { url: 'http://127.0.0.1:1' }).rateLimit
}

const isAllowed = (act: () => void) => {
  try {
    act()
    return true
  } catch {
    return false
  }
}

test.each(SEQUENCES)('$kind at $count: as the original, over 80 requests', ({ kind, count, at, allowed }) => {
  const clock = handClock()
  const limits = createRateLimits(settingsFor(count), clock)
  const answers = at.map(ms => {
    clock.set(ms)
    return isAllowed(() => limits.request(kind)) ? '1' : '0'
  })
  expect(answers.join('')).toBe(allowed)
})

// supabase/auth, internal/ratelimit/interval.go: a count per hour, which returns at once with the next hour.
test.each(['mail', 'sms'] as const)('%s: a number per hour, all again in the next', kind => {
  const clock = handClock()
  const limits = createRateLimits(settingsFor(3), clock)
  const sent = () => [1, 2, 3, 4].map(() => isAllowed(() => limits[kind]()))
  clock.set(60_000)
  expect(sent()).toEqual([true, true, true, false])
  clock.set(3_599_999)
  expect(sent()).toEqual([false, false, false, false])
  clock.set(3_600_000)
  expect(sent()).toEqual([true, true, true, false])
  clock.set(0)
  expect(sent()).toEqual([false, false, false, false])
  clock.set(3_600_000)
  expect(sent()).toEqual([true, true, true, false])
})

// Measured on the official server with GOTRUE_RATE_LIMIT_TOKEN_REFRESH=150: 31 answers with 400, then 29 with 429.
test.each([
  ['the default of hosted projects', 150],
  ['the default of the demo', undefined],
])('60 wrong passwords with %s are a burst of 30 and what the rate adds', async (_name, tokenRefresh) => {
  const clock = movableClock()
  const rateLimit = tokenRefresh === undefined ? {} : { tokenRefresh }
  const backend = await startOwnBackend({ clock, auth: { rateLimit } })
  const wrong = () =>
    ask(backend, 'POST', 'token?grant_type=password', { email: 'skipper@harbour.test', password: 'wrong' })
  const statuses: number[] = []
  for (let count = 0; count < 60; count += 1) statuses.push((await wrong()).status)
  expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 400))
  expect(statuses.slice(30)).toEqual(Array.from({ length: 30 }, () => 429))
})

test('60 sign-ups at once are a burst of 30', async () => {
  const backend = await startOwnBackend({ clock: movableClock() })
  const statuses: number[] = []
  for (let count = 0; count < 60; count += 1) {
    const body = { email: `crew-${count}@harbour.test`, password: 'long-enough-1' }
    statuses.push((await ask(backend, 'POST', 'signup', body)).status)
  }
  expect(statuses.filter(status => status === 200)).toHaveLength(30)
  expect(statuses.filter(status => status === 429)).toHaveLength(30)
})
