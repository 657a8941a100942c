// What the address of a page may carry, what is removed from it, and what is left alone.
import { describe, expect, test } from 'vitest'
import {
  type AuthBackend,
  createSessionStore,
  memoryStorage,
} from '../../../src/services/client/auth/session-store.ts'
import { createVirtualClock } from '../../../src/testing/virtual-clock.ts'
import * as account from '../../../src/services/client/auth/supabase-account.ts'
import { detectUrl, type UrlOptions } from '../../../src/services/client/auth/url-session.ts'
import { createVault } from '../../../src/services/client/auth/vault.ts'
import { addressOf } from '../../harness/address.ts'
import { jwt, KEY, URL_BASE } from '../../harness/fake-backend.ts'

const APP = 'https://app.test/welcome'
const CODE = '5f0c2d0e-7a4b-4c59-9c8f-0b8f0e2f1a77'
const tokens = (fields: Readonly<Record<string, string>> = {}) =>
  new URLSearchParams({
    access_token: jwt('link'),
    refresh_token: 'refresh-link-0123456789',
    expires_in: '3600',
    token_type: 'bearer',
    ...fields,
  }).toString()

interface Page extends UrlOptions {
  readonly href: string
  readonly flowType?: 'implicit' | 'pkce'
  /** What the storage contains in addition to the session. */
  readonly stored?: Readonly<Record<string, string>>
}

async function look({ href, flowType = 'implicit', stored = {}, isOurs }: Page) {
  const page = addressOf(href)
  const secrets: string[] = []
  const storage = memoryStorage()
  for (const [name, value] of Object.entries(stored)) await storage.setItem(`key${name}`, value)
  const backend: AuthBackend = {
    url: URL_BASE,
    key: KEY,
    fetch: () => Promise.reject(new Error('this test sends no request')),
    storage,
    storageKey: 'key',
    flowType,
    id: () => 'attempt-1',
    random: () => 0.5,
    clock: createVirtualClock(),
    vault: createVault(secret => secrets.push(secret)),
    store: createSessionStore(storage, 'key'),
    account: () => Promise.resolve(account),
    page,
    ...(isOurs === undefined ? {} : { isOurs }),
  }
  const event = await detectUrl(backend)
  return { event, now: page.href(), secrets, replaced: page.replaced }
}

const found = (kind: 'tokens' | 'code', recovery = false) => ({
  type: 'url.found',
  attempt: 'attempt-1',
  kind,
  recovery,
})

describe('for us', () => {
  test('tokens in the hash: taken and removed', async () => {
    const { event, now, secrets } = await look({ href: `${APP}?tab=2#${tokens()}` })
    expect(event).toEqual(found('tokens'))
    expect(now).toBe(`${APP}?tab=2`)
    expect(secrets).toEqual([jwt('link'), 'refresh-link-0123456789'])
  })

  test("a provider's tokens are secrets, too, and a recovery is recognized as one", async () => {
    const { event, secrets } = await look({
      href: `${APP}#${tokens({ type: 'recovery', provider_token: 'provider-0123456789' })}`,
    })
    expect(event).toEqual(found('tokens', true))
    expect(secrets).toContain('provider-0123456789')
  })

  test.each([
    ['the verifier of the last flow', {}, { '-code-verifier': '"verifier"' }],
    ['the verifier for this flow', { sb_flow_id: 'flow1' }, { '-flow-flow1-code-verifier': '"verifier"' }],
  ])('a code and %s: taken and removed from the query', async (_, fields, stored) => {
    const query = new URLSearchParams({ tab: '2', code: CODE, ...fields })
    const { event, now, secrets } = await look({ href: `${APP}?${query}#map`, stored, flowType: 'pkce' })
    expect(event).toEqual(found('code'))
    expect(now).toBe(`${APP}?tab=2#map`)
    expect(secrets).toEqual([CODE])
  })

  test('a code without its verifier: fails with an explanation and is removed', async () => {
    const { event, now } = await look({ href: `${APP}?code=${CODE}`, flowType: 'pkce' })
    expect(event).toEqual({
      type: 'url.verifierMissing',
      failure: {
        kind: 'auth',
        code: 'verifier_missing',
        message: 'This link was requested in another browser. Open it there, or request a new one here.',
      },
    })
    expect(now).toBe(APP)
  })

  test('tokens where only codes are accepted: rejected and removed', async () => {
    const { event, now, secrets } = await look({ href: `${APP}#${tokens()}`, flowType: 'pkce' })
    expect(event).toMatchObject({ type: 'url.mismatch', failure: { code: 'flow_mismatch' } })
    expect(now).toBe(APP)
    expect(secrets).toEqual([])
  })

  const denied = 'error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid'
  test.each([
    ['the hash', `${APP}?tab=2#${denied}&sb=`, `${APP}?tab=2`],
    ['the query', `${APP}?${denied}`, APP],
    ['both', `${APP}?${denied}#${denied}&sb=`, APP],
  ])('an error in %s: explained and removed', async (_, href, cleaned) => {
    const { event, now } = await look({ href })
    expect(event).toEqual({
      type: 'url.failed',
      failure: {
        kind: 'auth',
        code: 'otp_expired',
        message: 'This link or code has expired or was already used. Request a new one.',
      },
    })
    expect(now).toBe(cleaned)
  })

  test('an error without a code is marked only in the hash; it is removed from the query, too', async () => {
    const declined = 'error=access_denied&error_description=No+thanks'
    const { event, now } = await look({ href: `${APP}?tab=2&${declined}#${declined}&sb=` })
    expect(event).toMatchObject({ type: 'url.failed', failure: { code: 'access_denied' } })
    expect(now).toBe(`${APP}?tab=2`)
    const other = await look({ href: `${APP}?error=another&state=theirs#${declined}&sb=` })
    expect(other.now).toBe(`${APP}?error=another&state=theirs`)
  })

  test.each([
    ['error=access_denied&error_description=No+thanks&sb=', 'access_denied', 'Sign-in was declined.'],
    [
      'error_code=a_code_of_tomorrow&error_description=Call+this+number',
      'a_code_of_tomorrow',
      'This link did not sign you in (a_code_of_tomorrow). Request a new one.',
    ],
    [
      'error_code=%3Cb%3Ecall+me%3C/b%3E&error_description=x',
      'unknown',
      'This link did not sign you in (unknown). Request a new one.',
    ],
  ])('the error text is ours, since anyone can craft an address: %s', async (hash, code, message) => {
    const { event } = await look({ href: `${APP}#${hash}` })
    expect(event).toEqual({ type: 'url.failed', failure: { kind: 'auth', code, message } })
  })
})

describe('for another library: nothing is changed', () => {
  test.each([
    ['a token that is not a JWT of ours', `#access_token=EAAB0123&token_type=bearer&expires_in=3600&state=x`],
    ['half a session', `#access_token=${jwt('x')}&token_type=bearer`],
    ['a code of another provider', '?code=4/0AX4XfWh&state=xyz'],
    ['an error of another provider', '?error=access_denied&error_description=no&state=xyz'],
    ['one with a numeric code', '?error=access_denied&error_code=200&error_reason=user_denied&state=xyz'],
    ['one in the hash', '#error=login_required&error_code=AADSTS50058&state=xyz'],
    ['a lifetime that is not a number', `#${tokens({ expires_in: 'NaN' })}`],
    ['an endless lifetime', `#${tokens({ expires_in: '1e999' })}`],
    ['a negative lifetime', `#${tokens({ expires_in: '-3600' })}`],
    ['no lifetime', `#${tokens({ expires_in: '0' })}`],
    ['an error without our mark', '?error=not_found'],
  ])('%s', async (_, rest) => {
    const { event, replaced } = await look({ href: APP + rest, flowType: 'implicit' })
    expect(event).toEqual({ type: 'url.foreign' })
    expect(replaced).toEqual([])
  })

  test("a UUID as a code, with a provider's state", async () => {
    const { event, replaced } = await look({ href: `${APP}?code=${CODE}&state=xyz`, flowType: 'pkce' })
    expect(event).toEqual({ type: 'url.foreign' })
    expect(replaced).toEqual([])
  })

  test('a code of another provider, with the verifier of an abandoned sign-in', async () => {
    const stored = { '-code-verifier': '"verifier"' }
    const { event, replaced } = await look({ href: `${APP}?code=4/0AX4XfWh&state=xyz`, stored })
    expect(event).toEqual({ type: 'url.foreign' })
    expect(replaced).toEqual([])
  })

  test.each([
    [
      'a code next to our tokens',
      `${APP}?code=SPRING&error=none#${tokens()}`,
      `${APP}?code=SPRING&error=none`,
    ],
    ['a hash next to our code', `${APP}?code=${CODE}#access_token=EAAB`, `${APP}#access_token=EAAB`],
    ['a code next to our error', `${APP}?code=SPRING#error_code=otp_expired`, `${APP}?code=SPRING`],
  ])('%s stays in the address', async (_, href, cleaned) => {
    const { now } = await look({ href, stored: { '-code-verifier': '"verifier"' } })
    expect(now).toBe(cleaned)
  })

  test('what the app excludes is ignored', async () => {
    const { event, replaced } = await look({
      href: `${APP}#${tokens()}`,
      isOurs: ({ pathname }, params) => pathname === '/auth' && 'access_token' in params,
    })
    expect(event).toEqual({ type: 'url.foreign' })
    expect(replaced).toEqual([])
  })
})

test.each([
  ['an ordinary address', { href: `${APP}?tab=2#map` }],
  ['an unwanted check', { href: `${APP}#${tokens()}`, isOurs: false }],
])('%s: nothing', async (_, page) => {
  const { event, replaced } = await look(page)
  expect(event).toEqual({ type: 'url.none' })
  expect(replaced).toEqual([])
})
