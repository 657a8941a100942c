// Every public method of the official client's auth has a contract test: this list names the file, and fails
// if one is missing.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { describe, expect, test } from 'vitest'

/** The files under tests/backend/auth that call the methods of a namespace. */
const CONTRACTS: Record<string, Record<string, readonly string[]>> = {
  auth: {
    'core.test.ts': ['signUp', 'signInWithPassword'],
    'core-user.test.ts': ['signInAnonymously', 'getSession', 'getUser', 'getClaims', 'updateUser', 'signOut'],
    'core-refresh.test.ts': ['refreshSession', 'setSession'],
    'mail-otp.test.ts': ['signInWithOtp', 'verifyOtp'],
    'mail-recovery.test.ts': ['resetPasswordForEmail', 'resend', 'reauthenticate'],
    'pkce.test.ts': ['exchangeCodeForSession'],
    'oauth/oauth.test.ts': ['signInWithOAuth'],
    'oauth-id-token.test.ts': ['signInWithIdToken'],
    'identities.test.ts': ['getUserIdentities', 'linkIdentity', 'unlinkIdentity'],
    'refusals.test.ts': ['signInWithSSO'],
    'web3/web3.test.ts': ['signInWithWeb3'],
  },
  'auth.mfa': {
    'mfa.test.ts': [
      'enroll',
      'challenge',
      'verify',
      'challengeAndVerify',
      'unenroll',
      'listFactors',
      'getAuthenticatorAssuranceLevel',
    ],
  },
  'auth.mfa.webauthn': { 'refusals.test.ts': ['enroll'] },
  'auth.mfa.recoveryCodes': {
    'refusals.test.ts': ['getStatus', 'generate', 'verify', 'regenerate', 'unenroll'],
  },
  'auth.oauth': {
    'refusals.test.ts': [
      'getAuthorizationDetails',
      'approveAuthorization',
      'denyAuthorization',
      'listGrants',
      'revokeGrant',
    ],
  },
  'auth.passkey': {
    'passkeys.test.ts': [
      'startRegistration',
      'verifyRegistration',
      'startAuthentication',
      'verifyAuthentication',
      'list',
      'update',
      'delete',
    ],
  },
  'auth.admin': {
    'core-admin.test.ts': [
      'listUsers',
      'getUserById',
      'createUser',
      'updateUserById',
      'deleteUser',
      'signOut',
    ],
    'mail-admin.test.ts': ['inviteUserByEmail', 'generateLink'],
  },
  'auth.admin.mfa': { 'mfa.test.ts': ['listFactors', 'deleteFactor'] },
  'auth.admin.oauth': {
    'oauth-clients.test.ts': [
      'listClients',
      'createClient',
      'getClient',
      'updateClient',
      'deleteClient',
      'regenerateClientSecret',
    ],
  },
  'auth.admin.passkey': { 'passkeys.test.ts': ['listPasskeys', 'deletePasskey'] },
  'auth.admin.customProviders': {
    'refusals.test.ts': [
      'listProviders',
      'createProvider',
      'getProvider',
      'updateProvider',
      'deleteProvider',
    ],
  },
}

/** Private in the client's types, or not relevant for a server. */
const NOT_A_CONTRACT: Record<string, readonly string[]> = {
  auth: [
    // Private.
    'logger',
    'fetch',
    'isThrowOnErrorEnabled',
    'signInWithEthereum',
    'signInWithSolana',
    'linkIdentityOAuth',
    'linkIdentityIdToken',
    'fetchJwk',
    // Send no requests themselves.
    'initialize',
    'onAuthStateChange',
    'startAutoRefresh',
    'stopAutoRefresh',
    'dispose',
    // The browser's part of passkeys, on top of `auth.passkey`.
    'signInWithPasskey',
    'registerPasskey',
  ],
  'auth.admin': ['fetch'],
  // Require a browser; mfa-security-key.test.ts sends their requests.
  'auth.mfa.webauthn': ['challenge', 'verify', 'authenticate', 'register'],
}

const client = createClient('http://127.0.0.1:9', 'key', {
  auth: {
    persistSession: false,
    autoRefreshToken: false,
    experimental: { passkey: true, recoveryCodes: true },
  },
})

/** The object of a dotted name. */
const namespace = (name: string): object => {
  const found = name.split('.').reduce<unknown>((value, part) => Reflect.get(value as object, part), client)
  if (typeof found !== 'object' || found === null) throw new Error(`The client has no ${name}.`)
  return found
}

const namesIn = (value: object): string[] => {
  const parent: unknown = Object.getPrototypeOf(value)
  const inherited =
    typeof parent === 'object' && parent !== null && parent !== Object.prototype ? namesIn(parent) : []
  return [...new Set([...Object.getOwnPropertyNames(value), ...inherited])].filter(
    name => !name.startsWith('_'),
  )
}

const methodsOf = (name: string) => {
  const value = namespace(name)
  return namesIn(value).filter(
    member => member !== 'constructor' && typeof Reflect.get(value, member) === 'function',
  )
}

describe.for(Object.keys(CONTRACTS))('%s', name => {
  const files = CONTRACTS[name] ?? {}

  test('every method is listed', () => {
    const listed = [...Object.values(files).flat(), ...(NOT_A_CONTRACT[name] ?? [])]
    expect(listed.toSorted()).toEqual(methodsOf(name).toSorted())
  })

  test.for(Object.entries(files))('%s calls the methods listed for it', ([file, methods]) => {
    const source = readFileSync(join(import.meta.dirname, file), 'utf8')
    const missing = methods.filter(method => !new RegExp(`\\b${method}\\(`).test(source))
    expect(missing).toEqual([])
  })
})

test('every namespace is listed', () => {
  const nested = (name: string): string[] => {
    const value = namespace(name)
    const below = Object.keys(value)
      .filter(key => PUBLIC_NAMESPACES.includes(key) && typeof Reflect.get(value, key) === 'object')
      .map(key => `${name}.${key}`)
    return [name, ...below.flatMap(nested)]
  }
  expect(nested('auth').toSorted()).toEqual(Object.keys(CONTRACTS).toSorted())
})

/** Other objects of the client are internal. */
const PUBLIC_NAMESPACES = ['admin', 'mfa', 'oauth', 'passkey', 'customProviders', 'webauthn', 'recoveryCodes']
