// Pages of a table's rows: what is read, what is shown in the meantime, the row count, and where the next
// page begins.
import { describe, expect, test } from 'vitest'
import { touchedBy } from '../../../src/services/workbench/table/rows-store.ts'
import { conditionAfter, totalOrder } from '../../../src/services/workbench/table/cursor.ts'
import {
  NO_PAGES,
  PAGE_ROWS,
  pagesNeeded,
  pagesReducer,
  rowAt,
  rowCount,
  type Pages,
  type PagesAction,
} from '../../../src/services/workbench/table/pages.ts'
import {
  ALL_RIGHTS,
  defaultSorts,
  type Column,
  type Row,
  type TableInfo,
} from '../../../src/services/workbench/table/index.ts'

const column = (name: string, part: Partial<Column> = {}): Column => ({
  name,
  type: 'text',
  format: 'text',
  required: true,
  hasDefault: false,
  isKey: false,
  ...part,
})
const id = column('id', { type: 'integer', format: 'bigint', isKey: true })
const info: TableInfo = {
  name: 'log',
  isKnown: true,
  rights: ALL_RIGHTS,
  columns: [id, column('note'), column('wind', { required: false })],
}
const row = (n: number, note = `entry ${n}`): Row => ({ id: String(n), note, wind: null })
const many = (from: number, count: number) => Array.from({ length: count }, (_, n) => row(from + n))
const read = (page: number, rows: readonly Row[], estimate: number | null = null): PagesAction => ({
  type: 'page.read',
  page,
  rows,
  isLast: rows.length < PAGE_ROWS,
  isKeyShared: false,
  estimate,
  seenCount: page,
  isOutdated: false,
})
const asked = (query = 'q', filters = '["public","log",[]]'): PagesAction => ({
  type: 'query.asked',
  queryId: query,
  filters,
})
const after = (...actions: readonly PagesAction[]): Pages => actions.reduce(pagesReducer, NO_PAGES)
const shown = (state: Pages) => ({
  total: state.total,
  isExact: state.isExact,
  pages: [...state.rows.keys()],
})

describe('the row count', () => {
  test.each([
    ['the last page is exact', [read(0, many(0, 3), 3)], 3, true],
    ['a partial page may have another one after it', [{ ...read(0, many(0, 3)), isLast: false }], 4, false],
    ['an estimate is marked as such', [read(0, many(0, PAGE_ROWS), 5_000)], 5_000, false],
    [
      'an estimate below the rows read allows a next page',
      [read(0, many(0, PAGE_ROWS), 7)],
      PAGE_ROWS + 1,
      false,
    ],
    ['none', [read(0, [])], 0, true],
    [
      'the last page corrects the estimate',
      [read(0, many(0, PAGE_ROWS), 900), read(1, many(100, 20))],
      PAGE_ROWS + 20,
      true,
    ],
    [
      'a count is exact',
      [read(0, many(0, PAGE_ROWS), 900), { type: 'total.counted', total: 1_234, isExact: true } as const],
      1_234,
      true,
    ],
  ])('%s', (_name, actions, total, isExact) => {
    const state = after(asked(), ...actions)
    expect([state.total, state.isExact, state.phase]).toEqual([total, isExact, 'ready'])
  })

  test('rows beyond the new end are removed', () => {
    const state = after(
      asked(),
      read(0, many(0, PAGE_ROWS), 900),
      read(5, many(500, 10)),
      read(1, many(100, 1)),
    )
    expect(shown(state)).toEqual({ total: PAGE_ROWS + 1, isExact: true, pages: [0, 1] })
  })
})

describe('visible rows', () => {
  test('the same rows stay the same objects, and only visible rows are read', () => {
    const first = after(asked(), read(0, many(0, PAGE_ROWS), 950))
    const [kept] = first.rows.get(0) ?? []
    const next = pagesReducer(first, read(0, many(0, PAGE_ROWS)))
    expect(rowAt(next, 0)).toBe(kept)
    expect(rowAt(next, 250)).toBe(undefined)
    expect(pagesNeeded(next, 90, 210)).toEqual([1, 2])
    expect(pagesNeeded(next, 0, 20)).toEqual([])
    expect(pagesNeeded(next, 5_000, 6_000)).toEqual([9])
  })

  test('rows stay through a reload and its failure, and are read again', () => {
    const ready = after(asked(), read(0, many(0, 3), 3))
    const again = pagesReducer(ready, asked())
    expect([again.isReading, rowCount(again), pagesNeeded(again, 0, 3)]).toEqual([true, 3, [0]])
    const failure = { message: 'gone', retry: true }
    const failed = pagesReducer(again, { type: 'page.failed', failure })
    expect([failed.phase, failed.isReading, failed.failure, rowCount(failed)]).toEqual([
      'failed',
      false,
      failure,
      3,
    ])
    const mended = pagesReducer(pagesReducer(failed, asked()), read(0, many(0, 2)))
    expect([mended.phase, mended.failure, rowCount(mended)]).toEqual(['ready', undefined, 2])
  })

  test('another order keeps the row count and the first page, another filter only the page', () => {
    const ready = after(asked(), read(0, many(0, PAGE_ROWS), 950), read(1, many(100, PAGE_ROWS)))
    expect(shown(pagesReducer(ready, asked('sorted')))).toEqual({ total: 950, isExact: false, pages: [0] })
    expect(shown(pagesReducer(ready, asked('filtered', 'f')))).toEqual({
      total: null,
      isExact: false,
      pages: [0],
    })
  })

  test('a saved row is replaced, a deleted one is removed', () => {
    const ready = after(asked(), read(0, many(0, 3), 3))
    const saved = pagesReducer(ready, { type: 'row.replaced', info, key: '1', row: row(1, 'mended') })
    expect(rowAt(saved, 1)).toEqual(row(1, 'mended'))
    const gone = pagesReducer(ready, { type: 'rows.gone', info, keys: new Set(['0', '2']) })
    expect([rowCount(gone), rowAt(gone, 0), pagesNeeded(gone, 0, 1)]).toEqual([1, row(1), [0]])
  })

  test('pages far from the visible ones are released', () => {
    const pages = Array.from({ length: 70 }, (_, n) =>
      read(n, many(n * 100, PAGE_ROWS), n === 0 ? 9_000 : null),
    )
    expect([...after(asked(), ...pages).rows.keys()]).toEqual(Array.from({ length: 60 }, (_, n) => n + 10))
  })
})

describe('reported changes', () => {
  const view = { info, pages: after(asked(), read(0, many(0, 3), 3)) }
  const change = (type: 'INSERT' | 'UPDATE' | 'DELETE', n: number) => ({
    type,
    record: type === 'DELETE' ? {} : { id: n },
    old: type === 'DELETE' ? { id: n } : {},
  })

  test.each([
    ['a new row', [change('INSERT', 9)], ['9'], 1],
    ['a visible row', [change('INSERT', 2)], ['2'], 0],
    ['a change', [change('UPDATE', 1)], ['1'], 0],
    ['a deletion', [change('DELETE', 1)], [], -1],
    ['a deletion of a row that is not visible', [change('DELETE', 7)], [], 0],
  ])('%s', (_name, changes, keys, shift) => {
    expect(touchedBy(changes, view)).toEqual({ type: 'rows.touched', keys, shift })
  })

  test.each([
    ['integer', 'a rounded integer', '9007199254740992', '9007199254740993'],
    ['number', 'a decimal without its zero', '1.1', '1.10'],
    ['number', 'a decimal without its digits', '0.1', '0.1000000000000000055511151231257827'],
  ] as const)('a key of the type %s that is %s marks no row', (type, _what, rounded, digits) => {
    const big: TableInfo = { ...info, columns: info.columns.map(one => (one.isKey ? { ...one, type } : one)) }
    const pages = after(asked(), read(0, [{ id: rounded }, { id: digits }], 2))
    const record: unknown = JSON.parse(`{ "id": ${digits} }`)
    const change = { type: 'UPDATE', record, old: {} } as Parameters<typeof touchedBy>[0][number]
    expect(touchedBy([change], { info: big, pages })).toEqual({ type: 'rows.touched', keys: [], shift: 0 })
  })

  test('mark rows, change the count and reload the visible pages', () => {
    const state = pagesReducer(view.pages, { type: 'rows.touched', keys: ['9'], shift: 1 })
    expect([[...state.live], state.total, state.isExact, pagesNeeded(state, 0, 4)]).toEqual([
      ['9'],
      4,
      true,
      [0],
    ])
  })
})

describe('the next page begins', () => {
  const last = { id: '7', note: 'a "b", c', wind: 'SW 5' }
  test.each([
    ['after the key alone', [{ column: 'id', direction: 'desc' as const }], last, ['id', 'lt.7']],
    [
      'after the sort value and the key',
      [{ column: 'note', direction: 'asc' as const }],
      { ...last, note: 'a (b), c' },
      ['or', '(note.gt."a (b), c",and(note.eq."a (b), c",id.gt."7"))'],
    ],
    [
      'not after a sort value whose quotes need escapes',
      [{ column: 'note', direction: 'asc' as const }],
      last,
      undefined,
    ],
    ['not where a value may be null', [{ column: 'wind', direction: 'asc' as const }], last, undefined],
    [
      'not after a long text',
      [{ column: 'note', direction: 'asc' as const }],
      { ...last, note: 'x'.repeat(200) },
      undefined,
    ],
  ])('%s', (_name, sorts, from, condition) => {
    expect(conditionAfter(totalOrder(sorts, info), from, info)).toEqual(condition)
  })

  test('rows with equal values have an order, too', () => {
    expect(totalOrder([{ column: 'note', direction: 'desc' }], info)).toEqual([
      { column: 'note', direction: 'desc' },
      { column: 'id', direction: 'desc' },
    ])
    expect([defaultSorts(info), defaultSorts({ ...info, columns: [] })]).toEqual([
      [{ column: 'id', direction: 'desc' }],
      [],
    ])
  })
})
