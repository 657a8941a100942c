// Which requests find out what a schema has, on a backend that does not list its tables.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadSchema } from '../../src/services/workbench/schema/index.ts'
import { startClient } from '../harness/client.ts'
import { json, URL_BASE } from '../harness/fake-backend.ts'

const hidden = {
  message: 'Secret API key required',
  hint: 'Only secret API keys can be used for this endpoint.',
}
const unserved = {
  code: 'PGRST106',
  message: 'Invalid schema: api',
  hint: 'Only the following schemas are exposed: public',
}
const TYPES = `export type Database = { public: {
  Tables: { vessels: { Row: { id: number }; Insert: {}; Update: {}; Relationships: [] } }
  Views: {}
  Functions: {}
  Enums: {}
} }`

let stored: Record<string, string> = {}
beforeEach(() => {
  stored = {}
  vi.stubGlobal('localStorage', { getItem: (name: string) => stored[name] ?? null })
})
afterEach(() => vi.unstubAllGlobals())

const open = (nowhere: () => Response) =>
  startClient({ 'GET /rest/v1/_': nowhere, 'GET /rest/v1/': () => json(hidden, 401) })
const signal = new AbortController().signal
const pathsOf = (requests: readonly { readonly path: string }[]) => requests.map(({ path }) => path)

test('a list that the user gave needs no second request', async () => {
  stored[`chartroom.ui.schema.${URL_BASE}`] = JSON.stringify({ text: TYPES, name: 'types.ts' })
  const { client, requests } = open(() => json(unserved, 406))
  const loaded = await loadSchema(client, 'public', { file: undefined, signal })
  expect(loaded).toMatchObject({
    ok: true,
    value: { phase: 'known', source: 'given', tables: [{ name: 'vessels' }] },
  })
  expect(pathsOf(requests)).toEqual(['/rest/v1/'])
})

test('an open table needs no second request', async () => {
  const { client, requests } = open(() => json(unserved, 406))
  const options = { file: undefined, signal, isTableOpen: () => true }
  expect(await loadSchema(client, 'api', options)).toMatchObject({ ok: true, value: { phase: 'refused' } })
  expect(pathsOf(requests)).toEqual(['/rest/v1/'])
})

test.for([
  [406, unserved, { phase: 'unserved', served: ['public'] }],
  [404, { code: 'PGRST205', message: 'Could not find the table' }, { phase: 'refused' }],
  [540, { message: 'Project is paused' }, { phase: 'unavailable' }],
] as const)('without any table, a second request finds what is wrong: %i', async ([status, body, value]) => {
  const { client, requests } = open(() => json(body, status))
  expect(await loadSchema(client, 'api', { file: undefined, signal })).toMatchObject({ ok: true, value })
  expect(pathsOf(requests)).toEqual(['/rest/v1/', '/rest/v1/_?limit=0'])
})
