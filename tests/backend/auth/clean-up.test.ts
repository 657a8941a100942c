// The clean-up: expired rows are deleted a day later, usable ones are kept.
import postgres from 'postgres'
import { afterAll, expect, test } from 'vitest'
import { ask, bearer, refreshRaw, refusal, signInRaw, type TokenPair } from '../../harness/auth.ts'
import { startOwnBackend } from '../../harness/backend.ts'
import { movableClock, newAddress } from '../../harness/mail.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
const skipper = { email: 'skipper@harbour.test', password: 'harbour-demo' }
const challenge = { code_challenge: 'c'.repeat(43), code_challenge_method: 's256' }
const TABLES = [
  'refresh_tokens',
  'sessions',
  'one_time_tokens',
  'flow_state',
  'mfa_challenges',
  'mfa_factors',
  'audit_log_entries',
]

async function startCounted(auth: Parameters<typeof startOwnBackend>[0]) {
  const clock = movableClock()
  const backend = await startOwnBackend({ clock, databaseAccess: {}, ...auth })
  const sql = postgres(backend.databaseUrl ?? '', { max: 1 })
  afterAll(() => sql.end())
  const count = async () => {
    const [counts] = await sql.unsafe<Record<string, number>[]>(
      `select ${TABLES.map(table => `(select count(*)::int from auth.${table}) as ${table}`).join(', ')}`,
    )
    return counts ?? {}
  }
  /** Any request may start the clean-up. With PGlite, the next access to the database runs after it. */
  const after = (seconds: number) => {
    clock.advance(seconds)
    return expect.poll(async () => {
      await ask(backend, 'GET', 'health')
      return count()
    })
  }
  return { backend, clock, count, after }
}

async function fill(backend: Awaited<ReturnType<typeof startCounted>>['backend']): Promise<TokenPair> {
  const session = await signInRaw(backend, skipper)
  const refreshed = (await refreshRaw(backend, session.refresh_token)).body as unknown as TokenPair
  await ask(backend, 'POST', 'recover', { email: skipper.email, ...challenge })
  const factor = await ask(backend, 'POST', 'factors', { factor_type: 'totp' }, bearer(refreshed))
  await ask(backend, 'POST', `factors/${String(factor.body['id'])}/challenge`, {}, bearer(refreshed))
  return refreshed
}

test('of abandoned flows only the session and its token remain', async () => {
  const { backend, clock, count, after } = await startCounted({})
  const session = await fill(backend)
  const full = await count()
  expect(full).toMatchObject({
    refresh_tokens: 2,
    sessions: 1,
    one_time_tokens: 1,
    flow_state: 1,
    mfa_challenges: 1,
    mfa_factors: 1,
  })
  await after(DAY).toEqual(full)
  const log = { audit_log_entries: full['audit_log_entries'] }
  const kept = {
    refresh_tokens: 1,
    sessions: 1,
    one_time_tokens: 0,
    flow_state: 0,
    mfa_challenges: 0,
    mfa_factors: 0,
  }
  await after(HOUR).toEqual({ ...kept, ...log })
  await after(30 * DAY).toEqual({ ...kept, audit_log_entries: 0 })
  clock.advance(-60 * DAY)
  expect((await refreshRaw(backend, session.refresh_token)).status).toBe(200)
})

test.each([
  ['its timebox', { timeboxSeconds: DAY, inactivitySeconds: 0 }, 'Session Expired'],
  ['inactivity', { timeboxSeconds: 0, inactivitySeconds: DAY }, 'Session Expired (Inactivity)'],
])(
  'a session that ended through %s is reported as such for a day, then deleted',
  async (_name, sessions, text) => {
    const { backend, after } = await startCounted({ auth: { sessions } })
    const session = await signInRaw(backend, skipper)
    await after(2 * DAY).toMatchObject({ sessions: 1, refresh_tokens: 1 })
    expect(refusal(await refreshRaw(backend, session.refresh_token))).toEqual([
      400,
      'session_expired',
      `Invalid Refresh Token: ${text}`,
    ])
    await after(HOUR + 1).toMatchObject({ sessions: 0, refresh_tokens: 0 })
  },
)

test('a code that is valid for a week is not deleted earlier', async () => {
  const email = newAddress()
  const { backend, after } = await startCounted({
    auth: { email: { enableConfirmations: true, otpExpirySeconds: 7 * DAY } },
  })
  await ask(backend, 'POST', 'signup', { email, password: 'long-enough' })
  await after(6 * DAY).toMatchObject({ one_time_tokens: 1 })
  const token = backend.inbox.messages(email)[0]?.otp
  expect((await ask(backend, 'POST', 'verify', { type: 'signup', email, token })).status).toBe(200)
})
