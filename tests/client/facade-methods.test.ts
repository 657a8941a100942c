// Every method of the official AuthClient exists on ours and acts as its kind says: new methods fail here
// first.
import type { GoTrueClient } from '@supabase/supabase-js'
import { describe, expect, test } from 'vitest'
import { credentials, signIn, startClient } from '../harness/client.ts'
import { jwt, KEY } from '../harness/fake-backend.ts'

/**
 * `signIn`: an attempt of the session machine. `account`: sent as the user. `public`: sent with only the API
 * key, also when signed in. `own`: answered by the machines without a request.
 */
type Kind = 'signIn' | 'account' | 'public' | 'own'
type Table<Api> = Readonly<
  Record<Exclude<keyof Api, 'mfa' | 'oauth' | 'passkey' | 'admin'>, readonly [Kind, ...unknown[]]>
>

const email = 'skipper@harbour.test'
const identity = { id: 'i', user_id: 'u', identity_id: 'i', provider: 'github' }

const AUTH: Table<GoTrueClient> = {
  signInWithPassword: ['signIn', credentials],
  signUp: ['signIn', credentials],
  signInAnonymously: ['signIn'],
  signInWithIdToken: ['signIn', { provider: 'google', token: 't' }],
  verifyOtp: ['signIn', { email, token: '123456', type: 'email' }],
  exchangeCodeForSession: ['signIn', 'code'],
  setSession: ['signIn', { access_token: jwt('set'), refresh_token: 'r' }],
  getUser: ['account'],
  updateUser: ['account', { data: {} }],
  reauthenticate: ['account'],
  getUserIdentities: ['account'],
  linkIdentity: ['account', { provider: 'github' }],
  unlinkIdentity: ['account', identity],
  signInWithOtp: ['public', { email }],
  resend: ['public', { email, type: 'signup' }],
  resetPasswordForEmail: ['public', email],
  signInWithSSO: ['public', { domain: 'harbour.test' }],
  // Wallets and passkeys ask the user first; the result is an attempt like the others.
  signInWithWeb3: ['public', { chain: 'ethereum', message: 'm', signature: '0x' }],
  // The provider's address is built locally.
  signInWithOAuth: ['own', { provider: 'github' }],
  // Without browser support for passkeys the official client stops here, too.
  signInWithPasskey: ['own'],
  registerPasskey: ['own'],
  getSession: ['own'],
  refreshSession: ['own'],
  signOut: ['own', { scope: 'local' }],
  onAuthStateChange: ['own', () => undefined],
  initialize: ['own'],
  startAutoRefresh: ['own'],
  stopAutoRefresh: ['own'],
  isThrowOnErrorEnabled: ['own'],
  // A token without a key id is verified by the server.
  getClaims: ['account', undefined, { allowExpired: true }],
  dispose: ['own'],
}

type Mfa = GoTrueClient['mfa']
const MFA: Readonly<Record<Exclude<keyof Mfa, 'webauthn' | 'recoveryCodes'>, readonly [Kind, ...unknown[]]>> =
  {
    enroll: ['account', { factorType: 'totp' }],
    challenge: ['account', { factorId: 'f' }],
    verify: ['account', { factorId: 'f', challengeId: 'c', code: '123456' }],
    challengeAndVerify: ['account', { factorId: 'f', code: '123456' }],
    unenroll: ['account', { factorId: 'f' }],
    listFactors: ['account'],
    getAuthenticatorAssuranceLevel: ['own'],
  }

type Oauth = GoTrueClient['oauth']
const OAUTH: Readonly<Record<keyof Oauth, readonly [Kind, ...unknown[]]>> = {
  getAuthorizationDetails: ['account', 'a'],
  approveAuthorization: ['account', 'a'],
  denyAuthorization: ['account', 'a'],
  listGrants: ['account'],
  revokeGrant: ['account', { clientId: 'c' }],
}

const PASSKEY: Readonly<Record<keyof GoTrueClient['passkey'], readonly [Kind, ...unknown[]]>> = {
  startRegistration: ['account'],
  verifyRegistration: ['account', { challengeId: 'c', credential: {} }],
  startAuthentication: ['public'],
  verifyAuthentication: ['public', { challengeId: 'c', credential: {} }],
  list: ['account'],
  update: ['account', { passkeyId: 'p', friendlyName: 'Key' }],
  delete: ['account', { passkeyId: 'p' }],
}

const rows = [
  ...Object.entries(AUTH).map(([name, row]) => [name, row] as const),
  ...Object.entries(MFA).map(([name, row]) => [`mfa.${name}`, row] as const),
  ...Object.entries(PASSKEY).map(([name, row]) => [`passkey.${name}`, row] as const),
  ...Object.entries(OAUTH).map(([name, row]) => [`oauth.${name}`, row] as const),
].map(([name, [kind, ...given]]) => ({ name, kind, given }))

test.each(rows.filter(({ kind }) => kind !== 'signIn'))('$name is $kind', async ({ name, kind, given }) => {
  const { client, requests } = startClient(signIn)
  const { auth } = client.supabase
  await auth.signInWithPassword(credentials)
  requests.length = 0
  await call(auth, name, given)
  const [first] = requests.filter(({ path }) => !/logout|refresh_token/.test(path))
  const authorizations = { account: `Bearer ${jwt('first')}`, public: `Bearer ${KEY}`, own: undefined }
  expect(first?.authorization).toBe(authorizations[kind as Exclude<Kind, 'signIn'>])
})

test.each(rows.filter(({ kind }) => kind === 'signIn'))('$name is $kind', async ({ name, given }) => {
  const { client, requests } = startClient(signIn)
  const { auth } = client.supabase
  await auth.initialize()
  await call(auth, name, given)
  const sent = (client.recording?.trace.stimuli ?? []).map(({ event }) => event as { type?: string })
  const attempts = sent.flatMap(event => (event.type === 'session.signIn' ? [event] : []))
  expect(attempts).toEqual([{ type: 'session.signIn', attempt: expect.any(String), method: name }])
  expect(requests.length).toBeGreaterThan(0)
})

describe('methods that this backend does not offer behave as in the official client', () => {
  test('recovery codes are experimental in the official client', async () => {
    const { auth } = startClient().client.supabase
    await expect(auth.mfa.recoveryCodes.getStatus()).rejects.toThrow('experimental')
  })

  test('the admin API uses the API key, and the server decides whether to reject it', async () => {
    const { client, requests } = startClient()
    await client.supabase.auth.admin.listUsers()
    expect(requests).toMatchObject([
      { path: '/auth/v1/admin/users?page=&per_page=', authorization: `Bearer ${KEY}` },
    ])
  })
})

/** Some simulated responses do not fit the method: what matters is how the request was sent. */
async function call(auth: GoTrueClient, name: string, given: readonly unknown[]): Promise<void> {
  const [part = '', method = ''] = name.includes('.') ? name.split('.') : ['', name]
  const api: object = part === '' ? auth : (Reflect.get(auth, part) as object)
  const run = Reflect.get(api, method) as (...given: readonly unknown[]) => unknown
  await Promise.resolve(run.apply(api, [...given])).catch(() => undefined)
}
