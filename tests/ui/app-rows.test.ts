// The rows on show: loads, live changes, order and pages.
import { describe, expect, test } from 'vitest'
import {
  defaultSort,
  NO_ROWS,
  PAGE_SIZE,
  rowsReducer,
  type RowsAction,
  type RowsState,
  type Sort,
} from '../../src/ui/app/data/rows.ts'
import type { Column, Row, TableInfo } from '../../src/ui/app/data/schema.ts'

const column = (name: string, isKey = false): Column => ({
  name,
  type: isKey ? 'integer' : 'text',
  format: isKey ? 'bigint' : 'text',
  required: isKey,
  hasDefault: isKey,
  isKey,
})
const table: TableInfo = { name: 'log', known: true, columns: [column('id', true), column('note')] }
const newest: Sort = { column: 'id', direction: 'desc' }
const row = (id: number, note = `entry ${id}`): Row => ({ id, note })
const ready = (rows: readonly Row[], count: number | null = rows.length): RowsState => ({
  phase: 'ready',
  isLoading: false,
  rows,
  count,
  live: new Set(),
})
const changed = (
  type: 'INSERT' | 'UPDATE' | 'DELETE',
  record: Row,
  place: { sort?: Sort | undefined; page?: number } = {},
): RowsAction => ({
  type: 'row.changed',
  change: { type, record: type === 'DELETE' ? {} : record, old: type === 'DELETE' ? record : {} },
  table,
  sort: 'sort' in place ? place.sort : newest,
  page: place.page ?? 0,
})

describe('loads', () => {
  test('a load of another table forgets the rows, one of the same keeps them until it is done', () => {
    const shown = ready([row(1)])
    expect(rowsReducer(shown, { type: 'load.started', keep: false })).toEqual(NO_ROWS)
    expect(rowsReducer(shown, { type: 'load.started', keep: true })).toEqual({ ...shown, isLoading: true })
    expect(rowsReducer(shown, { type: 'load.done', rows: [row(2)], count: 7 })).toEqual(ready([row(2)], 7))
  })

  test('what a load brings unchanged stays the same object', () => {
    const [kept, old] = [row(1), row(2)]
    const next = rowsReducer(ready([old, kept]), {
      type: 'load.done',
      rows: [row(2, 'mended'), row(1)],
      count: 2,
    })
    expect(next.rows).toEqual([row(2, 'mended'), row(1)])
    expect(next.rows[1]).toBe(kept)
  })

  test('a failure keeps the rows that were shown', () => {
    const failure = { message: 'gone', retry: true }
    expect(rowsReducer(ready([row(1)]), { type: 'load.failed', failure })).toEqual({
      ...ready([row(1)]),
      phase: 'failed',
      failure,
    })
  })

  test('trying again after a failure keeps the rows and the failure until there is an answer', () => {
    const failed = rowsReducer(ready([row(1)]), {
      type: 'load.failed',
      failure: { message: 'gone', retry: true },
    })
    const again = rowsReducer(failed, { type: 'load.started', keep: true })
    expect(again).toEqual({ ...failed, isLoading: true })
    expect(rowsReducer(again, { type: 'load.done', rows: [row(1)], count: 1 })).toEqual(ready([row(1)]))
  })

  test('a live mark survives the load that follows the write', () => {
    const marked = rowsReducer(ready([row(1)]), changed('INSERT', row(2)))
    expect(rowsReducer(marked, { type: 'load.done', rows: [row(2), row(1)], count: 2 })).toEqual({
      ...ready([row(2), row(1)]),
      live: new Set(['2']),
    })
  })
})

describe('live changes', () => {
  test.each([
    ['at the top when the newest come first', newest, [3, 1], 5, [5, 3, 1]],
    ['in between', newest, [3, 1], 2, [3, 2, 1]],
    ['at the end', newest, [3, 2], 1, [3, 2, 1]],
    ['upwards', { column: 'id', direction: 'asc' } as const, [1, 3], 2, [1, 2, 3]],
    ['at the end without an order', undefined, [3, 1], 2, [3, 1, 2]],
  ])('a new row comes %s', (_name, sort, before, id, after) => {
    const next = rowsReducer(ready(before.map(each => row(each))), changed('INSERT', row(id), { sort }))
    expect(next).toEqual({ ...ready(after.map(each => row(each))), live: new Set([String(id)]) })
  })

  test('nulls come last upwards and first downwards, as in Postgres', () => {
    const note = (direction: 'asc' | 'desc'): Sort => ({ column: 'note', direction })
    const blank: Row = { id: 9, note: null }
    const up = rowsReducer(ready([row(1, 'a')]), changed('INSERT', blank, { sort: note('asc') }))
    const down = rowsReducer(ready([row(1, 'a')]), changed('INSERT', blank, { sort: note('desc') }))
    expect([up.rows, down.rows]).toEqual([
      [row(1, 'a'), blank],
      [blank, row(1, 'a')],
    ])
  })

  test('an insert that is shown already (our own, loaded before it was told) is not shown twice', () => {
    const next = rowsReducer(ready([row(2), row(1)]), changed('INSERT', row(2, 'told')))
    expect(next).toEqual({ ...ready([row(2, 'told'), row(1)]), live: new Set(['2']) })
  })

  test('a full page drops its last row, and a row beyond it only counts', () => {
    const full = Array.from({ length: PAGE_SIZE }, (_, index) => row(1000 - index))
    const top = rowsReducer(ready(full, 80), changed('INSERT', row(2000)))
    expect(top.rows).toEqual([row(2000), ...full.slice(0, -1)])
    expect(top.count).toBe(81)
    const below = rowsReducer(ready(full, 80), changed('INSERT', row(1)))
    expect([below.rows, below.count]).toEqual([full, 81])
  })

  test('a row that belongs before a later page only counts', () => {
    const next = rowsReducer(ready([row(5)], 60), changed('INSERT', row(99), { page: 1 }))
    expect([next.rows, next.count]).toEqual([[row(5)], 61])
  })

  test('an update changes the row in place; one of an unseen row changes nothing', () => {
    const shown = ready([row(2), row(1)])
    expect(rowsReducer(shown, changed('UPDATE', { id: 1, note: 'mended' }))).toEqual({
      ...ready([row(2), row(1, 'mended')]),
      live: new Set(['1']),
    })
    expect(rowsReducer(shown, changed('UPDATE', row(8)))).toBe(shown)
  })

  test('a deletion takes the row away; one of an unseen row changes nothing', () => {
    const shown = ready([row(2), row(1)], 9)
    expect(rowsReducer(shown, changed('DELETE', { id: 2 }))).toEqual(ready([row(1)], 8))
    expect(rowsReducer(shown, changed('DELETE', { id: 7 }))).toBe(shown)
  })

  test('changes before the first load and of a table without a key are left out', () => {
    const keyless = { ...table, columns: [column('note')] }
    const action = { ...changed('INSERT', row(1)), table: keyless }
    expect(rowsReducer(NO_ROWS, changed('INSERT', row(1)))).toBe(NO_ROWS)
    const shown = ready([row(1)])
    expect(rowsReducer(shown, action)).toBe(shown)
  })
})

test.each([
  ['a numbered key: newest first', [column('id', true)], { column: 'id', direction: 'desc' }],
  [
    'another key: upwards',
    [{ ...column('code', true), type: 'text' as const }],
    { column: 'code', direction: 'asc' },
  ],
  ['no key: as the server gives them', [column('note')], undefined],
])('first order of %s', (_name, columns, expected) => {
  expect(defaultSort({ ...table, columns })).toEqual(expected)
})
