// The functions family: the demo function, and what happens when one is missing, throws or hangs.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FunctionsHttpError, FunctionsRelayError } from '@supabase/supabase-js'
import { afterAll, expect, test } from 'vitest'
import { createFunctions } from '../../backend/functions/index.ts'
import { createTokens } from '../../backend/keys/tokens.ts'
import { generateSecrets } from '../../backend/data-directory.ts'
import tide from '../../backend/demo/functions/tide.ts'
import { officialClient, startTestBackend } from '../harness/backend.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartroom-functions-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'leak.ts'), `export default () => { throw new Error('a secret') }`)
writeFileSync(join(folder, 'hang.ts'), `export default () => new Promise(() => {})`)
writeFileSync(
  join(folder, 'whoami.ts'),
  `export default (request: Request, context: { claims: { role: string; sub?: string } }) =>
    Response.json({ method: request.method, role: context.claims.role })`,
)
const backend = await startTestBackend({ functionsDir: folder })

test('tide answers the height and the next turn', async () => {
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

test('the demo function is served unless another folder is given', async () => {
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

test('a function gets the request and knows who called', async () => {
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

test('a throwing function is a relay error that tells nothing of its inside', async () => {
  const { error } = await officialClient(backend).functions.invoke('leak')
  expect(error).toBeInstanceOf(FunctionsRelayError)
  const response: Response = error.context
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({ code: 'WORKER_ERROR', message: 'The function failed' })
})

test('a hanging function is given up', async () => {
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
