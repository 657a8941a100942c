// Column widths in the available space, and the columns of a saved query.
import { describe, expect, test } from 'vitest'
import {
  AS_GIVEN,
  changeLayout,
  fitColumns,
  headWidth,
  layColumns,
  settledLayout,
  type ColumnLayout,
} from '../../src/services/workbench/table/index.ts'
import { column } from '../harness/column.ts'

describe('columns that nearly fit', () => {
  const given = layColumns(
    [column('size', 'bigint'), column('name', 'text'), column('at', 'timestamptz')],
    AS_GIVEN,
  )
  const widths = (room: number) => fitColumns(given, room).map(each => each.width)
  const [size = 0, name = 0, at = 0] = given.map(each => each.width)
  const all = size + name + at

  test.each([
    [0, [size, name, at]],
    [all, [size, name, at]],
    [all - 500, [size, name, at]],
  ])('stay unchanged at a width of %i', (room, wanted) => {
    expect(widths(room)).toEqual(wanted)
  })

  test('shrink by what they can spare, timestamps not at all, and fill the width', () => {
    const fitted = widths(all - 50)
    expect([fitted.reduce((sum, width) => sum + width, 0), fitted[2]]).toEqual([all - 50, at])
    expect([(fitted[0] ?? 0) < size, (fitted[1] ?? 0) < name]).toEqual([true, true])
  })

  test('keep room for their types, unless their names are long', () => {
    const columns = ['id', 'sea_state', 'the_height_of_the_tide_at_the_bar'].map(name =>
      column(name, 'smallint'),
    )
    const laid = layColumns(columns, AS_GIVEN)
    const over = laid.reduce((sum, each) => sum + each.width, 0) - 10
    const shown = fitColumns(laid, over).map(each => each.width >= headWidth(each.column))
    expect(shown).toEqual([true, true, false])
  })

  test('keep a width set by the user', () => {
    const sized = changeLayout(AS_GIVEN, { type: 'column.sized', name: 'name', width: 400 }, [])
    const laid = layColumns([column('name', 'text'), column('note', 'text')], sized)
    expect(fitColumns(laid, 600).map(each => each.width)).toEqual([400, 200])
  })
})

describe('columns of a saved query', () => {
  const columns = ['id', 'name', 'note'].map(name => column(name, 'text'))
  const shown = (layout: ColumnLayout) =>
    layColumns(columns, settledLayout(layout, columns)).map(each => each.column.name)
  const hidden = changeLayout(AS_GIVEN, { type: 'column.hidden', name: 'note' }, columns)

  test.each([
    [
      ['note', 'id'],
      ['note', 'id'],
    ],
    [['note', 'gone'], ['note']],
    [[], ['id', 'name', 'note']],
  ])('%j are shown in their order', (only, names) => {
    expect(shown({ ...hidden, only })).toEqual(names)
  })

  test('wait until the columns are known, and are the layout from then on', () => {
    const layout = { ...hidden, only: ['note'] }
    expect(settledLayout(layout, [])).toBe(layout)
    const settled = settledLayout(layout, columns)
    expect(shown(changeLayout(settled, { type: 'column.shown', name: 'id' }, columns))).toEqual([
      'note',
      'id',
    ])
    expect(settledLayout(hidden, columns)).toBe(hidden)
  })
})
