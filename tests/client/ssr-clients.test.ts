// `createBrowserClient` and `createServerClient` beside those of @supabase/ssr: one singleton, one session, and
// the same requests for the same options.
import * as official from '@supabase/ssr'
import { Window } from 'happy-dom'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import * as ours from '../../src/public/ssr.ts'
import * as inPages from '../../src/public/ssr-page.ts'
import { officialClient, startTestBackend } from '../harness/backend.ts'
import { type CookieJar, createCookieJar } from '../harness/cookie-jar.ts'
import { atTestEnd } from '../harness/endings.ts'
import { newAddress } from '../harness/mail.ts'

const backend = await startTestBackend()
const { url, publishableKey: key } = backend
const storageKey = `sb-${new URL(url).hostname.split('.')[0]}-auth-token`

/** Options that both know. */
type BrowserOptions = Pick<
  ours.BrowserClientOptions,
  'auth' | 'cookies' | 'cookieOptions' | 'cookieEncoding' | 'isSingleton'
>

/** Cookies in a form that may be the deprecated one, whose types are those of an overload. */
const cookiesIn = (jar: CookieJar, form: 'cookies' | 'single') =>
  jar[form] as object as official.CookieMethodsServer

async function newUser() {
  const account = { email: newAddress(), password: 'harbour-demo' }
  const { error } = await officialClient(backend).auth.signUp(account)
  if (error) throw error
  return account
}

/** A page without cookies. */
function openPage(): void {
  const window = new Window({ url })
  atTestEnd(() => window.happyDOM.close())
  vi.stubGlobal('window', window)
  vi.stubGlobal('document', window.document)
  atTestEnd(() => vi.unstubAllGlobals())
  // The official client warns that a page has several.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
}

/** A browser client of Chartroom that ends with the test. */
function browserClient(options?: ours.BrowserClientOptions) {
  const supabase = ours.createBrowserClient(url, key, options)
  atTestEnd(() => ours.chartroomOf(supabase).dispose())
  return supabase
}

/** A browser client of @supabase/ssr that ends with the test. */
function officialBrowser(options?: BrowserOptions) {
  const supabase = official.createBrowserClient(url, key, options)
  atTestEnd(async () => {
    await supabase.auth.initialize()
    await supabase.auth.stopAutoRefresh()
  })
  return supabase
}

/** Another page of the same browser, with @supabase/ssr. */
const officialPage = (options: BrowserOptions = {}) => officialBrowser({ ...options, isSingleton: false })

const names = () => official.parseCookieHeader(document.cookie).map(({ name }) => name)

const emailOf = async ({ auth }: { auth: ReturnType<typeof officialBrowser>['auth'] }) =>
  (await auth.getSession()).data.session?.user.email

/** The user of a request with the cookies of the page, for a server with either client. */
async function usersOnServer(): Promise<(string | undefined)[]> {
  const cookies = { getAll: () => official.parseCookieHeader(document.cookie) }
  const servers = [official, ours].map(
    ({ createServerClient }: Pick<typeof official, 'createServerClient'>) =>
      createServerClient(url, key, { cookies }),
  )
  return Promise.all(servers.map(async ({ auth }) => (await auth.getUser()).data.user?.email))
}

describe('the singleton', () => {
  const cases: [name: string, options?: BrowserOptions][] = [
    ['no options'],
    ['options', {}],
    ['isSingleton', { isSingleton: true }],
    ['isSingleton: false', { isSingleton: false }],
    ['isSingleton: undefined', { isSingleton: undefined } as object],
  ]

  test.each(cases)('in a page, with %s', (_name, options) => {
    openPage()
    const [one, other] = [browserClient(options), browserClient(options)]
    const [first, second] = [officialBrowser(options), officialBrowser(options)]
    expect(one === other).toBe(first === second)
  })

  test.each(cases)('on a server, with %s', (_name, options) => {
    const [one, other] = [browserClient(options), browserClient(options)]
    const [first, second] = [0, 1].map(() => official.createBrowserClient(url, key, options))
    expect(one === other).toBe(first === second)
  })

  test('after its end, the next call creates a client', async () => {
    openPage()
    const first = ours.createBrowserClient(url, key)
    expect(ours.createBrowserClient('http://other.test', 'other')).toBe(first)
    await ours.chartroomOf(first).dispose()
    expect(browserClient()).not.toBe(first)
  })
})

describe('a session in the cookies of a page', () => {
  beforeEach(openPage)

  test('signed in by ours: the client and the servers of @supabase/ssr know the user, until the sign-out', async () => {
    const account = await newUser()
    const { auth } = browserClient()
    expect((await auth.signInWithPassword(account)).error).toBeNull()
    expect(await emailOf(officialPage())).toBe(account.email)
    expect(await usersOnServer()).toEqual([account.email, account.email])
    await auth.signOut()
    const session = () => names().filter(name => official.isChunkLike(name, storageKey))
    await expect.poll(session).toEqual([])
    expect(await usersOnServer()).toEqual([undefined, undefined])
  })

  test('signed in by @supabase/ssr: ours knows the user, and its sign-out ends the session', async () => {
    const account = await newUser()
    const { auth } = officialPage()
    expect((await auth.signInWithPassword(account)).error).toBeNull()
    const supabase = browserClient()
    expect(await emailOf(supabase)).toBe(account.email)
    expect(ours.chartroomOf(supabase).status().session).toMatchObject({ phase: 'authenticated' })
    await supabase.auth.signOut()
    expect(await emailOf(officialPage())).toBeUndefined()
  })

  test('in chunks, written and read by both, whose number changes', async () => {
    const account = await newUser()
    const chunks = () => names().filter(name => name.startsWith(`${storageKey}.`)).length
    const [ourPage, theirPage] = [browserClient(), officialPage()]
    await ourPage.auth.signInWithPassword(account)
    await ourPage.auth.updateUser({ data: { note: 'ä'.repeat(4_000) } })
    const many = chunks()
    expect(many).toBeGreaterThan(2)
    const { data } = await theirPage.auth.getSession()
    expect(data.session?.user.user_metadata['note']).toHaveLength(4_000)
    const { error } = await theirPage.auth.updateUser({ data: { note: 'ä'.repeat(1_500) } })
    expect(error).toBeNull()
    // The simulated page keeps an expired cookie for a millisecond.
    await expect.poll(chunks).toBeLessThan(many)
    expect(await emailOf(browserClient({ isSingleton: false }))).toBe(account.email)
    await ourPage.auth.updateUser({ data: { note: '' } })
    expect(await usersOnServer()).toEqual([account.email, account.email])
  })

  test.each<[string, Pick<BrowserOptions, 'cookieOptions' | 'cookieEncoding'>]>([
    ['another storage key', { cookieOptions: { name: 'session' } }],
    ['a path', { cookieOptions: { path: '/', sameSite: 'strict' } }],
    ['no encoding', { cookieEncoding: 'raw' }],
  ])('with %s, in both directions', async (_name, options) => {
    const account = await newUser()
    await browserClient(options).auth.signInWithPassword(account)
    const written = names()
    const theirs = officialPage(options)
    expect(await emailOf(theirs)).toBe(account.email)
    await theirs.auth.signOut()
    await theirs.auth.signInWithPassword(account)
    await expect.poll(names).toEqual(written)
    expect(await emailOf(browserClient({ ...options, isSingleton: false }))).toBe(account.email)
  })

  test.each(['cookies', 'single'] as const)('in other cookies than those of the page: %s', async form => {
    const account = await newUser()
    const [mine, theirs] = [createCookieJar(), createCookieJar()]
    for (const [jar, { auth }] of [
      [mine, browserClient({ cookies: cookiesIn(mine, form) })],
      [theirs, officialPage({ cookies: cookiesIn(theirs, form) })],
    ] as const) {
      await auth.signInWithPassword(account)
      await auth.updateUser({ data: { note: 'ä'.repeat(2_000) } })
      await auth.updateUser({ data: { note: '' } })
      expect(await emailOf(browserClient({ isSingleton: false, cookies: cookiesIn(jar, form) }))).toBe(
        account.email,
      )
      expect(await emailOf(officialPage({ cookies: cookiesIn(jar, form) }))).toBe(account.email)
      await auth.signOut()
    }
    const session = ({ writes }: typeof mine) => writes.filter(({ name }) => !name.endsWith('-removed'))
    const optionsOf = (jar: typeof mine) =>
      new Set(session(jar).map(({ options }) => JSON.stringify(options)))
    expect(optionsOf(mine)).toEqual(optionsOf(theirs))
    expect(names()).toEqual([])
  })
})

test('the entry for pages exports the same, and its client of a page is the same', async () => {
  expect(Object.keys(inPages).toSorted()).toEqual(Object.keys(ours).toSorted())
  openPage()
  const client = browserClient()
  expect(inPages.createBrowserClient(url, key)).toBe(client)
  const other = inPages.createBrowserClient(url, key, { isSingleton: false })
  expect(other).not.toBe(client)
  await inPages.chartroomOf(other).dispose()
})

describe('on a server, a browser client', () => {
  test('runs nothing, has no user, and refuses to store a session like @supabase/ssr', async () => {
    const account = await newUser()
    const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
    const before = timers()
    const [first] = Array.from({ length: 20 }, () => ours.createBrowserClient(url, key))
    expect(timers()).toBe(before)
    const theirs = official.createBrowserClient(url, key)
    for (const { auth } of [first ?? theirs, theirs]) {
      expect((await auth.getSession()).data.session).toBeNull()
      await expect(auth.signInWithPassword(account)).rejects.toThrow('non-browser runtimes')
    }
  })

  test('has a Chartroom client for providers, which shows the boot', () => {
    const client = browserClient()
    const chartroom = ours.chartroomOf(client)
    expect(chartroom.status().session).toEqual({ phase: 'booting' })
    expect(ours.chartroomOf(client)).toBe(chartroom)
  })
})

describe('requests of a server', () => {
  /** What a server sends for rows and a user, with either client. */
  async function requestsOf(
    { createServerClient }: Pick<typeof official, 'createServerClient'>,
    options: Partial<ours.ServerClientOptions>,
    cookies: ours.ServerClientOptions['cookies'],
  ): Promise<unknown[]> {
    const requests: unknown[] = []
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const request = new Request(input, init)
      const { 'x-client-info': _, ...headers } = Object.fromEntries(request.headers)
      requests.push([request.method, request.url, headers])
      return globalThis.fetch(request)
    }
    const { global, ...others } = options
    const supabase = createServerClient(url, key, { ...others, cookies, global: { ...global, fetch } })
    await supabase.from('vessels').select('id').limit(1)
    await supabase.auth.getUser()
    return requests
  }

  test.each<[string, Partial<ours.ServerClientOptions>, form: 'cookies' | 'single']>([
    ['nothing', {}, 'cookies'],
    ['a schema', { db: { schema: 'archive' as 'public' } }, 'cookies'],
    ['headers', { global: { headers: { 'x-app': 'a' } } }, 'cookies'],
    ['a storage key', { auth: { storageKey: 'other' } }, 'cookies'],
    ['a name of the cookie', { cookieOptions: { name: 'other' } }, 'cookies'],
    ['cookies one by one', {}, 'single'],
    ['a name of the cookie, one by one', { cookieOptions: { name: 'other' } }, 'single'],
  ])('with %s: the same as of @supabase/ssr', async (_name, options, form) => {
    const account = await newUser()
    const jar = createCookieJar()
    const page = officialPage({ cookies: jar.cookies, cookieOptions: { name: 'other' } })
    await page.auth.signInWithPassword(account)
    await page.auth.updateUser({ data: { note: 'ä'.repeat(2_000) } })
    const theirs = await requestsOf(official, options, cookiesIn(jar, form))
    expect(await requestsOf(ours, options, cookiesIn(jar, form))).toEqual(theirs)
    expect(theirs.length).toBeGreaterThan(0)
  })

  test('cookies that are methods of a class', async () => {
    const account = await newUser()
    const jar = createCookieJar()
    class RequestCookies {
      getAll() {
        return jar.cookies.getAll()
      }
      setAll = jar.cookies.setAll
    }
    const { auth } = ours.createServerClient(url, key, { cookies: new RequestCookies() })
    expect((await auth.signInWithPassword(account)).error).toBeNull()
    const { data } = await ours.createServerClient(url, key, { cookies: new RequestCookies() }).auth.getUser()
    expect(data.user?.email).toBe(account.email)
  })

  test.each([[undefined], [{ encode: 'user-and-tokens' }]])(
    'cookies that are %j are refused alike',
    cookies => {
      const thrown = (create: () => unknown): unknown => {
        try {
          return create()
        } catch (error) {
          return error instanceof Error ? error.message : error
        }
      }
      const options = { cookies } as never
      const theirs = thrown(() => official.createServerClient(url, key, options))
      expect(theirs).toEqual(expect.stringContaining('getAll'))
      expect(thrown(() => ours.createServerClient(url, key, options))).toBe(theirs)
    },
  )
})

describe('what is refused in a page', () => {
  beforeEach(openPage)

  test.each<[object, string]>([
    [{ cookies: { encode: 'tokens-only' } }, "`cookies.encode: 'tokens-only'` is not supported."],
    [{ cookies: { getAll: () => [] } }, '`cookies` of createBrowserClient needs both `getAll` and `setAll`.'],
    [{ cookies: { get: () => '' } }, '`cookies` of createBrowserClient needs both `getAll` and `setAll`.'],
    [{ auth: { debug: true } }, '`auth.debug` is not supported.'],
    [{ isSingelton: true }, 'There is no option `isSingelton`.'],
  ])('%j', (options, message) => {
    expect(() => browserClient({ isSingleton: false, ...options })).toThrow(message)
  })

  test('a client of @supabase/ssr has no Chartroom client', () => {
    expect(() => ours.chartroomOf(officialPage())).toThrow('chartroomOf() needs a client from')
  })
})
