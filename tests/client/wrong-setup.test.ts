// The mistakes of the first hour, as JavaScript makes them: each is refused with what is wrong and what to type.
import type { SupabaseClient } from '@supabase/supabase-js'
import { createStore, fromStore } from '@xstate/store'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createActor, createMachine, fromPromise } from 'xstate'
import { createSSRApp } from 'vue'
import { createControl } from '../../src/public/devtools/control.ts'
import { record, recordEverything } from '../../src/public/devtools/recording.ts'
import { createChartroomClient } from '../../src/public/index.ts'
import { ChartroomProvider, useClient, useSession } from '../../src/public/react.ts'
import * as svelte from '../../src/public/svelte.ts'
import * as vue from '../../src/public/vue.ts'
import { attach } from '../../src/services/control/index.ts'
import { atTestEnd } from '../harness/endings.ts'
import { jwt as sessionToken, KEY, URL_BASE } from '../harness/fake-backend.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.doUnmock('@supabase/supabase-js')
  vi.resetModules()
})

type Call = (...args: readonly unknown[]) => unknown

const create = createChartroomClient as Call

const messageOf = (run: () => unknown): unknown => {
  try {
    run()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const REF = 'abcdefghijklmnopqrst'
const PROJECT = `https://${REF}.supabase.co`
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenOf = (claims: object) => `${base64url({ alg: 'HS256' })}.${base64url(claims)}.c2lnbmF0dXJl`
const ANON = tokenOf({ role: 'anon', ref: REF })

const NO_URL =
  '`url` is not set. Pass the URL of your backend, e.g. https://example.supabase.co. If it is in an environment variable, check the name and the prefix that your bundler needs, such as VITE_ or NEXT_PUBLIC_.'
const NO_KEY =
  '`key` is not set. Pass the publishable key of your backend (sb_publishable_…, or a legacy anon key). If it is in an environment variable, check the name and the prefix that your bundler needs, such as VITE_ or NEXT_PUBLIC_.'
const SWAPPED = '`url` and `key` are swapped: call createChartroomClient(url, key).'
const isForm = (form: string, url = PROJECT) => `\`url\` is ${form}. Use "${url}".`
const KEY_ALONE =
  '`key` must be the key alone: remove quotes, "Bearer" and the name of the environment variable.'

describe('the url', () => {
  test.each<[mistake: string, args: readonly unknown[], message: string]>([
    ['unset variables', [undefined, undefined], NO_URL],
    ['no arguments', [], NO_URL],
    ['null', [null], NO_URL],
    ['unset variables in an object', [{ url: undefined, key: undefined }], NO_URL],
    ['null in an object', [{ url: null, key: KEY }], NO_URL],
    ['an empty string', ['', KEY], NO_URL],
    ['spaces', [{ url: '  ', key: KEY }], NO_URL],
    ['an unset variable in a template', ['undefined', KEY], NO_URL],
    ['a URL object', [new URL(PROJECT), KEY], '`url` must be a string: pass `url.href`.'],
    ['a number', [1, KEY], '`url` must be a string'],
    ['swapped arguments', [KEY, PROJECT], SWAPPED],
    ['swapped options, with an anon key', [{ url: ANON, key: PROJECT }], SWAPPED],
    ['the key twice', [KEY, KEY], '`url` is a key. Pass the URL of your backend first.'],
    [
      'the names of supabase-js',
      [{ supabaseUrl: PROJECT, supabaseKey: KEY }],
      'There is no option `supabaseUrl`. Did you mean `url`?',
    ],
    ['no scheme', ['example.supabase.co', KEY], isForm('without https://', 'https://example.supabase.co')],
    [
      'no scheme, on this machine',
      ['localhost:54321', KEY],
      isForm('without http://', 'http://localhost:54321'),
    ],
    ['only the project', [REF, KEY], isForm('a project reference')],
    ['the REST API', [`${PROJECT}/rest/v1`, KEY], isForm('the URL of one API')],
    ['the REST API, with a slash', [`${PROJECT}/rest/v1/`, KEY], isForm('the URL of one API')],
    ['the auth API', [`${PROJECT}/auth/v1`, KEY], isForm('the URL of one API')],
    ['a file', [`${PROJECT}/storage/v1/object/public/a.png`, KEY], isForm('the URL of one API')],
    ['the storage host', [`https://${REF}.storage.supabase.co`, KEY], isForm('the URL of one API')],
    [
      'an API of a backend in a folder',
      ['https://example.com/backend/rest/v1', KEY],
      isForm('the URL of one API', 'https://example.com/backend'),
    ],
    [
      'the dashboard',
      [`https://supabase.com/dashboard/project/${REF}`, KEY],
      isForm('a page of the dashboard'),
    ],
    [
      'the old dashboard',
      [`https://app.supabase.io/project/${REF}/settings`, KEY],
      isForm('a page of the dashboard'),
    ],
    [
      'the dashboard without a project',
      ['https://supabase.com/dashboard/project/_/settings/api', KEY],
      '`url` is a page of the dashboard. Copy the project URL from there, e.g. https://example.supabase.co.',
    ],
    ['the other domain', [`https://${REF}.supabase.com`, KEY], isForm('on another domain than projects')],
    [
      'the database',
      [`postgresql://postgres:hunter2@db.${REF}.supabase.co:5432/postgres`, KEY],
      isForm('a database URL'),
    ],
    [
      'a database elsewhere',
      ['postgres://postgres:hunter2@db.example.com/postgres', KEY],
      '`url` is a database URL. Pass the http(s) URL of the backend, e.g. https://example.supabase.co.',
    ],
    ['the socket', [`wss://${REF}.supabase.co/realtime/v1/websocket`, KEY], isForm('a WebSocket URL')],
    ['quotes', [`"${PROJECT}"`, KEY], isForm('in quotes or a line of settings')],
    ['a line of settings', [`SUPABASE_URL=${PROJECT}`, KEY], isForm('in quotes or a line of settings')],
    [
      'another scheme',
      ['ftp://example.com', KEY],
      '`url` must be the http(s) URL of a backend, e.g. https://example.supabase.co.',
    ],
  ])('%s', (_, args, message) => {
    expect(messageOf(() => create(...args))).toBe(message)
  })

  test.each([
    [` ${PROJECT}\n`, PROJECT],
    [`${PROJECT}/`, PROJECT],
    ['https://example.com/backend/', 'https://example.com/backend'],
    [`https://${REF}.supabase.in`, `https://${REF}.supabase.in`],
    ['https://rest.example.com', 'https://rest.example.com'],
    ['http://127.0.0.1:54323', 'http://127.0.0.1:54323'],
  ])('%j works as with supabase-js', async (given, url) => {
    const client = createChartroomClient(given, KEY)
    expect(client.url).toBe(url)
    await client.dispose()
  })
})

describe('the key', () => {
  test.each<[mistake: string, key: unknown, message: string]>([
    ['an unset variable', undefined, NO_KEY],
    ['null', null, NO_KEY],
    ['an empty string', '', NO_KEY],
    ['an unset variable in a template', 'undefined', NO_KEY],
    ['an object', { key: KEY }, '`key` must be a string'],
    ['the url twice', PROJECT, '`key` is a URL. Pass the publishable key of your backend.'],
    ['quotes', `"${KEY}"`, KEY_ALONE],
    ['a header', `Bearer ${ANON}`, KEY_ALONE],
    ['a line of settings', `SUPABASE_ANON_KEY=${KEY}`, KEY_ALONE],
    [
      'the secret of the local stack',
      'super-secret-jwt-token-with-at-least-32-characters-long',
      '`key` is the JWT secret, which must never be in an app. Pass the publishable key (sb_publishable_…) or the anon key.',
    ],
    [
      'the secret of a project',
      Buffer.alloc(64, 7).toString('base64'),
      '`key` is the JWT secret, which must never be in an app. Pass the publishable key (sb_publishable_…) or the anon key.',
    ],
    [
      'the token of an account',
      'sbp_0123456789abcdef0123456789abcdef01234567',
      '`key` is an access token of your Supabase account, which opens every project of it. Pass the publishable key of one.',
    ],
    [
      'the token of a user',
      tokenOf({ role: 'authenticated', sub: 'user-1' }),
      '`key` is the access token of a user. Pass the publishable key, and `accessToken` for tokens of another auth service.',
    ],
  ])('%s', (_, key, message) => {
    expect(messageOf(() => create(PROJECT, key))).toBe(message)
    expect(messageOf(() => create({ url: PROJECT, key }))).toBe(message)
  })

  test.each(['sb_secret_0123456789', tokenOf({ role: 'service_role' })])('a secret in a browser', key => {
    vi.stubGlobal('document', {})
    expect(messageOf(() => create(PROJECT, key))).toBe(
      'A secret key bypasses every policy and must not be in a browser. Use the publishable key.',
    )
  })

  test('spaces and line ends around it are removed, as by fetch', async () => {
    const sent: (string | null)[] = []
    const client = createChartroomClient(URL_BASE, ` ${KEY}\n`, {
      global: {
        fetch: (_, init) => {
          sent.push(new Headers(init?.headers).get('apikey'))
          return Promise.resolve(Response.json([]))
        },
      },
    })
    await client.supabase.from('t').select()
    expect(sent).toEqual([KEY])
    await client.dispose()
  })

  test.each([ANON, 'sb_secret_0123456789', 'a-key-of-a-gateway', sessionToken('x')])(
    '%s works as with supabase-js',
    async key => {
      await createChartroomClient(URL_BASE, key).dispose()
    },
  )

  test('no message contains it', () => {
    const secret = 'sb_secret_4711'
    for (const args of [
      [secret, URL_BASE],
      [secret, secret],
      [URL_BASE, `"${secret}"`],
      [URL_BASE, `KEY=${secret}`],
    ])
      expect(messageOf(() => create(...args))).not.toContain(secret)
    expect(messageOf(() => create('postgres://u:hunter2@h.test/x', KEY))).not.toContain('hunter2')
  })
})

describe('options', () => {
  const RECORDING = '`recording` must be `recordEverything()` of @chartroom/devtools/recording'
  test.each<[mistake: string, options: object, message: string]>([
    ['recording: true', { recording: true }, RECORDING],
    ['a text for recording', { recording: 'yes' }, RECORDING],
    ['an object for recording', { recording: {} }, RECORDING],
    ['null for recording', { recording: null }, RECORDING],
    [
      'a recorder that is not called',
      { recording: recordEverything },
      '`recording` must be called: `recording: recordEverything()`',
    ],
    [
      'a control that is not called',
      { control: createControl },
      '`control` must be called: `control: createControl()`',
    ],
    ['a token for accessToken', { accessToken: 'token' }, '`accessToken` must be a function'],
    [
      'localStorage for storage',
      { storage: { getItem: () => null } },
      '`storage.getItem` is not supported. Use `auth.storage`.',
    ],
    [
      'an option of auth',
      { persistSession: false },
      'There is no option `persistSession`. Did you mean `auth.persistSession`?',
    ],
    [
      'a typo',
      { auth: { flowtype: 'pkce' } },
      'There is no option `auth.flowtype`. Did you mean `auth.flowType`?',
    ],
    ['another flow', { auth: { flowType: 'PKCE' } }, '`auth.flowType` must be "implicit" or "pkce"'],
    ['a key again', { anonKey: KEY }, 'There is no option `anonKey`. Did you mean `key`?'],
  ])('%s', (_, options, message) => {
    expect(messageOf(() => create({ url: URL_BASE, key: KEY, ...options }))).toBe(message)
    expect(messageOf(() => create(URL_BASE, KEY, options))).toBe(message)
  })
})

describe('an old supabase-js', () => {
  const TOO_OLD = new TypeError(
    'Chartroom needs @supabase/supabase-js 2.100 or newer, but the app has 2.39.8: npm install @supabase/supabase-js@latest',
  )

  async function clientWithOld() {
    vi.resetModules()
    vi.doMock('@supabase/supabase-js', () => import('supabase-js-2-39'))
    const { createChartroomClient: createWithOld } = await import('../../src/public/index.ts')
    const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(Response.json([{ id: 1 }])))
    const client = createWithOld({ url: URL_BASE, key: KEY, global: { fetch } })
    atTestEnd(() => client.dispose())
    return { client, fetch, supabase: client.supabase }
  }

  test.each<[call: string, run: (supabase: SupabaseClient) => PromiseLike<unknown>]>([
    ['auth', ({ auth }) => auth.signInWithPassword({ email: 'a@b.test', password: 'harbour-demo' })],
    ['auth.mfa', ({ auth }) => auth.mfa.listFactors()],
    ['functions', ({ functions }) => functions.invoke('tide')],
    ['storage', ({ storage }) => storage.listBuckets()],
    ['storage.from', ({ storage }) => storage.from('charts').download('a')],
  ])('is named by calls of %s', async (_, run) => {
    const { supabase, fetch } = await clientWithOld()
    await expect(Promise.resolve(run(supabase as SupabaseClient))).rejects.toThrow(TOO_OLD)
    await expect(Promise.resolve(run(supabase as SupabaseClient))).rejects.toThrow(TOO_OLD)
    expect(fetch).not.toHaveBeenCalled()
  })

  test('is named by a failed sign-in', async () => {
    const { client, fetch } = await clientWithOld()
    expect(await client.auth.signInWithPassword({ email: 'a@b.test', password: 'harbour-demo' })).toEqual({
      ok: false,
      failure: { kind: 'bug', message: expect.stringContaining(TOO_OLD.message) },
    })
    expect(fetch).not.toHaveBeenCalled()
  })

  test('is not needed for rows, channels and the session', async () => {
    const { supabase } = await clientWithOld()
    expect(await supabase.auth.getSession()).toEqual({ data: { session: null }, error: null })
    expect((await supabase.from('vessels').select()).data).toEqual([{ id: 1 }])
    expect(supabase.channel('deck').topic).toBe('realtime:deck')
  })
})

describe('providers', () => {
  const { supabase, dispose } = createChartroomClient(URL_BASE, KEY)
  void dispose()
  const provide = (props: object) => () => renderToString(createElement(ChartroomProvider, props as never))
  const setClient = svelte.setClient as Call
  const useVue = (client: unknown) => () =>
    void createSSRApp({}).use((vue.chartroom as Call)(client) as never)
  const REACT = '<ChartroomProvider client={client}>'
  const none = (usage: string) =>
    `No client was given: ${usage} needs the client that createChartroomClient() returns.`
  const official = (usage: string) =>
    `A supabase-js client was given: ${usage} needs the client that createChartroomClient() returns, not its \`supabase\`.`
  const promise = (usage: string) => `A promise was given: ${usage} needs the client itself. Await it first.`
  const other = (usage: string, type: string) =>
    `${type} was given: ${usage} needs the client that createChartroomClient() returns.`
  test.each<[mistake: string, run: () => unknown, message: string]>([
    ['React: no client', provide({}), none(REACT)],
    ['React: null', provide({ client: null }), none(REACT)],
    ['React: client.supabase', provide({ client: supabase }), official(REACT)],
    ['React: a promise', provide({ client: Promise.resolve() }), promise(REACT)],
    ['React: the function', provide({ client: createChartroomClient }), other(REACT, 'A function')],
    ['Vue: no client', useVue(undefined), none('chartroom(client)')],
    ['Vue: client.supabase', useVue(supabase), official('chartroom(client)')],
    ['Svelte: no client', () => setClient(), none('setClient(client)')],
    ['Svelte: client.supabase', () => setClient(supabase), official('setClient(client)')],
    ['Svelte: options', () => setClient({ url: URL_BASE }), other('setClient(client)', 'An object')],
  ])('%s', (_, run, message) => {
    expect(messageOf(run)).toBe(message)
  })

  test.each([useClient, useSession])('a hook outside of a provider: %o', hook => {
    const run = () => renderToString(createElement(() => (hook(), null)))
    expect(messageOf(run)).toBe(
      'The hooks of chartroom/react need a <ChartroomProvider client={…}> above them',
    )
  })
})

describe('channels', () => {
  const CHANGES =
    '`postgresChanges` must be a list such as [{ event: "*", schema: "public", table: "vessels" }].'
  test.each<[mistake: string, args: readonly unknown[], message: string]>([
    ['no topic', [], 'A channel needs a topic, e.g. "bridge".'],
    [
      'the options of supabase-js',
      ['bridge', { config: { broadcast: { self: true } } }],
      'There is no channel option `config`. Pass what it contains: channel(topic, { broadcast, presence, private }).',
    ],
    [
      'another spelling',
      ['bridge', { postgres_changes: [] }],
      'There is no channel option `postgres_changes`. Use broadcast, postgresChanges, presence, private, resync.',
    ],
    ['one change', ['bridge', { postgresChanges: { event: '*', schema: 'public' } }], CHANGES],
    [
      'a listener',
      ['bridge', () => undefined],
      'The options of a channel must be an object. Listen with `handle.on(…)`.',
    ],
  ])('%s', async (_, args, message) => {
    const client = createChartroomClient(URL_BASE, KEY)
    const channel = client.channel as Call
    expect(messageOf(() => channel(...args))).toBe(message)
    await client.dispose()
  })
})

describe('record', () => {
  const machine = createMachine({ id: 'm', initial: 'a', states: { a: {} } })
  const promise = fromPromise(() => Promise.resolve(1))
  const usual = 'Pass a machine, such as createMachine({ … }), or other logic, such as fromPromise(…).'
  const actor =
    'Cannot record an actor that exists. Pass its machine, as in record(machine), and use the actor `recording.actor`.'
  const store =
    'Cannot record a store of @xstate/store. Pass its logic: fromStore({ context, on }) of @xstate/store.'
  /** What distinguishes the logic of XState 6.0.0-alpha.52 and the machines of XState 4.38. */
  const version6 = { ...promise, initialTransition: () => undefined }
  const version4 = { withContext: () => undefined, initialState: {}, transition: () => undefined }
  test.each<[mistake: string, logic: unknown, message: string]>([
    ['nothing', undefined, `Cannot record undefined. ${usual}`],
    ['null', null, `Cannot record null. ${usual}`],
    ['a text', 'm', `Cannot record a string. ${usual}`],
    [
      'a config',
      { initial: 'a', states: {} },
      'Cannot record the config of a machine. Pass createMachine(config).',
    ],
    ['a promise', Promise.resolve(1), `Cannot record an object that is no logic. ${usual}`],
    ['an actor', createActor(machine), actor],
    ['an actor of a promise', createActor(promise), actor],
    ['a snapshot', createActor(machine).getSnapshot(), `Cannot record an object that is no logic. ${usual}`],
    [
      'an async function',
      () => Promise.resolve(1),
      'Cannot record a function. Wrap it: fromPromise(fn), fromCallback(fn) or fromTransition(fn, context).',
    ],
    ['a store', createStore({ context: { n: 0 }, on: {} }), store],
    [
      'logic of XState 6',
      version6,
      'Cannot record logic of XState 6. XState 5 is needed: npm install xstate@5',
    ],
    [
      'a machine of XState 4',
      version4,
      'Cannot record a machine of XState 4. XState 5 is needed: npm install xstate@5',
    ],
  ])('%s', (_, logic, message) => {
    expect(messageOf(() => (record as Call)(logic))).toBe(message)
    expect(messageOf(() => (attach as Call)(logic))).toBe(message)
  })

  test.each([machine, promise, fromStore({ context: { n: 0 }, on: {} })])(
    'logic of XState 5 is recorded',
    logic => {
      const recording = record(logic as typeof machine)
      recording.start()
      expect(recording.actor.getSnapshot().status).toBe('active')
      recording.stop()
    },
  )
})
