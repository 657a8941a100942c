// Sessions in cookies: shared with @supabase/ssr in both directions, on the page and on the server.
import { createBrowserClient, createServerClient as createOfficialServer } from '@supabase/ssr'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type CookieStorageOptions, createCookieStorage, createServerClient } from '../../src/public/ssr.ts'
import { startTestBackend } from '../harness/backend.ts'
import { watchedClient } from '../harness/client.ts'
import { type CookieJar as Jar, createCookieJar } from '../harness/cookie-jar.ts'
import { follow, mailTo, newAddress } from '../harness/mail.ts'

const backend = await startTestBackend()
const { url, publishableKey: key } = backend
const account = backend.accounts[0] ?? { email: '', password: '' }
/** The storage key of supabase-js. */
const storageKey = `sb-${new URL(url).hostname.split('.')[0]}-auth-token`

/** Our client in a page with these cookies. */
function page({ cookies }: Jar) {
  const client = watchedClient({
    url,
    key,
    auth: { storage: createCookieStorage({ cookies }), flowType: 'pkce' },
  })
  const becomes = (part: object) => vi.waitFor(() => expect(client.status().session).toMatchObject(part))
  return { client, auth: client.supabase.auth, becomes }
}

/** The official client in a page with these cookies. */
const officialPage = ({ cookies }: Jar) =>
  createBrowserClient(url, key, { cookies, isSingleton: false, auth: { autoRefreshToken: false } })

/** The user of a request with these cookies, as both clients for servers read it. */
async function userOnServer({ cookies }: Jar): Promise<(string | undefined)[]> {
  const clients = [createServerClient(url, key, { cookies }), createOfficialServer(url, key, { cookies })]
  return Promise.all(clients.map(async ({ auth }) => (await auth.getUser()).data.user?.email))
}

const fine = <Answer extends { data: unknown; error: unknown }>({ data, error }: Answer): Answer['data'] => {
  expect(error).toBeNull()
  return data
}

describe('one session', () => {
  test('signed in by our page: servers and the official page know the user, until the sign-out', async () => {
    const jar = createCookieJar()
    const { auth } = page(jar)
    fine(await auth.signInWithPassword(account))
    expect(await userOnServer(jar)).toEqual([account.email, account.email])
    expect((await officialPage(jar).auth.getSession()).data.session?.user.email).toBe(account.email)
    const { error } = await auth.signOut()
    expect(error).toBeNull()
    expect(await userOnServer(jar)).toEqual([undefined, undefined])
    expect((await officialPage(jar).auth.getSession()).data.session).toBeNull()
  })

  test('signed in by the official page: our page and servers know the user', async () => {
    const jar = createCookieJar()
    fine(await officialPage(jar).auth.signInWithPassword(account))
    await page(jar).becomes({ phase: 'authenticated', user: { email: account.email } })
    expect(await userOnServer(jar)).toEqual([account.email, account.email])
  })

  test('signed in by a server action: our page knows the user, and the sign-out of the server ends it', async () => {
    const jar = createCookieJar()
    const server = createServerClient(url, key, jar)
    fine(await server.auth.signInWithPassword(account))
    expect(jar.headers['Cache-Control']).toContain('no-store')
    await page(jar).becomes({ phase: 'authenticated', user: { email: account.email } })
    await createServerClient(url, key, jar).auth.signOut({ scope: 'local' })
    await page(jar).becomes({ phase: 'signedOut' })
  })

  test('refreshed by a server: the page continues with the new token', async () => {
    const jar = createCookieJar()
    const { client, auth } = page(jar)
    fine(await auth.signInWithPassword(account))
    const { session } = fine(await createServerClient(url, key, jar).auth.refreshSession())
    expect(await client.auth.refresh()).toEqual({ ok: true, value: undefined })
    const present = (await auth.getSession()).data.session
    expect(present?.refresh_token).toBe(session?.refresh_token)
  })

  test.each(['our page', 'a server'])('PKCE: begun by %s, and ended by the callback route', async by => {
    const jar = createCookieJar()
    const email = newAddress()
    const begin = by === 'our page' ? page(jar).auth : createServerClient(url, key, jar).auth
    fine(await begin.signInWithOtp({ email, options: { emailRedirectTo: `${url}/auth/callback` } }))
    const { query } = await follow(mailTo(backend, email).link)
    fine(await createServerClient(url, key, jar).auth.exchangeCodeForSession(query['code'] ?? ''))
    expect(jar.kept.has(`${storageKey}-code-verifier`)).toBe(false)
    await page(jar).becomes({ phase: 'authenticated', user: { email } })
  })
})

describe('cookies', () => {
  /** What both storages write, for the same cookies before. */
  async function written(value: string | undefined, options: CookieStorageOptions, before = ['']) {
    const jars = [createCookieJar(), createCookieJar()] as const
    const [ours, theirs] = jars.map(jar => {
      for (const end of before) jar.kept.set(storageKey + end, 'old')
      jar.kept.set(`${storageKey}-code-verifier`, 'other')
      return jar
    }) as [Jar, Jar]
    const official = createBrowserClient(url, key, {
      ...options,
      cookies: theirs.cookies,
      isSingleton: false,
    })
    const { storage } = official.auth as unknown as { storage: ReturnType<typeof createCookieStorage> }
    for (const one of [createCookieStorage({ ...options, cookies: ours.cookies }), storage])
      await (value === undefined ? one.removeItem(storageKey) : one.setItem(storageKey, value))
    const read = [
      await createCookieStorage({ ...options, cookies: theirs.cookies }).getItem(storageKey),
      await storage.getItem(storageKey),
    ]
    return { ours: ours.writes, theirs: theirs.writes, read }
  }

  const session = (length: number) =>
    JSON.stringify({ access_token: 'ä€😀'.repeat(length), user: { id: '1' } })

  test.each<[string, string | undefined, CookieStorageOptions, string[]]>([
    ['a short value', session(1), {}, []],
    ['chunks', session(1_000), {}, []],
    ['chunks over more chunks', session(1_000), {}, ['', '.0', '.1', '.2', '.3', '.4', '.5', '.9']],
    [
      'a short value over chunks, for a domain',
      session(1),
      { cookieOptions: { domain: 'a.test' } },
      ['.0', '.1'],
    ],
    ['chunks without encoding', session(1_000), { cookieEncoding: 'raw' }, ['']],
    ['nothing', undefined, { cookieOptions: { path: '/app', secure: true, maxAge: 5 } }, ['.0', '.1']],
    ['nothing over nothing', undefined, {}, []],
  ])('%s: the same as of @supabase/ssr', async (_name, value, options, before) => {
    const { ours, theirs, read } = await written(value, options, before)
    expect(ours).toEqual(theirs)
    expect(read).toEqual([value ?? null, value ?? null])
  })

  test('chunks of two writes are ignored, as by @supabase/ssr', async () => {
    const { cookies, kept } = createCookieJar()
    const storage = createCookieStorage({ cookies })
    await storage.setItem('a', session(1_000))
    const first = kept.get('a.0') ?? ''
    await storage.setItem('a', session(2_000))
    kept.set('a.1', first)
    expect(await storage.getItem('a')).toBeNull()
  })

  test('the storage of a page uses its cookies; without a page it is empty and refuses writes', async () => {
    const storage = createCookieStorage()
    expect(storage.getItem('a')).toBeNull()
    expect(() => storage.setItem('a', '1')).toThrow('Cookies can only be set in a page.')
    vi.stubGlobal('document', { cookie: 'other=1; a=base64-Mg' })
    expect(storage.getItem('a')).toBe('2')
    await storage.setItem('a', '1')
    expect(document.cookie).toBe('a=base64-MQ; Max-Age=34560000; Path=/; SameSite=Lax')
    vi.unstubAllGlobals()
  })
})

describe('on a server', () => {
  /** The cookies of a user whose access token has expired. */
  async function expired(): Promise<Jar> {
    const jar = createCookieJar()
    fine(await officialPage(jar).auth.signInWithPassword(account))
    const storage = createCookieStorage(jar)
    const stored = JSON.parse((await storage.getItem(storageKey)) ?? '') as object
    await storage.setItem(storageKey, JSON.stringify({ ...stored, expires_at: 1 }))
    jar.writes.length = 0
    return jar
  }

  /** A network on which refreshes fail with this status, and the bearers of the requests for rows. */
  function network(status: number) {
    const bearers: (string | null)[] = []
    const fetch: typeof globalThis.fetch = (input, init) => {
      const isRows = new Request(input, init).url.includes('/rest/v1/')
      if (isRows) bearers.push(new Headers(init?.headers).get('authorization'))
      const body = isRows ? '[]' : '{"code":"refresh_token_not_found","message":"gone"}'
      const headers = { 'content-type': 'application/json' }
      return Promise.resolve(new Response(body, { status: isRows ? 200 : status, headers }))
    }
    return { bearers, fetch }
  }

  test('an expired token is refreshed before the first request, and the cookies are written', async () => {
    const jar = await expired()
    const server = createServerClient<unknown>(url, key, jar)
    const { data } = await server.auth.getClaims()
    expect(data?.claims.email).toBe(account.email)
    expect(jar.writes.map(({ name }) => name)).toContain(storageKey)
    await page(jar).becomes({ phase: 'authenticated' })
  })

  describe('with a refresh that fails', () => {
    beforeEach(() => {
      for (const name of ['error', 'warn'] as const)
        vi.spyOn(console, name).mockImplementation(() => undefined)
    })
    afterEach(() => void vi.useRealTimers())

    test.each([
      [503, [], true],
      // The official client would remove the session.
      [429, [], true],
      [400, [`Bearer ${key}`], false],
    ])('%i: a user is not anonymous before the session has ended', async (status, sent, isRefused) => {
      const jar = await expired()
      const { bearers, fetch } = network(status)
      vi.useFakeTimers()
      const answer = createServerClient(url, key, { ...jar, global: { fetch } })
        .from('vessels')
        .select()
      const [{ error }] = await Promise.all([answer, vi.advanceTimersByTimeAsync(60_000)])
      expect(bearers).toEqual(sent)
      expect(String(error?.message).includes('The session could not be refreshed')).toBe(isRefused)
      expect(jar.kept.size > 0).toBe(status !== 400)
    })

    test('with the official client, the user is anonymous', async () => {
      const { bearers, fetch } = network(503)
      const jar = await expired()
      vi.useFakeTimers()
      const answer = createOfficialServer(url, key, { ...jar, global: { fetch } })
        .from('vessels')
        .select()
      await Promise.all([answer, vi.advanceTimersByTimeAsync(60_000)])
      expect(bearers).toEqual([`Bearer ${key}`])
    })
  })

  test('it has no timers', async () => {
    const jar = await expired()
    const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
    const before = timers()
    const servers = Array.from({ length: 20 }, () => createServerClient(url, key, jar))
    await Promise.all(servers.map(async ({ auth }) => auth.getSession()))
    expect(timers()).toBeLessThan(before + 10)
  })
})
