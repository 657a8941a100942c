// Generated columns: detected from a rejection, remembered, and neither offered nor sent again.
import { beforeEach, expect, test, vi } from 'vitest'
import {
  readDraft,
  changesOf,
  ALL_RIGHTS,
  type Column,
  type TableInfo,
} from '../../src/services/workbench/table/index.ts'
import { createMadeStore, withMade } from '../../src/services/workbench/table/made-columns.ts'
import { explainRest } from '../../src/services/workbench/rest/explain-failure.ts'

const URL = 'https://a.example'

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  })
  return () => vi.unstubAllGlobals()
})

const column = (name: string): Column => ({
  name,
  type: 'integer',
  format: 'integer',
  required: true,
  hasDefault: false,
  isKey: false,
})
const info: TableInfo = {
  name: 'sales',
  isKnown: true,
  rights: ALL_RIGHTS,
  columns: ['n', 'total'].map(column),
}

test.each([
  [
    'insert',
    'cannot insert a non-DEFAULT value into column "id"',
    'Column "id" is an identity column defined as GENERATED ALWAYS.',
    { field: 'id', generation: 'identity' },
  ],
  [
    'update',
    'column "total" can only be updated to DEFAULT',
    'Column "total" is a generated column.',
    { field: 'total', generation: 'generated' },
  ],
] as const)('a rejected value is reported on %s', async (action, message, details, expected) => {
  expect(await explainRest({ message, details, code: '428C9' }, 400, action)).toMatchObject({
    ...expected,
    retry: false,
    message: expect.stringMatching(/^The database generates this value/) as string,
  })
})

test('is remembered for its table, reported at once, and still there after a reload', () => {
  const store = createMadeStore(URL)
  let received = 0
  store.subscribe(() => (received += 1))
  store.add({ schema: 'public', table: 'sales' }, 'total', 'generated')
  store.add({ schema: 'public', table: 'sales' }, 'total', 'generated')
  expect(received).toBe(1)
  const again = createMadeStore(URL).all()
  expect(withMade(info, 'public', again).columns).toEqual([
    column('n'),
    { ...column('total'), generation: 'generated', hasDefault: true },
  ])
  expect(withMade(info, 'private', again)).toBe(info)
})

test('is not sent, not required, and not a change', () => {
  const store = createMadeStore(URL)
  store.add({ schema: 'public', table: 'sales' }, 'total', 'generated')
  const { columns } = withMade(info, 'public', store.all())
  expect(readDraft(columns, { n: '1', total: '7' })).toEqual({ ok: true, values: { n: '1' } })
  expect(readDraft(columns, { n: '1' })).toEqual({ ok: true, values: { n: '1' } })
  expect(changesOf(columns, { n: '2', total: '7' }, { n: 1, total: 3 })).toEqual({ n: '2' })
})
