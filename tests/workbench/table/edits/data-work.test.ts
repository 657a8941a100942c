// Working on a table: distant rows, the columns, and typed text until it is saved.
import { describe, expect, test } from 'vitest'
import {
  AS_GIVEN,
  changeLayout,
  layColumns,
  pinnedIn,
  ALL_RIGHTS,
  type Row,
  type TableInfo,
  leavingKeys,
} from '../../../../src/services/workbench/table/index.ts'
import {
  AT_TOP,
  leftFor,
  MOST_PIXELS,
  offsetFor,
  placeAt,
  scrolledTo,
} from '../../../../src/ui/app/data/grid/use-visible.ts'
import { groupsOf } from '../../../../src/services/workbench/table/edits/row-conditions.ts'
import { conflictKindOf, readValues } from '../../../../src/services/workbench/table/edits/send.ts'
import { column } from '../../../harness/column.ts'

const columns = [
  column('id', 'bigint'),
  column('note', 'text'),
  column('tags', 'text[]'),
  column('lit', 'boolean'),
]
const info: TableInfo = { name: 'buoys', isKnown: true, rights: ALL_RIGHTS, columns }

describe('a million rows in a scroller with room for fewer pixels', () => {
  const room = { count: 1_000_000, size: 30, height: 600 }
  test('every row can be reached, and scrolling by a few pixels stays precise', () => {
    for (const row of [0, 1, 499_999, 999_998, 999_999]) {
      const offset = offsetFor(row, AT_TOP, room) ?? 0
      const place = placeAt(offset, room)
      expect(offsetFor(row, place, room)).toBe(undefined)
      expect(place.top).toBeLessThanOrEqual(MOST_PIXELS - room.height)
    }
    const middle = placeAt(15_000_000, room)
    const on = scrolledTo(middle, middle.top - 30, room)
    expect(on.top + on.base).toBe(15_000_000 - 30)
  })

  test('both ends are at the ends of the scroll bar', () => {
    const end = scrolledTo(AT_TOP, MOST_PIXELS - room.height, room)
    expect(end.top + end.base).toBe(30_000_000 - room.height)
    expect(scrolledTo(end, 0, room)).toEqual({ top: 0, base: 0 })
  })
})

test('a column is scrolled into view between what covers both edges; of one that is too wide, the beginning', () => {
  const pane = { before: 150, after: 90, whole: 3_000, room: 1_000 }
  const shown = (start: number, width: number, left: number) => {
    const place = { ...pane, start, end: start + width }
    const to = leftFor({ ...place, left }) ?? left
    expect(leftFor({ ...place, left: to })).toBe(undefined)
    return [start - to, start + width - to]
  }
  // Widths that fit, before, in and after the visible part.
  expect(shown(200, 300, 400)).toEqual([150, 450])
  expect(shown(700, 300, 400)).toEqual([300, 600])
  expect(shown(1_500, 300, 400)).toEqual([610, 910])
  // At the end, nothing covers it.
  expect(shown(2_700, 234, 0)).toEqual([700, 934])
  expect(shown(1_500, 900, 400)).toEqual([150, 1_050])
})

test('pinned columns that would leave little room for others scroll with them', () => {
  const laid = layColumns(columns, { ...AS_GIVEN, pinned: ['id', 'note'] })
  const pinned = (room: number) =>
    pinnedIn(laid, room).flatMap(({ column: { name }, isPinned }) => (isPinned ? [name] : []))
  expect([pinned(1_232), pinned(350)]).toEqual([['id', 'note'], []])
})

test('columns are hidden, pinned, moved and sized, and new ones are added at the end', () => {
  const laid = (
    [
      { type: 'column.unpinned', name: 'id' },
      { type: 'column.pinned', name: 'lit' },
      { type: 'column.hidden', name: 'note' },
      { type: 'column.moved', name: 'tags', to: 'id' },
      { type: 'column.sized', name: 'tags', width: 3 },
    ] as const
  ).reduce((layout, action) => changeLayout(layout, action, columns), AS_GIVEN)
  const shown = layColumns([...columns, column('new', 'text')], laid)
  expect(shown.map(each => [each.column.name, each.isPinned])).toEqual([
    ['lit', true],
    ['tags', false],
    ['id', false],
    ['new', false],
  ])
  expect(shown[1]?.width).toBe(56)
  expect(layColumns(columns, changeLayout(laid, { type: 'layout.reset' }, columns)).length).toBe(4)
})

test.each([
  ['gone', undefined],
  ['mine', { id: '1', note: 'mine' }],
  ['same', { id: '1', note: 'old', lit: 'true' }],
  ['theirs', { id: '1', note: 'theirs' }],
])('a write that matched nothing: %s', (conflict, now) => {
  const edit = { row: { id: '1', note: 'old', lit: null }, values: { note: 'mine' } }
  expect(conflictKindOf(edit, now, info)).toBe(conflict)
})

test('an invalid field is named', () => {
  expect(readValues({ note: 'x', lit: 'perhaps' }, columns)).toEqual({
    failure: { message: 'This must be true or false.', field: 'lit', retry: false },
  })
  expect(readValues({ note: '', lit: null }, columns)).toEqual({ body: { note: '', lit: null } })
})

test('rows are marked as being deleted until their deletion is rejected', () => {
  const [one, two] = ['1', '2'].map(id => new Map([[id, { id }]]))
  const failure = { message: 'no', retry: false }
  if (!one || !two) throw new Error('There are two')
  expect([
    ...leavingKeys([
      { id: 1, rows: one, state: { at: 'undoable' } },
      { id: 2, rows: two, state: { at: 'refused', failure } },
    ]),
  ]).toEqual(['1'])
})

test('several rows are named by one key or by several; one whose quotes need escapes, by a separate filter', () => {
  const conditions = (table: TableInfo, rows: readonly Row[]) =>
    groupsOf(table, rows).map(group => group.conditions)
  expect(conditions(info, [{ id: '1' }, { id: '2"' }, { id: '3' }])).toEqual([
    [['id', 'in.("1","3")']],
    [['id', 'eq.2"']],
  ])
  const two = {
    ...info,
    columns: columns.map(each => ({ ...each, isKey: each.name === 'id' || each.name === 'note' })),
  }
  expect(conditions(two, [{ id: '1', note: 'a' }])).toEqual([[['or', '(and(id.eq."1",note.eq."a"))']]])
  expect(conditions(two, [{ id: '1', note: '\\' }])).toEqual([
    [
      ['id', 'eq.1'],
      ['note', 'eq.\\'],
    ],
  ])
  // Different rows with one key are distinguished by their other values.
  const shared = { ...info, isKeyShared: true as const }
  expect(conditions(shared, [{ id: '1', note: 'a', tags: '{}', lit: null }])).toEqual([
    [
      ['id', 'eq.1'],
      ['note', 'eq.a'],
      ['lit', 'is.null'],
    ],
  ])
})
