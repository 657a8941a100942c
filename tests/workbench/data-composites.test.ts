// References with several columns: guessed by the names of a key, confirmed by the backend, and followed as
// one.
import { expect, test } from 'vitest'
import {
  askFor,
  compositesIn,
  isReferring,
  withComposites,
  ALL_RIGHTS,
  type Column,
  type TableInfo,
} from '../../src/services/workbench/table/index.ts'
import { lookupConditions, pairValues } from '../../src/ui/app/data/editors/lookup.ts'

const column = (name: string, part: Partial<Column> = {}): Column => ({
  name,
  type: 'text',
  format: 'text',
  required: false,
  hasDefault: false,
  isKey: false,
  ...part,
})
const whole = { type: 'integer', format: 'integer' } as const
const table = (name: string, columns: readonly Column[]): TableInfo => ({
  name,
  columns,
  isKnown: true,
  rights: ALL_RIGHTS,
})
const docks = table('docks', [
  column('harbour', { isKey: true }),
  column('no', { ...whole, isKey: true }),
  column('title'),
])
const moorings = table('moorings', [
  column('id', { ...whole, isKey: true }),
  column('at_harbour'),
  column('at_no', whole),
  column('harbour'),
])
const pairs = [
  { ours: 'at_harbour', theirs: 'harbour' },
  { ours: 'at_no', theirs: 'no' },
]
const composite = { table: 'docks', pairs }

test('columns named like a whole key may refer to it; half of it or another type don’t', () => {
  const others = [docks, moorings, table('no', [column('no', { ...whole, isKey: true })])]
  expect(compositesIn(moorings, others)).toEqual([composite])
  expect(compositesIn(docks, others)).toEqual([])
  expect(compositesIn(table('x', [column('harbour'), column('no')]), others)).toEqual([])
})

test('the backend is queried to confirm', () => {
  expect(askFor(moorings, composite, 'port')).toEqual({
    path: '/moorings',
    query: [
      ['select', 'there:docks(harbour)'],
      ['limit', '1'],
    ],
    headers: { 'Accept-Profile': 'port' },
  })
  const one = { there: { harbour: 'Kiel' } }
  expect([[], [one], [{ there: null }], [{ there: [one] }]].map(isReferring)).toEqual([
    true,
    true,
    true,
    false,
  ])
})

test('its columns refer together, except for those that refer alone', () => {
  const references = { table: 'harbours', column: 'name' }
  const alone = table('moorings', [column('at_harbour', { references }), column('at_no', whole)])
  expect(withComposites(alone, [composite]).columns.map(each => each.references)).toEqual([
    references,
    { table: 'docks', column: 'no', pairs },
  ])
})

test('a row is found by any of its keys, and returns all of them', () => {
  expect(lookupConditions('12', docks.columns.slice(0, 2), docks.columns[2])).toEqual([
    ['or', '(title.ilike."*12*",harbour.ilike."*12*",no.eq.12)'],
  ])
  expect(lookupConditions('Ki', docks.columns.slice(0, 2), undefined)).toEqual([
    ['or', '(harbour.ilike."*Ki*")'],
  ])
  expect(pairValues({ table: 'docks', column: 'no', pairs }, 'at_no', { harbour: 'Kiel', no: '3' })).toEqual({
    at_harbour: 'Kiel',
  })
})
