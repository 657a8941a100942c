// Options of the session on the wire: what is stored and sent, and which links sign in.
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { expect, onTestFinished, vi } from 'vitest'
import { type ChartroomClient, createChartroomClient } from '../../../src/public/index.ts'
import { memoryStorage } from '../../../src/services/client/auth/session-store.ts'
import type { AuthOptions } from '../../../src/services/client/options.ts'
import { credentials, watchedClient } from '../../harness/client.ts'
import { json, jwt, KEY, sessionBody, storedSession, URL_BASE } from '../../harness/fake-backend.ts'
import { clients, type OptionPath, type OptionTests, sentByBoth } from '../../harness/option-wire.ts'

/** Answers every call with a session. */
const signedIn = () => json(sessionBody('first'))

/** Signs in with both clients, each with its own storage, and returns what each has stored. */
async function storedByBoth(auth: AuthOptions) {
  const stored: Record<string, string>[] = []
  for (const isOurs of [false, true]) {
    const storage = memoryStorage()
    const set = vi.spyOn(storage, 'setItem')
    const { official, ours } = clients({
      auth: { ...auth, storage },
      global: { fetch: () => Promise.resolve(signedIn()) },
    })
    const { error } = await (isOurs ? ours : official).auth.signInWithPassword(credentials)
    expect(error).toBeNull()
    stored.push(Object.fromEntries(set.mock.calls))
  }
  const [official, ours] = stored
  return { official, ours }
}

const tokenOf = ({ status }: ChartroomClient) => {
  const { session } = status()
  return session.phase === 'authenticated' ? session.token : undefined
}

const LINK = `https://app.test/welcome#${new URLSearchParams({
  access_token: jwt('link'),
  refresh_token: 'refresh-link-0123456789',
  expires_in: '3600',
  token_type: 'bearer',
})}`

/** Opens a link with one client as the page does; returns its requests, its user and the page's address. */
async function openLink(isOurs: boolean, auth: AuthOptions) {
  const location = { href: LINK }
  const replace = (_: unknown, __: string, address: string | URL) => {
    location.href = new URL(address, location.href).href
  }
  const history = { state: null, replaceState: replace }
  const page = Object.assign(new EventTarget(), { location, history })
  Object.defineProperty(location, 'hash', {
    get: () => new URL(location.href).hash,
    set: (hash: string) => {
      const address = new URL(location.href)
      address.hash = hash
      location.href = address.href
    },
  })
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  for (const [name, value] of Object.entries({ window: page, document, location, history }))
    vi.stubGlobal(name, value)
  const requests: string[] = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { method, url } = new Request(input, init)
    requests.push(`${method} ${url}`)
    return Promise.resolve(json(sessionBody('link').user))
  }
  const options = { auth: { ...auth, storage: memoryStorage(), storageKey: 'k' }, global: { fetch } }
  const supabase = isOurs
    ? disposed(createChartroomClient(URL_BASE, KEY, options)).supabase
    : createClient(URL_BASE, KEY, { ...(options as object) })
  const { data } = await supabase.auth.getSession()
  await supabase.auth.stopAutoRefresh()
  vi.unstubAllGlobals()
  return { requests, user: data.session?.user.id, hash: new URL(location.href).hash }
}

function disposed(client: ChartroomClient): ChartroomClient {
  onTestFinished(() => client.dispose())
  return client
}

async function openedByBoth(auth: AuthOptions) {
  return { official: await openLink(false, auth), ours: await openLink(true, auth) }
}

const signInByEmail = (supabase: SupabaseClient) =>
  supabase.auth.signInWithOtp({
    email: credentials.email,
    options: { emailRedirectTo: 'https://app.test/welcome' },
  })

/** A request without what is random in it. */
const withoutChance = ({ call, body }: Record<string, string | null>) =>
  `${call} ${body}`
    .replaceAll(/sb_flow_id(=|%3D)[\w-]+/g, 'sb_flow_id$1FLOW')
    .replaceAll(/("code_challenge":")[\w-]+/g, '$1CHALLENGE')

export const authOptions = {
  'auth.storage': {
    'keeps the session': async () => {
      const { official, ours } = await storedByBoth({})
      const name = 'sb-harbour-auth-token'
      expect(Object.keys(ours ?? {})).toEqual([name])
      const sessionIn = (stored: typeof ours) => {
        const { expires_at: expires, ...session } = JSON.parse(stored?.[name] ?? '') as { expires_at: number }
        return { expires, session }
      }
      const [own, theirs] = [sessionIn(ours), sessionIn(official)]
      expect(own.session).toMatchObject(theirs.session)
      // In whole seconds, of two moments.
      expect(Math.abs(own.expires - theirs.expires)).toBeLessThanOrEqual(10)
    },
  },
  'auth.storageKey': {
    'the session is stored under it': async () => {
      const { official, ours } = await storedByBoth({ storageKey: 'deck' })
      expect(Object.keys(official ?? {})).toEqual(['deck'])
      expect(Object.keys(ours ?? {})).toEqual(['deck'])
    },
  },
  'auth.persistSession': {
    'false keeps the session in memory': async () => {
      const { official, ours } = await storedByBoth({ persistSession: false })
      expect([official, ours]).toEqual([{}, {}])
      const storage = memoryStorage()
      const set = vi.spyOn(storage, 'setItem')
      const client = watchedClient({
        url: URL_BASE,
        key: KEY,
        auth: { storage, persistSession: false },
        global: { fetch: () => Promise.resolve(Response.json({})) },
      })
      await client.supabase.auth.signInWithOAuth({
        provider: 'github',
        options: { skipBrowserRedirect: true },
      })
      expect(set).not.toHaveBeenCalled()
    },
  },
  'auth.autoRefreshToken': {
    'false, and startAutoRefresh': async () => {
      const { ours, client } = clients({ auth: { autoRefreshToken: false, storage: storedSession('kept') } })
      await vi.waitFor(() => expect(tokenOf(client)?.paused).toBe('manual'))
      await ours.auth.startAutoRefresh()
      await vi.waitFor(() => expect(tokenOf(client)?.paused).toBeUndefined())
      await ours.auth.stopAutoRefresh()
      await vi.waitFor(() => expect(tokenOf(client)?.paused).toBe('manual'))
    },
  },
  'auth.detectSessionInUrl': {
    'true signs in from the link and removes its tokens, false does neither': async () => {
      const { official, ours } = await openedByBoth({ detectSessionInUrl: true })
      expect(ours).toEqual(official)
      expect(ours).toEqual({
        requests: [`GET ${URL_BASE}/auth/v1/user`],
        user: 'skipper-id',
        hash: '',
      })
      const off = await openedByBoth({ detectSessionInUrl: false })
      expect(off.ours).toEqual(off.official)
      expect(off.ours).toEqual({ requests: [], user: undefined, hash: new URL(LINK).hash })
    },
    'a function decides for each link, with its address and parameters': async () => {
      const calls: unknown[] = []
      const detectSessionInUrl = (url: URL, params: Readonly<Record<string, string>>) => {
        calls.push([url.href, params])
        return false
      }
      const { official, ours } = await openedByBoth({ detectSessionInUrl })
      expect(ours).toEqual(official)
      expect(ours.user).toBeUndefined()
      expect(calls).toHaveLength(2)
      expect(calls[1]).toEqual(calls[0])
    },
  },
  'auth.flowType': {
    'pkce sends a challenge with the email, implicit does not': async () => {
      for (const flowType of ['pkce', 'implicit'] as const) {
        const { official, ours } = await sentByBoth({ auth: { flowType } }, signInByEmail, {
          answer: () => json({}),
        })
        expect(ours.map(withoutChance)).toEqual(official.map(withoutChance))
        expect(ours).toHaveLength(1)
        expect(String(ours[0]?.['body']).includes('"code_challenge":"')).toBe(flowType === 'pkce')
      }
    },
  },
  'auth.throwOnError': {
    'a refused sign-in rejects with its error': async () => {
      const { results } = await sentByBoth(
        { auth: { throwOnError: true } },
        supabase => supabase.auth.signInWithPassword(credentials).catch((error: unknown) => error),
        { answer: () => json({ error_code: 'invalid_credentials', msg: 'Invalid login credentials' }, 400) },
      )
      const [expected, ours] = results
      expect(ours).toEqual(expected)
      expect(ours).toMatchObject({ name: 'AuthApiError', code: 'invalid_credentials', status: 400 })
    },
  },
  'auth.experimental': {
    'appendPkceFlowIdToRedirects adds the flow to the link of an email': async () => {
      for (const appendPkceFlowIdToRedirects of [true, false]) {
        const { official, ours } = await sentByBoth(
          { auth: { flowType: 'pkce', experimental: { appendPkceFlowIdToRedirects } } },
          signInByEmail,
          { answer: () => json({}) },
        )
        expect(ours.map(withoutChance)).toEqual(official.map(withoutChance))
        expect(String(ours[0]?.['call']).includes('sb_flow_id')).toBe(appendPkceFlowIdToRedirects)
      }
    },
  },
  'auth.lock': {
    'is not needed: the same requests are sent with one': async () => {
      const lock = <R>(_: string, __: number, run: () => Promise<R>) => run()
      const { official, ours } = await sentByBoth(
        { auth: { lock } },
        supabase => supabase.auth.signInWithPassword(credentials),
        { answer: signedIn },
      )
      expect(ours).toEqual(official)
      expect(ours).toHaveLength(1)
    },
  },
  'auth.lockAcquireTimeout': {
    'is not needed: the same requests are sent with one': async () => {
      const { official, ours } = await sentByBoth(
        { auth: { lockAcquireTimeout: 1 } },
        supabase => supabase.auth.signInWithPassword(credentials),
        { answer: signedIn },
      )
      expect(ours).toEqual(official)
      expect(ours).toHaveLength(1)
    },
  },
} satisfies Partial<Record<OptionPath, OptionTests>>
