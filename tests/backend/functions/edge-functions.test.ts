// Edge Functions of a project: callers, environment, streams, failures, limits, reload and the end of processes.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SignJWT } from 'jose'
import { afterAll, expect, test, vi } from 'vitest'
import { startBackend, type BackendOptions } from '../../../backend/index.ts'
import { createEdgeFunctions, type FunctionLogLine } from '../../../backend/functions/index.ts'
import { createTokens } from '../../../backend/keys/index.ts'
import { readProject } from '../../../backend/project/index.ts'
import { generateSecrets } from '../../../backend/shared/data-directory.ts'
import { officialClient } from '../../harness/backend.ts'
import { denoProgram } from './deno-program.ts'

const root = mkdtempSync(join(tmpdir(), 'chartroom-edge-'))
const endings: (() => Promise<void>)[] = []
afterAll(async () => {
  await Promise.all(endings.map(end => end()))
  rmSync(root, { recursive: true, force: true })
})
const deno = denoProgram(root)

let count = 0
function projectOf(files: Readonly<Record<string, string>>): string {
  const dir = join(root, String((count += 1)))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, 'supabase', name)), { recursive: true })
    writeFileSync(join(dir, 'supabase', name), text)
  }
  return dir
}

async function start(project: string, options: Partial<BackendOptions> = {}) {
  const log: FunctionLogLine[] = []
  const onFunctionLog = (line: FunctionLogLine) => void log.push(line)
  const backend = await startBackend({ data: 'memory', port: 0, project, deno, onFunctionLog, ...options })
  endings.push(() => backend.stop())
  const call = (path: string, init?: RequestInit) => fetch(`${backend.url}/functions/v1/${path}`, init)
  return { backend, log, call }
}

const OPEN = (name: string) => `[functions.${name}]\nverify_jwt = false\n`

const project = projectOf({
  'config.toml': `${['open', 'stream', 'broken', 'crash', 'page', 'legacy', 'preflight'].map(OPEN).join('')}
[functions.off]
enabled = false
[functions.renamed]
entrypoint = "./functions/elsewhere/main.ts"
verify_jwt = false
[edge_runtime.secrets]
FROM_CONFIG = "env(EDGE_SECRET)"
`,
  '.env': 'EDGE_SECRET=configured\n',
  // The names would load code into the program, if they were in its environment when it starts.
  'functions/.env':
    'FROM_FILE=filed\nSUPABASE_URL=http://elsewhere.test\nLD_PRELOAD=./evil.so\nNODE_OPTIONS=--import=./evil.mjs\n',
  'functions/_shared/greeting.ts': `export const greeting = 'hello'`,
  'functions/guarded/index.ts': `
    import { greeting } from '../_shared/greeting.ts'
    console.log('called with', 1)
    Deno.serve(() => Response.json({ greeting, env: Deno.env.toObject() }))`,
  'functions/open/index.ts': `
    Deno.serve(async request => Response.json({
      url: request.url, method: request.method, headers: Object.fromEntries(request.headers), body: await request.text(),
    }, { headers: { 'access-control-allow-origin': 'https://one.test' } }))`,
  'functions/stream/index.ts': `
    Deno.serve(request => new Response(new ReadableStream({
      async start(out) {
        for await (const chunk of request.body) out.enqueue(chunk)
        out.close()
      },
    })))`,
  'functions/preflight/index.ts': `
    Deno.serve(request => request.method === 'OPTIONS'
      ? new Response(null, { status: 204, headers: { 'access-control-allow-origin': 'https://one.test' } })
      : new Response('ok'))`,
  'functions/broken/index.ts': `import './missing.ts'`,
  'functions/crash/index.ts': `
    Deno.serve(() => { setTimeout(() => { throw new Error('late') }); return new Promise(() => {}) })`,
  'functions/page/index.ts': `
    export default { fetch: () => new Response('<p>', { status: 500, headers: { 'content-type': 'text/html' } }) }`,
  'functions/legacy/index.ts': `
    const connection = await Deno.listen({ port: 8000 }).accept()
    for await (const event of Deno.serveHttp(connection)) event.respondWith(new Response('legacy'))`,
  'functions/off/index.ts': `Deno.serve(() => new Response('off'))`,
  'functions/elsewhere/main.ts': `Deno.serve(() => new Response('renamed'))`,
})
const { backend, call, log } = await start(project, { keys: 'cli' })

async function tokenOf(claims: Record<string, unknown>): Promise<string> {
  const secret = new TextEncoder().encode('super-secret-jwt-token-with-at-least-32-characters-long')
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret)
}

test('functions that are not disabled are reported with the Deno that runs them', () => {
  expect(backend.project?.functions).toEqual([])
  expect(backend.project?.servedFunctions).toEqual({
    names: ['broken', 'crash', 'guarded', 'legacy', 'open', 'page', 'preflight', 'renamed', 'stream'],
    deno: { path: deno, version: '2.9.6' },
  })
})

test('verify_jwt refuses what is not a valid token, a publishable key too', async () => {
  const ask = async (headers: Record<string, string>) => {
    const response = await call('guarded', { headers })
    const body = (await response.json()) as Record<string, unknown>
    return [response.status, body['code'], body['message'], response.headers.get('sb-error-code')]
  }
  const refused = (code: string, message = 'Invalid JWT') => [
    401,
    `UNAUTHORIZED_${code}`,
    message,
    `UNAUTHORIZED_${code}`,
  ]
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const foreign = new SignJWT({ role: 'anon' }).setProtectedHeader({ alg: 'HS256' })
  expect(await ask({})).toEqual(refused('NO_AUTH_HEADER', 'Missing authorization header'))
  expect(await ask({ apikey: backend.publishableKey })).toEqual(
    refused('NO_AUTH_HEADER', 'Missing authorization header'),
  )
  expect(await ask({ apikey: backend.publishableKey, ...bearer(backend.publishableKey) })).toEqual(
    refused('INVALID_JWT_FORMAT'),
  )
  expect(await ask(bearer('a.b.c'))).toEqual(refused('INVALID_JWT_FORMAT'))
  expect(await ask(bearer(await foreign.sign(new Uint8Array(32))))).toEqual(refused('LEGACY_JWT'))
  const expired = await tokenOf({ role: 'anon', exp: 1 })
  expect(await ask(bearer(expired))).toEqual(refused('LEGACY_JWT'))
  expect((await call('guarded', { headers: bearer(await tokenOf({ role: 'anon' })) })).status).toBe(200)
})

test("the environment is the service's and the project's, without the parent's", async () => {
  vi.stubEnv('CHARTROOM_SECRET_OF_PARENT', 'secret')
  const response = await call('guarded', {
    headers: { authorization: `Bearer ${await tokenOf({ role: 'anon' })}` },
  })
  const { env } = (await response.json()) as { env: Record<string, string> }
  const { TMPDIR: temporary, ...rest } = env
  expect(temporary).toContain('chartroom-function-')
  expect(rest).toEqual({
    FROM_CONFIG: 'configured',
    FROM_FILE: 'filed',
    LD_PRELOAD: './evil.so',
    NODE_OPTIONS: '--import=./evil.mjs',
    SUPABASE_URL: backend.url,
    SUPABASE_ANON_KEY: expect.stringMatching(/^ey/),
    SUPABASE_SERVICE_ROLE_KEY: expect.stringMatching(/^ey/),
    SUPABASE_DB_URL: expect.stringMatching(/^postgresql:\/\/postgres:postgres@127\.0\.0\.1:\d+\/postgres$/),
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: backend.publishableKey }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: backend.secretKey }),
    SUPABASE_JWKS: expect.stringContaining('"keys"'),
    PWD: expect.any(String),
  })
  const { data } = await officialClient(backend, env['SUPABASE_SERVICE_ROLE_KEY']).auth.admin.listUsers()
  expect(data.users).toEqual([])
  expect(
    (await call('guarded', { headers: { authorization: `Bearer ${env['SUPABASE_ANON_KEY']}` } })).status,
  ).toBe(200)
  expect(log.map(({ function: name, from, text }) => [name, from, text])).toEqual(
    expect.arrayContaining([
      ['guarded', 'stdout', 'called with 1'],
      ['guarded', 'service', '.env: SUPABASE_URL is skipped, because names must not start with SUPABASE_'],
    ]),
  )
})

test('a function receives the request below its name, and its headers are the response', async () => {
  const response = await call('open/path?x=1', { method: 'PUT', body: 'text', headers: { 'x-own': 'yes' } })
  expect(response.headers.get('access-control-allow-origin')).toBe('https://one.test')
  const { url, method, headers, body } = (await response.json()) as Record<string, never>
  expect([url, method, body]).toEqual([`${backend.url}/open/path?x=1`, 'PUT', 'text'])
  expect(headers).toMatchObject({
    'x-own': 'yes',
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-host': new URL(backend.url).host,
  })
  expect(headers).not.toHaveProperty('x-chartroom-worker')
  expect(await (await call('renamed')).text()).toBe('renamed')
  expect(await (await call('legacy')).text()).toBe('legacy')
})

test('the function alone answers a preflight', async () => {
  const ask = async (name: string) => {
    const headers = { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' }
    const response = await call(name, { method: 'OPTIONS', headers })
    return [response.status, response.headers.get('access-control-allow-origin')]
  }
  expect(await ask('preflight')).toEqual([204, 'https://one.test'])
  expect(await ask('renamed')).toEqual([200, null])
})

test('bodies stream both ways', async () => {
  const sent = new TransformStream<Uint8Array, Uint8Array>()
  const writer = sent.writable.getWriter()
  const encode = (text: string) => new TextEncoder().encode(text)
  const pending = call('stream', { method: 'POST', body: sent.readable, duplex: 'half' } as RequestInit)
  await writer.write(encode('first'))
  const reader = (await pending).body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first')
  await writer.write(encode('second'))
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('second')
  await writer.close()
  expect((await reader?.read())?.done).toBe(true)
})

test('failures have the status and code of the hosted service', async () => {
  const ask = async (name: string) => {
    const response = await call(name)
    const text = await response.text()
    return [response.status, response.headers.get('sb-error-code'), text]
  }
  expect(await ask('broken')).toEqual([
    503,
    'BOOT_ERROR',
    '{"code":"BOOT_ERROR","message":"Worker failed to boot (please check logs)"}',
  ])
  expect(await ask('crash')).toEqual([
    500,
    'WORKER_ERROR',
    '{"code":"WORKER_ERROR","message":"Function exited due to an error (please check logs)"}',
  ])
  expect(await ask('off')).toEqual([
    404,
    'NOT_FOUND',
    '{"code":"NOT_FOUND","message":"Requested function was not found"}',
  ])
  expect(await ask('page')).toEqual([500, 'EDGE_FUNCTION_ERROR', '<p>'])
  expect(log.some(({ function: name, text }) => name === 'crash' && text.includes('late'))).toBe(true)
})

test('pages are text, as on the hosted service, and cannot run scripts', async () => {
  const { headers } = await call('page')
  expect([headers.get('content-type'), headers.get('content-security-policy')]).toEqual([
    'text/plain',
    "default-src 'none'; sandbox",
  ])
})

test('the log is available under /_chartroom', async () => {
  const response = await fetch(`${backend.url}/_chartroom/functions.json`)
  const { functions, log: lines } = (await response.json()) as Record<string, Record<string, unknown>[]>
  expect(functions).toContainEqual({ name: 'open', verifyJwt: false, pid: expect.any(Number) })
  expect(lines).toContainEqual(
    expect.objectContaining({ function: 'guarded', from: 'stdout', text: 'called with 1' }),
  )
})

test('a change of a file is served by the next request, and so is a new function', async () => {
  const dir = projectOf({
    'config.toml': OPEN('one') + OPEN('two'),
    'functions/_shared/text.ts': `export const text = 'before'`,
    'functions/one/index.ts': `
      import { text } from '../_shared/text.ts'
      Deno.serve(() => new Response(text))`,
  })
  const own = await start(dir)
  const ask = async (name: string) => (await own.call(name)).text()
  expect(await ask('one')).toBe('before')
  writeFileSync(join(dir, 'supabase/functions/_shared/text.ts'), `export const text = 'after'`)
  await vi.waitFor(async () => expect(await ask('one')).toBe('after'), { timeout: 10_000 })
  mkdirSync(join(dir, 'supabase/functions/two'))
  writeFileSync(join(dir, 'supabase/functions/two/index.ts'), `Deno.serve(() => new Response('two'))`)
  expect(await ask('two')).toBe('two')
})

test('limits of time, memory and requests end or refuse, and the next process works', async () => {
  const dir = projectOf({
    'config.toml': ['slow', 'silent', 'full', 'late'].map(OPEN).join(''),
    'functions/slow/index.ts': `Deno.serve(() => new Promise(() => {}))`,
    'functions/silent/index.ts': `await new Promise(() => setInterval(() => {}, 1000))`,
    'functions/full/index.ts': `
      Deno.serve(() => { console.error('Fatal JavaScript out of memory: Reached heap limit'); process.abort() })`,
    'functions/late/index.ts': `Deno.serve(() => new Promise(() => {}))`,
  })
  const log: string[] = []
  const edge = async (limits: Record<string, number>) => {
    const service = createEdgeFunctions({
      deno: { path: deno, version: '2.9.6' },
      functions: readProject(dir).config.functions,
      tokens: await createTokens(generateSecrets()),
      variables: async () => ({}),
      limits,
      onLog: ({ function: name, text }) => log.push(`${name} ${text}`),
    })
    endings.push(() => service.stop())
    return async (name: string) => {
      const response = await service.fetch(new Request(`http://127.0.0.1/functions/v1/${name}`))
      return [response.status, ((await response.json()) as Record<string, unknown>)['code']]
    }
  }
  expect(await (await edge({ requestMs: 1_500 }))('slow')).toEqual([504, 'IDLE_TIMEOUT'])
  expect(await (await edge({ bootMs: 800 }))('silent')).toEqual([503, 'BOOT_ERROR'])
  expect(await (await edge({}))('full')).toEqual([546, 'WORKER_LIMIT'])
  expect(await (await edge({ wallClockMs: 300 }))('late')).toEqual([546, 'WORKER_LIMIT'])
  const busy = await edge({ requests: 1, wallClockMs: 2_000 })
  const first = busy('late')
  await vi.waitFor(async () => expect(await busy('late')).toEqual([546, 'WORKER_LIMIT']))
  expect(await first).toEqual([546, 'WORKER_LIMIT'])
  expect(log).toEqual(
    expect.arrayContaining([
      'slow did not respond within 1.5 s',
      'silent was ended: it did not call Deno.serve within 0.8 s',
      'late was ended: it reached the wall clock limit of 0.3 s',
      'late a request was refused: 1 are under way',
    ]),
  )
})

test('processes end with the backend', async () => {
  const own = await start(
    projectOf({
      'config.toml': OPEN('one'),
      'functions/one/index.ts': `Deno.serve(() => new Response('${process.pid}'))`,
    }),
  )
  expect((await own.call('one')).status).toBe(200)
  const { functions } = (await (await fetch(`${own.backend.url}/_chartroom/functions.json`)).json()) as {
    functions: { pid: number }[]
  }
  const pid = functions[0]?.pid ?? 0
  expect(process.kill(pid, 0)).toBe(true)
  await own.backend.stop()
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test('a program that is not Deno stops the start', async () => {
  await expect(start(project, { deno: process.execPath })).rejects.toThrow('is not a Deno program')
})
