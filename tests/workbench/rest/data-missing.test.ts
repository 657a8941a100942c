// A missing table: similar names, the exposed schemas, and settings named by schema.
import { beforeEach, expect, test, vi } from 'vitest'
import { array, string } from 'valibot'
import {
  nearestNames,
  splitSchema,
  readOfTable,
  writeOfTable,
} from '../../../src/services/workbench/table/index.ts'
import { explainRest } from '../../../src/services/workbench/rest/explain-failure.ts'
import { schemasIn } from '../../../src/services/workbench/rest/rest.ts'
import { isOfHost } from '../../../src/services/workbench/hosts/forget-host.ts'

const stored = new Map<string, string>()

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  })
  return () => vi.unstubAllGlobals()
})

test.each([
  ['vesels', ['vessels']],
  ['VESSEL', ['vessels']],
  ['log', ['log_entries', 'logs']],
  ['entries', ['log_entries']],
  ['log_entry', ['log_entries']],
  ['entreis', []],
  ['zzz', []],
])('for %s, %j are suggested', (name, near) => {
  expect(nearestNames(name, ['log_entries', 'logs', 'vessels', 'voyages'])).toEqual(near)
})

test('a name with a schema prefix is split', () => {
  expect([splitSchema('private.notes'), splitSchema('notes'), splitSchema('.x')]).toEqual([
    { schema: 'private', table: 'notes' },
    undefined,
    undefined,
  ])
})

test.each([
  ['The schema must be one of the following: public, api', ['public', 'api']],
  ['{"message":"Only the following schemas are exposed: a, b"}', ['a', 'b']],
  ['{"code":"42501"}', []],
])('schemas in %s', (text, schemas) => {
  expect(schemasIn(text)).toEqual(schemas)
})

test('a rejection distinguishes a missing table from one that can’t be read', async () => {
  const of = async (code: string, message = 'no') =>
    (await explainRest({ message, code }, 404, 'read', 'boats')).isMissing ?? false
  expect([await of('PGRST205'), await of('42501')]).toEqual([true, false])
  expect(await of('42P01', 'relation "public.boats" does not exist')).toBe(true)
  // For example, one that a policy or a view reads.
  expect(await of('42P01', 'relation "public.crews" does not exist')).toBe(false)
})

test('what a table needs and lacks is reported in the database’s text', async () => {
  const error = { message: 'relation "crews" does not exist', code: '42P01' }
  expect((await explainRest(error, 404, 'read', 'boats')).message).toBe(
    'A required relation is missing: relation "crews" does not exist.',
  )
})

const names = array(string())
const URL = 'https://a.example'

test('settings of a table are named by its schema', () => {
  const read = (schema: string) => readOfTable('columns', URL, { schema, table: 'notes' }, names, [])
  expect([read('public'), read('private')]).toEqual([[], []])
  writeOfTable('columns', URL, { schema: 'private', table: 'notes' }, ['theirs'])
  writeOfTable('columns', URL, { schema: 'public', table: 'notes' }, ['ours'])
  expect([read('public'), read('private')]).toEqual([['ours'], ['theirs']])
})

test('a name with a dot does not belong to another schema, and is removed with its host', () => {
  writeOfTable('columns', URL, { schema: 'public', table: 'a.b' }, ['one'])
  expect(readOfTable('columns', URL, { schema: 'public.a', table: 'b' }, names, [])).toEqual([])
  const [key = ''] = [...stored.keys()]
  expect([isOfHost(key, URL), isOfHost(key, 'https://a.exam')]).toEqual([true, false])
})
