// The grid selection: rows by their keys and columns by their names, regardless of inserts and deletes around
// them.
import { describe, expect, test } from 'vitest'
import { GRID_KEY_NOTES, GRID_KEYS, gridKeys } from '../../src/ui/app/data/grid/grid.tsx'
import type { GridProps } from '../../src/ui/app/data/grid/grid-types.ts'
import {
  afterEdit,
  collapse,
  columnsIn,
  cursorPlace,
  cursorRow,
  extendTo,
  hasRows,
  selectAll,
  selectCell,
  selectedRows,
  selectRow,
  settle,
  INITIAL_SELECTION,
  type Selection,
  ALL_RIGHTS,
  rowKey,
  rowName,
  type Row,
  type TableInfo,
  planClear,
  planPaste,
  type PlanContext,
} from '../../src/services/workbench/table/index.ts'
import { loadedRows, type View, NO_PAGES } from '../../src/services/workbench/table/pages.ts'
import { column, ID_COLUMN } from '../harness/column.ts'

const COLUMNS = [
  ID_COLUMN,
  column('at', 'timestamptz', { required: true }),
  column('wind'),
  column('note', 'text', { required: true }),
  column('total', 'integer', { generation: 'generated' }),
]
const info: TableInfo = { name: 'log', isKnown: true, rights: ALL_RIGHTS, columns: COLUMNS }
const rowOf = (id: number): Row => ({ id, at: 'now', wind: `w${id}`, note: `n${id}`, total: 1 })

/** Rows with these ids from the top, out of `count`. */
const viewOf = (ids: readonly number[], count = ids.length, columns = COLUMNS): View => ({
  count,
  columns: columns.map(({ name }) => name),
  rows: loadedRows(info, { ...NO_PAGES, rows: new Map([[0, ids.map(rowOf)]]) }),
})
const keysIn = ({ rows }: Selection) => [...rows.keys()]
const at = (row: number, columnAt = 0) => ({ row, column: columnAt })
const TEN = viewOf([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])

describe('inserted and deleted rows', () => {
  const range = extendTo(TEN, selectCell(TEN, at(3, 2)), at(5, 2))

  test('rows inserted above move the cursor and no selected row', () => {
    const more = viewOf([13, 12, 11, 10, 9, 8, 7, 6, 5, 4])
    expect([keysIn(range), cursorPlace(more, range)]).toEqual([['7', '6', '5'], at(8, 2)])
    expect(selectedRows(more, range).loaded.map(({ index }) => index)).toEqual([6, 7, 8])
  })

  test('rows beyond the loaded pages stay selected, as they were', () => {
    const away = viewOf([30, 29, 28, 27, 26, 25], 600)
    expect(selectedRows(away, range)).toEqual({
      loaded: [],
      away: [7, 6, 5].map(id => ({ key: String(id), row: rowOf(id) })),
    })
    expect([cursorPlace(away, range), cursorRow(away, range)]).toEqual([undefined, rowOf(5)])
  })

  test('a row inserted into the range is not selected', () => {
    const between = viewOf([10, 9, 8, 7, 66, 6, 5])
    expect(selectedRows(between, range).loaded.map(({ key }) => key)).toEqual(['7', '6', '5'])
    // The range is computed again from the visible rows when it is extended.
    expect(keysIn(extendTo(between, range, at(6, 2)))).toEqual(['7', '66', '6', '5'])
  })

  test('a row deleted elsewhere leaves the loaded ones, and the cursor moves to no other', () => {
    const less = viewOf([10, 9, 8, 7, 6, 4])
    expect(cursorPlace(less, range)).toBe(undefined)
    expect(selectedRows(less, range).away.map(({ key }) => key)).toEqual(['5'])
  })

  test('a range whose beginning is gone starts again', () => {
    expect(keysIn(extendTo(viewOf([9, 8, 6, 5]), range, at(1, 2)))).toEqual(['8'])
  })

  test('a column that is hidden is not replaced by another one', () => {
    const block = extendTo(TEN, selectCell(TEN, at(0, 1)), at(0, 2))
    const hidden = viewOf(
      [10],
      1,
      COLUMNS.filter(({ name }) => name !== 'at'),
    )
    expect([columnsIn(TEN, block), columnsIn(hidden, block)]).toEqual([['at', 'wind'], ['wind']])
  })
})

test('only loaded rows of a range are selected, and the others are counted', () => {
  const part = viewOf([5, 4, 3], 1_000)
  const all = selectAll(part, INITIAL_SELECTION)
  expect([keysIn(all), all.unloaded, columnsIn(part, all)]).toEqual([
    ['5', '4', '3'],
    997,
    COLUMNS.map(({ name }) => name),
  ])
})

test('the cursor on a row that is not loaded yet takes that row once it is, and no other later', () => {
  const placed = selectCell(viewOf([5, 4], 4), at(3))
  expect([keysIn(placed), placed.unloaded]).toEqual([[], 1])
  const settled = settle(viewOf([5, 4, 3, 2]), placed)
  expect([keysIn(settled), settled.unloaded, settled.anchor.key]).toEqual([['2'], 0, '2'])
  expect(settle(viewOf([9, 8, 7, 6]), settled)).toBe(settled)
})

test('a row of a range that is loaded later is not selected, also under the cursor', () => {
  const part = viewOf([5, 4], 4)
  const far = extendTo(part, selectCell(part, at(0)), at(3))
  const settled = settle(viewOf([5, 4, 3, 2]), far)
  expect([keysIn(settled), settled.unloaded, settled.cursor.key]).toEqual([['5', '4'], 2, '2'])
})

test('selecting everything leaves the cursor where it is', () => {
  expect(cursorPlace(TEN, selectAll(TEN, selectCell(TEN, at(4, 2))))).toEqual(at(4, 2))
})

test('until there is a selection the cursor is at the top, whatever row arrives there', () => {
  expect([
    settle(TEN, INITIAL_SELECTION),
    cursorPlace(TEN, INITIAL_SELECTION),
    cursorRow(TEN, INITIAL_SELECTION),
  ]).toEqual([INITIAL_SELECTION, at(0), rowOf(10)])
  expect([INITIAL_SELECTION.rows.size, hasRows(INITIAL_SELECTION)]).toEqual([0, false])
})

test('only the cursor is left when the rows around it are released', () => {
  const rows = extendTo(TEN, selectRow(TEN, at(2, 1)), at(4, 1))
  expect([hasRows(rows), collapse(TEN, rows)]).toEqual([true, selectCell(TEN, at(4, 1))])
  expect(collapse(viewOf([99]), rows).rows.size).toBe(0)
})

test('without the row of the cursor, a range starts at the row that is clicked', () => {
  const alone = collapse(viewOf([30, 29, 28, 27, 26, 25], 600), selectRow(TEN, at(1)))
  expect(keysIn(alone)).toEqual([])
  expect(keysIn(extendTo(TEN, { ...alone, anchor: { ...alone.anchor, key: '99' } }, at(5)))).toEqual(['5'])
  expect(keysIn(extendTo(viewOf([30, 29, 28, 27, 26, 25], 600), alone, at(4)))).toEqual(['26'])
})

test('rows without a key are identified by all their values, equal ones by their order', () => {
  const keyless: TableInfo = { ...info, columns: [column('wind')] }
  const rows = loadedRows(keyless, {
    ...NO_PAGES,
    rows: new Map([[0, [{ wind: 'a' }, { wind: 'a' }, { wind: 'b' }]]]),
  })
  const view: View = { count: 3, columns: ['wind'], rows }
  expect(selectAll(view, INITIAL_SELECTION).rows.size).toBe(3)
})

test('a row on two pages between two reads is where it was read last', () => {
  const pages = {
    ...NO_PAGES,
    rows: new Map([
      [0, [rowOf(3)]],
      [1, [rowOf(3)]],
    ]),
    stale: new Set([0]),
  }
  expect(loadedRows(info, pages).withKey('3')?.index).toBe(100)
})

test('keys of several columns are never equal for different rows', () => {
  const two: TableInfo = {
    ...info,
    columns: [column('a', 'text', { isKey: true }), column('b', 'text', { isKey: true })],
  }
  const keys = [
    { a: 'x · y', b: 'z' },
    { a: 'x', b: 'y · z' },
    { a: 'x\\', b: '· z' },
    { a: 'x', b: '\\· z' },
  ].map(row => rowKey(two, row))
  expect(new Set(keys).size).toBe(4)
  expect([rowKey(two, { a: 1, b: 2 }), rowName(two, { a: 1, b: 2 })]).toEqual(['1 · 2', 'a 1, b 2'])
})

describe('what a command writes', () => {
  const context = (view: View, selection: Selection, leaving: readonly string[] = []): PlanContext => ({
    view,
    selection,
    columns: COLUMNS,
    leaving: new Set(leaving),
    shownCell: ({ row }, { name }) => String(row[name]),
  })

  test('clearing names what it leaves unchanged', () => {
    const rows = extendTo(TEN, selectRow(TEN, at(0)), at(2))
    const plan = planClear(context(viewOf([10, 9]), rows, ['9']), 'Cleared')
    expect([plan.title, plan.skipped]).toEqual([
      'Cleared 2 cells in 1 row',
      [
        'id (primary key)',
        'at (not null)',
        'total (generated by the database)',
        '1 row (being deleted)',
        '1 row (no longer loaded)',
      ],
    ])
    expect(plan.changes).toEqual([
      { key: '10', row: rowOf(10), before: { wind: 'w10', note: 'n10' }, after: { wind: null, note: '' } },
    ])
  })

  test('lines are pasted over the selected rows and no others', () => {
    const rows = extendTo(TEN, selectCell(TEN, at(1, 2)), at(2, 2))
    const moved = viewOf([10, 9, 99, 8])
    const plan = planPaste(context(moved, rows), [['a'], ['b'], ['c']])
    expect(plan.changes.map(({ key, after }) => [key, after])).toEqual([
      ['9', { wind: 'a' }],
      ['8', { wind: 'b' }],
    ])
    expect(plan.skipped).toEqual(['1 line of the clipboard (no row to write to)'])
  })

  test('lines are not pasted where a selected row was removed, as rows no longer match lines', () => {
    const rows = extendTo(TEN, selectCell(TEN, at(1, 2)), at(2, 2))
    const plan = planPaste(context(viewOf([10, 8]), rows), [['a'], ['b']])
    expect([plan.changes, plan.skipped]).toEqual([[], ['1 row (no longer loaded)']])
    expect(planPaste(context(viewOf([10, 8]), rows), [['same']]).changes).toHaveLength(1)
  })

  test('lines pasted on one cell continue below it, as far as there are rows and columns', () => {
    const plan = planPaste(context(viewOf([2, 1]), selectCell(viewOf([2, 1]), at(1, 3))), [
      ['a', '1', 'x'],
      ['b', '2', 'y'],
    ])
    expect(plan.changes.map(({ key, after }) => [key, after])).toEqual([['1', { note: 'a' }]])
    expect(plan.skipped).toEqual([
      'total (generated by the database)',
      '1 line of the clipboard (no row to write to)',
      '1 column of the clipboard (no column to write to)',
    ])
  })

  test('one value fills the selection, but never the key of several rows', () => {
    const rows = extendTo(TEN, selectRow(TEN, at(0)), at(1))
    const plan = planPaste(context(TEN, rows), [['x']])
    expect(plan.changes.map(({ key, after }) => [key, Object.keys(after)])).toEqual([
      ['10', ['at', 'wind', 'note']],
      ['9', ['at', 'wind', 'note']],
    ])
    expect(planPaste(context(TEN, selectCell(TEN, at(0))), [['77']]).changes[0]?.after).toEqual({ id: '77' })
  })

  test('nothing is pasted when the row of the cursor is no longer loaded', () => {
    const plan = planPaste(context(viewOf([99]), selectCell(TEN, at(0, 2))), [['x']])
    expect([plan.changes, plan.skipped]).toEqual([[], ['1 row (no longer loaded)']])
  })
})

test('after an edit: Tab moves to the next row, Enter stays in the column', () => {
  const placeAfter = (...[from, key, back]: [{ row: number; column: number }, 'Enter' | 'Tab', boolean]) =>
    cursorPlace(TEN, afterEdit(TEN, from, key, back))
  expect(placeAfter(at(1, 4), 'Tab', false)).toEqual(at(2))
  expect(placeAfter(at(0), 'Tab', true)).toEqual(at(0))
  expect(placeAfter(at(9, 3), 'Enter', false)).toEqual(at(9, 3))
})

describe('keys', () => {
  const names: readonly string[] = GRID_KEYS.flatMap(({ keys }) => keys)

  /** Presses a key by its name; returns what the grid did. */
  const press = (name: string, from: Selection = selectCell(TEN, at(5, 1))) => {
    const done: string[] = []
    const selected: Selection[] = []
    const actions = new Proxy({} as GridProps['actions'], {
      get: (_, action) =>
        action === 'select' ? (next: Selection) => selected.push(next) : () => done.push(String(action)),
    })
    const parts = name.split('+')
    const key = parts.at(-1) ?? ''
    const target = { ownerDocument: { getElementById: () => void done.push('menu') } }
    let isTaken = false
    const event = {
      target,
      currentTarget: target,
      key: key === 'Space' ? ' ' : key.length === 1 && !parts.includes('Shift') ? key.toLowerCase() : key,
      code: '',
      shiftKey: parts.includes('Shift'),
      ctrlKey: parts.includes('Mod'),
      metaKey: false,
      altKey: parts.includes('Alt'),
      preventDefault: () => {
        isTaken = true
      },
    }
    const columns = COLUMNS.map(each => ({ column: each }))
    const props = { view: TEN, selection: from, actions, columns } as unknown as GridProps
    gridKeys(props, 4, 'grid').onKeyDown(event as never)
    return { isTaken, done, selected: selected[0] }
  }

  test('each key of the grid does something and is on the sheet', () => {
    const listed = new Set(GRID_KEY_NOTES.flatMap(({ keys }) => keys))
    for (const name of names) {
      const { isTaken, done, selected } = press(name)
      expect([name, isTaken, done.length > 0 || selected !== undefined]).toEqual([name, true, true])
      expect(listed).toContain(name)
    }
    expect(new Set(names).size).toBe(names.length)
  })

  test('other keys are left to the browser', () => {
    for (const name of ['F5', 'Mod+R', 'Mod+F', 'Tab', 'Alt+ArrowLeft', 'Shift+Tab'])
      expect([name, press(name)]).toEqual([name, { isTaken: false, done: [], selected: undefined }])
    expect(press('x').done).toEqual(['edit'])
  })

  test.each([
    ['ArrowDown', at(6, 1)],
    ['Mod+ArrowUp', at(0, 1)],
    ['Mod+ArrowDown', at(9, 1)],
    ['Mod+ArrowRight', at(5, 4)],
    ['Home', at(5, 0)],
    ['Mod+End', at(9, 4)],
    ['PageDown', at(9, 1)],
    ['PageUp', at(1, 1)],
  ])('%s', (name, place) => {
    expect(press(name).selected).toEqual(selectCell(TEN, place))
  })

  test('up moves into the header, but never with a range, and not beyond', () => {
    const top = selectCell(TEN, at(0))
    const head = press('ArrowUp', top).selected ?? INITIAL_SELECTION
    expect([cursorPlace(TEN, head), head.rows.size]).toEqual([at(-1), 0])
    expect(press('ArrowUp', head).selected).toEqual(head)
    expect(press('Shift+ArrowUp', top).selected).toEqual(top)
    expect([press('Enter', head).done, press('Delete', head).done]).toEqual([['sort'], []])
  })

  test('ranges: with Shift, of whole rows, of everything', () => {
    const range = press('Shift+ArrowLeft').selected ?? INITIAL_SELECTION
    expect([keysIn(range), columnsIn(TEN, range)]).toEqual([['5'], ['id', 'at']])
    expect(columnsIn(TEN, press('Shift+Space').selected ?? INITIAL_SELECTION)).toHaveLength(5)
    expect(press('Mod+A').selected?.rows.size).toBe(10)
  })

  test('nothing is edited when the row of the cursor is no longer loaded', () => {
    const away = selectCell(viewOf([99]), at(0, 1))
    expect([press('Enter', away).done, press('x', away).done]).toEqual([[], []])
  })
})
