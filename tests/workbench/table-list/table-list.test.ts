// The rows of the table list: matches of a filter, groups, favorites and recent tables.
import { expect, test } from 'vitest'
import {
  type ListOptions,
  listRows,
  listTables,
  tableId,
} from '../../../src/services/workbench/table-list/list-rows.ts'
import { foldName, matchName } from '../../../src/services/workbench/table-list/match-name.ts'

test.each([
  ['order_items', 'order items'],
  ['OrderItems', 'order items'],
  ['Größen', 'grossen'],
  ['ŁÓDŹ-2', 'lodz 2'],
  ['naïve.Name', 'naive name'],
  ['_private__x', 'private x'],
  ['注文', '注文'],
])('%s is read as %s', (name, words) => {
  expect(foldName(name)).toBe(words)
})

test.each([
  ['order', ['order', 'order_items', 'my_order', 'reorder']],
  ['order items', ['order_items']],
  ['orderit', ['order_items']],
  ['items order', ['order_items']],
  ['oi', ['order_items']],
  ['rder', ['order', 'reorder', 'my_order', 'order_items']],
  ['oitems', ['order_items']],
  ['xyz', []],
])('%s finds %j', (text, names) => {
  const tables = ['order', 'order_items', 'my_order', 'reorder', 'vessels']
  const found = tables.filter(name => matchName(foldName(name), foldName(text)) > 0)
  expect(found.toSorted()).toEqual([...names].toSorted())
})

const named = (...names: readonly string[]) => names.map(name => ({ name }))
const rowsOf = (options: Partial<ListOptions>) =>
  listRows({
    tables: [],
    favorites: [],
    recent: [],
    closed: [],
    schema: 'public',
    filter: '',
    open: undefined,
    ...options,
  }).map(row =>
    row.type === 'group' ? `${row.isOpen ? '▾' : '▸'} ${row.title} ${row.count}` : row.table.name,
  )

test('a short list of one schema has no groups', () => {
  expect(rowsOf({ tables: listTables(new Map([['public', named('a', 'b')]])) })).toEqual(['a', 'b'])
})

test('favorites come first, in the order in which they were added; those that are gone are not listed', () => {
  const tables = listTables(new Map([['public', named('a', 'b', 'c')]]))
  const favorites = ['c', 'gone', 'a'].map(name => tableId('public', name))
  expect(rowsOf({ tables, favorites })).toEqual(['▾ Favorites 2', 'c', 'a', '▾ All tables 3', 'a', 'b', 'c'])
})

test('schemas are groups, closed ones without their tables; a filter finds the tables of both', () => {
  const tables = listTables(
    new Map([
      ['public', named('orders', 'b')],
      ['x.y', named('orders', 'd')],
    ]),
  )
  expect(rowsOf({ tables, closed: ['schema:x.y'] })).toEqual(['▾ public 2', 'orders', 'b', '▸ x.y 2'])
  expect(rowsOf({ tables, closed: ['schema:x.y'], filter: 'Ord' })).toEqual(['orders', 'orders'])
})

test('recent tables are listed in long lists: neither the open one nor favorites, five at most', () => {
  const names = Array.from({ length: 30 }, (_, at) => `t${at}`)
  const tables = listTables(new Map([['public', named(...names)]]))
  const ids = names.map(name => tableId('public', name))
  const recent = ids.slice(0, 8)
  const rows = rowsOf({ tables, recent, open: ids[0], favorites: ids.slice(1, 2), closed: ['all'] })
  expect(rows).toEqual(['▾ Favorites 1', 't1', '▾ Recent 5', 't2', 't3', 't4', 't5', 't6', '▸ All tables 30'])
})
