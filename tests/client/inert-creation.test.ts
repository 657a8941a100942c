// Creating a client reads and starts nothing, so that it may happen while a page is rendered, in a separate process.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { recordEverything } from '../../src/public/devtools/recording.ts'
import { createChartroomClient, type RunClient } from '../../src/public/index.ts'
import {
  ChartroomProvider,
  useChannel,
  useMutation,
  useRequest,
  useSession,
  useStatus,
} from '../../src/public/react.ts'
import { root } from '../../scripts/tool.ts'
import { atTestEnd } from '../harness/endings.ts'
import { KEY, URL_BASE } from '../harness/fake-backend.ts'

const run = promisify(execFile)

/** Loading modules is not creation. */
const LOAD = `
  const { createChartroomClient } = await import('./src/public/index.ts')
  const { createCookieStorage } = await import('./src/public/ssr.ts')
  const { recordEverything } = await import('./src/public/devtools/recording.ts')
  const { createControl } = await import('./src/public/devtools/control.ts')
  const { trapPlatform } = await import('./tests/harness/platform-traps.ts')
  const { process } = globalThis
  const output = process.stdout
  const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
  const traps = trapPlatform()
`

/** What code used of the platform, and how many timers it started. */
interface Uses {
  readonly used: readonly string[]
  readonly started: number
}

const NOTHING: Uses = { used: [], started: 0 }

/** Runs each of these with the traps set. */
async function usesOf(cases: readonly string[]): Promise<readonly Uses[]> {
  const runs = cases.map(
    code => `
      await (async () => {
        traps.reset()
        const before = timers()
        ${code}
        await 0
        all.push({ used: traps.uses(), started: timers() - before })
      })()`,
  )
  const script = `${LOAD}
    const all = []
    ${runs.join('')}
    output.write(JSON.stringify(all), () => process.exit())
  `
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: root })
  return JSON.parse(stdout) as readonly Uses[]
}

/** The cases by name, with what each used. */
async function byName(cases: Readonly<Record<string, string>>): Promise<Readonly<Record<string, Uses>>> {
  const uses = await usesOf(Object.values(cases))
  return Object.fromEntries(Object.keys(cases).map((name, at) => [name, uses[at] ?? NOTHING]))
}

const nothingFor = (cases: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.keys(cases).map(name => [name, NOTHING]))

const made = (options = '{}') => `
  const client = createChartroomClient('${URL_BASE}', '${KEY}', ${options});
`

/** A key of an older project, as the server issues it: a JWT with a role. */
function legacyKey(role: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ role, iss: 'supabase' })}.c2lnbmF0dXJl`
}

test('a client is created without using the platform', async () => {
  const cases = {
    'no options': made(),
    'a session in cookies': made(`{ auth: { storage: createCookieStorage(), flowType: 'pkce' } }`),
    'a recorder': made('{ recording: recordEverything() }'),
    'a recorder and a control': made('{ recording: recordEverything(), control: createControl() }'),
    'the tokens of another service': made('{ accessToken: async () => null }'),
    'a key that is a JWT': `createChartroomClient('${URL_BASE}', '${legacyKey('anon')}')`,
    'many options': made(`{
      db: { schema: 'private', timeout: 1_000, retry: false },
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      global: { headers: { a: 'b' } },
      realtime: { params: { eventsPerSecond: 1 }, worker: true, timeout: 1_000 },
      storage: { useNewHostname: true },
      tracePropagation: true,
      timings: { requestTimeout: 1_000 },
    }`),
  }
  expect(await byName(cases)).toEqual(nothingFor(cases))
})

test('what sends nothing does not start a client', async () => {
  const cases = {
    'its parts': `${made()} const { auth, uploads, supabase, url } = client; supabase.storage; supabase.auth`,
    'parts of supabase-js': `${made()} client.supabase.schema('a'); client.supabase.functions`,
    'a query': `${made()} client.supabase.from('a').select().eq('b', 1)`,
    'a public URL': `${made()} client.supabase.storage.from('a').getPublicUrl('b')`,
    'a data client': `${made()} client.with({ access: 'user' }).from('a').select()`,
    'the end': `${made()} await client.dispose()`,
  }
  expect(await byName(cases)).toEqual(nothingFor(cases))
})

test('a render on a server does not start the client', () => {
  let starts = 0
  const run = recordEverything()
  const recording: RunClient = system => {
    starts += 1
    return run(system)
  }
  const client = createChartroomClient(URL_BASE, KEY, { recording })
  atTestEnd(() => client.dispose())
  const App = () => {
    const { phase } = useSession()
    const { requests } = useStatus()
    const rows = useRequest('a', supabase => supabase.from('a').select())
    const { status } = useChannel('deck')
    const write = useMutation(supabase => supabase.from('a').insert({ b: 1 }))
    return `${phase} ${requests.sending} ${rows.phase} ${status.phase} ${write.phase}`
  }
  const html = renderToString(createElement(ChartroomProvider, { client }, createElement(App)))
  expect(html).toBe('booting 0 pending waiting idle')
  expect(starts).toBe(0)
  client.status()
  expect(starts).toBe(1)
})

test.each([
  ['a question', 'client.status()'],
  ['a subscription', 'client.onStatus(() => undefined)'],
  ['a subscription to the session', 'client.supabase.auth.onAuthStateChange(() => undefined)'],
  ['a call of supabase-js', 'void client.supabase.auth.getSession()'],
  ['a call', 'void client.auth.verifyUser()'],
  ['a query that is sent', `void client.supabase.from('a').select().then(() => undefined)`],
  ['a channel', `client.channel('a')`],
  ['a channel of supabase-js', `client.supabase.channel('a').subscribe()`],
  ['its recording', `client.recording`],
])('%s starts the client', async (_, code) => {
  const [uses] = await usesOf([`${made('{ recording: recordEverything() }')} ${code}`])
  expect(uses?.used).toEqual(
    expect.arrayContaining(['document', 'Date.now()', 'performance.now()', 'localStorage']),
  )
  expect(uses?.started).toBeGreaterThan(0)
})
