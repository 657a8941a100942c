// The functions service: the demo functions, and functions that are missing, throw or hang.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FunctionsHttpError, FunctionsRelayError } from '@supabase/supabase-js'
import { afterAll, expect, test } from 'vitest'
import { createFunctions } from '../../../backend/functions/index.ts'
import { createTokens } from '../../../backend/keys/index.ts'
import { generateSecrets } from '../../../backend/shared/data-directory.ts'
import chart from '../../../backend/demo/functions/chart.ts'
import echo from '../../../backend/demo/functions/echo.ts'
import rocks from '../../../backend/demo/functions/rocks.ts'
import tide from '../../../backend/demo/functions/tide.ts'
import watch from '../../../backend/demo/functions/watch.ts'
import { officialClient, startTestBackend } from '../../harness/backend.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartroom-functions-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'leak.ts'), `export default () => { throw new Error('a secret') }`)
writeFileSync(
  join(folder, 'page.ts'),
  `export default (request: Request) => new URL(request.url).searchParams.has('own')
    ? new Response('<p>', { headers: { 'content-security-policy': "default-src 'self'" } })
    : Response.redirect('http://127.0.0.1/else', 303)`,
)
writeFileSync(join(folder, 'hang.ts'), `export default () => new Promise(() => {})`)
writeFileSync(
  join(folder, 'whoami.ts'),
  `export default (request: Request, context: { claims: { role: string; sub?: string } }) =>
    Response.json({ method: request.method, role: context.claims.role })`,
)
const backend = await startTestBackend({ functionsDir: folder })

test('what a function answers is sandboxed when opened as a page, unless it opts out', async () => {
  const ask = async (path: string) => {
    const response = await fetch(`${backend.url}/functions/v1/${path}`, {
      headers: { apikey: backend.publishableKey },
      redirect: 'manual',
    })
    const { status, headers } = response
    return [status, headers.get('content-security-policy'), headers.get('x-content-type-options')]
  }
  expect(await ask('whoami')).toEqual([200, 'sandbox', 'nosniff'])
  // Headers of a redirect are immutable.
  expect(await ask('page')).toEqual([303, 'sandbox', 'nosniff'])
  expect(await ask('page?own')).toEqual([200, "default-src 'self'", 'nosniff'])
})

test('tide returns the height and the next turn', async () => {
  const request = new Request('http://harbour.test', {
    method: 'POST',
    body: JSON.stringify({ port: 'Gullhaven', at: '1970-01-01T00:00:00Z' }),
  })
  expect(await (await tide(request)).json()).toEqual({
    port: 'Gullhaven',
    time: '1970-01-01T00:00:00.000Z',
    height: 4.4,
    next: { kind: 'low', time: '1970-01-01T06:12:36.000Z', height: 0.8 },
  })
})

const at = (path: string, init?: RequestInit) => new Request(`http://harbour.test/functions/v1/${path}`, init)

test("echo returns the request without the caller's identity", async () => {
  const form = new FormData()
  form.append('chart', new File(['ab'], 'a.bin', { type: 'image/png' }))
  const plain = at('echo/a?x=1&x=2', {
    method: 'PUT',
    headers: { authorization: 'Bearer secret', 'content-type': 'application/json', 'x-watch': 'first' },
    body: '[1]',
  })
  expect(await (await echo(plain)).json()).toEqual({
    method: 'PUT',
    path: '/a',
    query: [
      ['x', '1'],
      ['x', '2'],
    ],
    headers: { authorization: '(hidden)', 'content-type': 'application/json', 'x-watch': 'first' },
    body: { type: 'application/json', size: 3, json: [1] },
  })
  const { body } = await (await echo(at('echo', { method: 'POST', body: form }))).json()
  expect(body.fields).toEqual([{ name: 'chart', file: 'a.bin', type: 'image/png', size: 2 }])
})

test('watch streams events, lines or text, and ends with its timeout or its reader', async () => {
  const { signal } = new AbortController()
  const text = (query: string) => watch(at(`watch?count=2&every=0${query}`), { signal }).text()
  expect(await text('')).toBe(
    'id: 1\nevent: sighting\ndata: {"n":1,"what":"a light","bearing":10}\n\n' +
      'id: 2\nevent: sighting\ndata: {"n":2,"what":"the ferry","bearing":75}\n\n' +
      'event: end\ndata: The watch is over.\n\n',
  )
  expect(await text('&as=lines')).toBe(
    '{"n":1,"what":"a light","bearing":10}\n{"n":2,"what":"the ferry","bearing":75}\n',
  )
  const over = watch(at('watch?as=text&every=10000'), { signal: AbortSignal.abort() })
  expect(await over.text()).toBe('')
  const reader = watch(at('watch?as=text&every=10000'), { signal }).body!.getReader()
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('1. Sighted a light, bearing 10°\n')
  await reader.cancel()
})

test('rocks returns the requested error and body', async () => {
  const json = rocks(at('rocks?status=429'))
  expect([json.status, json.headers.get('retry-after'), await json.json()]).toEqual([
    429,
    '5',
    {
      code: 'ROCKS_429',
      message: 'The lock takes one vessel at a time',
      details: { vessel: 'Kittiwake' },
    },
  ])
  expect([rocks(at('rocks?status=204')).status, rocks(at('rocks?status=7')).status]).toEqual([204, 422])
  expect(() => rocks(at('rocks?throw'))).toThrow('aground')
})

test('chart returns a picture, a table or bytes', async () => {
  const bytes = new Uint8Array(await chart(at('chart')).arrayBuffer())
  expect([...bytes.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  expect((await chart(at('chart?as=csv')).text()).split('\n').slice(0, 2)).toEqual([
    'time,height',
    '0:00,4.40',
  ])
  expect((await chart(at('chart?as=bin')).arrayBuffer()).byteLength).toBe(96 * 4)
})

test('the demo functions are served unless another folder is given', async () => {
  const harbour = await startTestBackend()
  const { data, error } = await officialClient(harbour).functions.invoke('tide', {
    body: { port: 'Sallow Quay', at: '2026-03-01T04:00:00Z' },
  })
  expect(error).toBeNull()
  expect(data).toEqual({
    port: 'Sallow Quay',
    time: '2026-03-01T04:00:00.000Z',
    height: expect.any(Number),
    next: {
      kind: expect.stringMatching(/^(high|low)$/),
      time: expect.any(String),
      height: expect.any(Number),
    },
  })
  const unknown = await officialClient(harbour).functions.invoke('tide', { body: { port: 'Atlantis' } })
  const response: Response = unknown.error.context
  expect(response.status).toBe(404)
})

test('a function receives the request and the caller', async () => {
  const { data, error } = await officialClient(backend).functions.invoke('whoami', { method: 'GET' })
  expect(error).toBeNull()
  expect(data).toEqual({ method: 'GET', role: 'anon' })
})

test('an unknown function is 404 with JSON', async () => {
  const { error } = await officialClient(backend).functions.invoke('nowhere')
  expect(error).toBeInstanceOf(FunctionsHttpError)
  const response: Response = error.context
  expect(response.status).toBe(404)
  expect(await response.json()).toEqual({ code: 'NOT_FOUND', message: 'Requested function was not found' })
})

test('a throwing function gives a relay error without details', async () => {
  const { error } = await officialClient(backend).functions.invoke('leak')
  expect(error).toBeInstanceOf(FunctionsRelayError)
  const response: Response = error.context
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({ code: 'WORKER_ERROR', message: 'The function failed' })
})

test('a hanging function is aborted', async () => {
  const secrets = generateSecrets()
  const run = createFunctions({
    tokens: await createTokens(secrets),
    secrets,
    url: backend.url,
    folder,
    timeoutMs: 20,
  })
  const response = await run(
    new Request(`${backend.url}/functions/v1/hang`, { headers: { apikey: secrets.publishableKey } }),
  )
  expect([response.status, response.headers.get('x-relay-error')]).toEqual([504, 'true'])
})
