// `chartroom schema`: the file has what the workbench lists, and the secret key stays a secret.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { schemaCommand } from '../../src/cli/schema.ts'
import { readSchemaFile } from '../../src/services/workbench/schema/schema-content.ts'
import { startTestBackend } from '../harness/backend.ts'
import { ran } from '../harness/command.ts'

const root = mkdtempSync(join(tmpdir(), 'chartroom-schema-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
afterEach(() => vi.unstubAllEnvs())
const backend = await startTestBackend()
const out = join(root, 'schema.json')

const run = (key: string | undefined, ...args: readonly string[]) => {
  vi.stubEnv('CHARTROOM_SECRET_KEY', key)
  return ran(schemaCommand, ...args)
}

test('writes the tables, keys and functions of every exposed schema, and no secret', async () => {
  const { code, out: text, err } = await run(backend.secretKey, '--url', backend.url, '--out', out)
  expect([code, text, err]).toEqual([0, `${out} describes public, graphql_public of ${backend.url}.\n`, ''])
  const file = readFileSync(out, 'utf8')
  expect(file).not.toContain(backend.secretKey)
  const read = readSchemaFile(JSON.parse(file))
  const content = read.ok ? read.schemas.get('public') : undefined
  expect(content?.tables.map(({ name }) => name)).toEqual(['log_entries', 'vessels', 'voyages'])
  expect(content?.tables[1]?.columns[0]).toMatchObject({ name: 'id', isKey: true, type: 'integer' })
  expect(content?.tables[0]?.columns[1]?.references).toEqual({ table: 'voyages', column: 'id' })
  expect(content?.functions.map(({ name, args }) => [name, args.length])).toEqual([
    ['log_wind', 4],
    ['passages', 2],
  ])
  expect((await run(backend.secretKey, '--url', backend.url, '--out', out)).err).toContain(
    'exists. Add --force to replace it.',
  )
  const again = await run(backend.secretKey, '--url', `${backend.url}/rest/v1/`, '--out', out, '--force')
  expect(again.code).toBe(0)
})

const PUBLIC = 'eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.x'
test.each([
  [undefined, 'http://127.0.0.1:1', 'set CHARTROOM_SECRET_KEY'],
  ['', 'http://127.0.0.1:1', 'The key is empty.'],
  ['sb_publishable_x', 'http://127.0.0.1:1', 'This is a public key'],
  [PUBLIC, 'http://127.0.0.1:1', 'This is a public key'],
  ['sb_secret_ä', 'http://127.0.0.1:1', 'a character that no key has'],
  ['sb_secret_x', 'http://backend.example', 'must begin with https://'],
  ['sb_secret_x', 'https://backend.example/?apikey=1', 'must not contain a key'],
  ['sb_secret_x', 'backend', '--url must be the base URL'],
])('key %s for %s is refused before anything is sent', async (key, url, problem) => {
  const { code, err } = await run(key, '--url', url, '--out', join(root, 'none.json'))
  expect([code, err]).toEqual([2, expect.stringContaining(problem)])
  expect(key && err.includes(key)).not.toBe(true)
})

test('a refusal is shown in the words of the backend', async () => {
  const wrong = await run('sb_secret_wrong', '--url', backend.url, '--out', join(root, 'none.json'))
  expect([wrong.code, wrong.err]).toEqual([
    1,
    `The schema could not be read. ${backend.url} answered 401: Invalid API key Double check your Supabase \`apikey\`\n`,
  ])
  const silent = await run('sb_secret_x', '--url', 'http://127.0.0.1:1', '--out', join(root, 'none.json'))
  expect([silent.code, silent.err]).toEqual([1, expect.stringContaining('did not respond')])
})

test('a redirect does not get the key', async () => {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.url} ${String(request.headers['apikey'])}`)
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { code } = await run('sb_secret_x', '--url', `http://127.0.0.1:${port}`, '--out', join(root, 'n'))
  server.close()
  expect([code, seen]).toEqual([1, ['/rest/v1/_?limit=0 sb_secret_x']])
})
