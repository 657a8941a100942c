// `supabase.auth` while auth-js has not been loaded, and when it cannot be.
import {
  AuthClient,
  AuthRetryableFetchError,
  isAuthError,
  isAuthRetryableFetchError,
} from '@supabase/supabase-js'
import { expect, test, vi } from 'vitest'
import { createLazyAuth } from '../../../src/services/client/official/lazy-auth.ts'
import { describeFailure } from '../../../src/public/index.ts'
import { hostOf } from '../../harness/auth-host.ts'
import { credentials } from '../../harness/client.ts'
import { URL_BASE } from '../../harness/fake-backend.ts'

const load = () => import('../../../src/services/client/official/supabase-official.ts')

/** Whose code cannot be loaded the first times. */
const failing = (times: number) => {
  let left = times
  return vi.fn<typeof load>(() => (left-- > 0 ? Promise.reject(new TypeError('Failed to fetch')) : load()))
}

test('the session and its events need no auth-js', async () => {
  const loading = failing(0)
  const auth = createLazyAuth(hostOf(), loading)
  const events: string[] = []
  auth.onAuthStateChange(event => void events.push(event))
  expect(await auth.initialize()).toEqual({ error: null })
  expect(await auth.getSession()).toEqual({ data: { session: null }, error: null })
  await vi.waitFor(() => expect(events).toEqual(['INITIAL_SESSION']))
  await auth.stopAutoRefresh()
  await auth.startAutoRefresh()
  expect(loading).not.toHaveBeenCalled()
})

test('every method and group of the official client is present', async () => {
  const auth = createLazyAuth(hostOf(), load)
  const official = new AuthClient({ url: URL_BASE, autoRefreshToken: false, persistSession: false })
  const isPublic = (name: string) => /^[a-z]/.test(name)
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(AuthClient.prototype) as object)
  const names = [...methods, ...Object.getOwnPropertyNames(AuthClient.prototype)].filter(isPublic)
  const isMethod = (name: string) => typeof Reflect.get(official, name) === 'function'
  for (const name of names.filter(isMethod))
    expect([name, typeof Reflect.get(auth, name)]).toEqual([name, 'function'])
  for (const group of ['mfa', 'admin', 'oauth'] as const)
    for (const name of Object.keys(official[group]))
      expect(Reflect.get(auth[group], name)).toBeTypeOf('function')
  expect(await auth.mfa.listFactors()).toEqual(await official.mfa.listFactors())
  expect(auth.mfa.listFactors).toBe(auth.mfa.listFactors)
})

test('what frameworks and tools ask an object for is absent', async () => {
  const auth = createLazyAuth(hostOf(), load)
  expect(await Promise.resolve(auth)).toBe(auth)
  for (const name of ['then', 'toJSON', '$$typeof', '__v_isRef', Symbol.iterator, Symbol.toPrimitive])
    expect(Reflect.get(auth, name)).toBeUndefined()
  expect(await Promise.resolve(auth.mfa)).toBe(auth.mfa)
})

test('a method can be replaced, as tests of apps do', async () => {
  const auth = createLazyAuth(hostOf(), load)
  const answer = { data: { user: null, session: null }, error: null } as never
  vi.spyOn(auth, 'signInWithPassword').mockResolvedValue(answer)
  vi.spyOn(auth.mfa, 'listFactors').mockResolvedValue(answer)
  vi.spyOn(auth, 'getSession').mockResolvedValue(answer)
  expect(await auth.signInWithPassword(credentials)).toBe(answer)
  expect(await auth.mfa.listFactors()).toBe(answer)
  expect(await auth.getSession()).toBe(answer)
})

test('a method that auth-js does not have is named', async () => {
  const auth = createLazyAuth(hostOf(), load) as unknown as { readonly mfa: { missing(): Promise<unknown> } }
  await expect(auth.mfa.missing()).rejects.toThrow('supabase.auth.mfa.missing is not a function')
})

test('code that cannot be loaded is a network error, and the next call loads it again', async () => {
  const loading = failing(2)
  const auth = createLazyAuth(hostOf(), loading)
  const { data, error } = await auth.signInWithPassword(credentials)
  expect(data).toEqual({ user: null, session: null })
  expect([isAuthError(error), isAuthRetryableFetchError(error)]).toEqual([true, true])
  const expected = new AuthRetryableFetchError('A part of this app could not be loaded.', 0)
  expect(error).toMatchObject({ name: expected.name, message: expected.message, status: expected.status })
  expect(await describeFailure(error)).toMatchObject({ kind: 'network', code: 'part_not_loaded' })
  expect((await auth.signInWithPassword(credentials)).error).toBeNull()
})

test('code that cannot be loaded is thrown with `throwOnError`', async () => {
  const auth = createLazyAuth(hostOf({ throwOnError: true }), failing(2))
  expect(auth.isThrowOnErrorEnabled()).toBe(true)
  await expect(auth.resend({ type: 'signup', email: credentials.email })).rejects.toMatchObject({
    message: 'A part of this app could not be loaded.',
  })
})

test('signing out needs no auth-js', async () => {
  const host = hostOf()
  const { error } = await createLazyAuth(host, load).signInWithPassword(credentials)
  expect([error, host.status().session.phase]).toEqual([null, 'authenticated'])
  await createLazyAuth(host, failing(10)).signOut({ scope: 'local' })
  expect(host.status().session.phase).toBe('signedOut')
})
