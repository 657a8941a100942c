// What a cell's menu does with its values: filters by example, a new row like another, and the way to what is referred to.
import { expect, test } from 'vitest'
import { cellFilter } from '../../src/ui/app/data/cell-filter.ts'
import { draftLike } from '../../src/ui/app/data/draft.ts'
import { filtersTo } from '../../src/ui/app/data/referred.ts'
import { fieldType, type Column } from '../../src/ui/app/data/schema.ts'
import { filterText } from '../../src/ui/app/data/table-query.ts'

const column = (name: string, format: string, part: Partial<Column> = {}): Column => ({
  name,
  format,
  type: fieldType(format),
  required: false,
  hasDefault: false,
  isKey: false,
  ...part,
})

test.each([
  ['text', 'Gull, "old"', ['c=eq.Gull, "old"', 'c=neq.Gull, "old"']],
  ['text', '', ['c=eq.', 'c=neq.']],
  ['text', null, ['c=is.null', 'c=not.is.null']],
  ['boolean', 'true', ['c=is.true', 'c=not.is.true']],
  ['bigint', '9007199254740993', ['c=eq.9007199254740993', 'c=neq.9007199254740993']],
  ['jsonb', '{"a":1}', [undefined, undefined]],
  ['text', 'x'.repeat(5_000), [undefined, undefined]],
] as const)('%s of %s', (format, cell, [only, without]) => {
  const said = [false, true].map(isWithout => {
    const filter = cellFilter(column('c', format), cell, isWithout)
    return filter && filterText(filter)
  })
  expect(said).toEqual([only, without])
})

test('a new row like another has all but what the database makes', () => {
  const columns = [
    column('id', 'bigint', { isKey: true, hasDefault: true }),
    column('code', 'text', { isKey: true }),
    column('total', 'integer', { made: 'generated' }),
    column('note', 'text'),
  ]
  expect(draftLike(columns, { id: 1, code: 'a', total: 3, note: null })).toEqual({ code: 'a', note: null })
  expect(draftLike(columns, undefined)).toEqual({ code: undefined, note: undefined })
})

test('the row that is referred to is found by all of its key, or not at all', () => {
  const pairs = [
    { own: 'at_harbour', theirs: 'harbour' },
    { own: 'at_no', theirs: 'no' },
  ]
  const to = (cells: Readonly<Record<string, string | null>>) =>
    filtersTo({ table: 'docks', column: 'no', pairs }, 'at_no', name => cells[name] ?? null)
  expect(to({ at_harbour: 'Kiel', at_no: '3' })).toEqual(['harbour=eq.Kiel', 'no=eq.3'])
  expect(to({ at_harbour: null, at_no: '3' })).toBe(undefined)
  expect(filtersTo({ table: 'vessels', column: 'id' }, 'vessel', () => '4')).toEqual(['id=eq.4'])
})
