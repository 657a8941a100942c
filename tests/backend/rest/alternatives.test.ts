// Filters of the workbench with alternatives, beside a page's position: the rows that REST returns.
import { expect, test } from 'vitest'
import { fieldType, type Column } from '../../../src/services/workbench/table/schema.ts'
import {
  searchFilter,
  filterOf,
  type TableCondition,
  toRestRead,
} from '../../../src/services/workbench/table/index.ts'
import { startWorld } from './world.ts'

const NASTY = [
  'a,b',
  'say "hi"',
  '(x)',
  'back\\slash',
  'dot.dot',
  'a||b',
  'any:x',
  '{1}',
  'é ü',
  "it's",
  'a_b',
  '100%',
]

const { ask } = await startWorld(`
create table notes (id bigint primary key, name text, word varchar(40));
insert into notes select at, null, w from unnest(array[${NASTY.map(word => `'${word.replaceAll("'", "''")}'`).join(', ')}]) with ordinality as t(w, at);
insert into notes values (100, 'first', 'x'), (101, 'second', 'axb 100 a');
`)

const columns = ['id bigint', 'name text', 'word character varying(40)'].map((text): Column => {
  const [name = '', ...format] = text.split(' ')
  const type = fieldType(format.join(' '))
  return { name, type, format: format.join(' '), required: false, hasDefault: false, isKey: name === 'id' }
})

async function ids(
  filters: readonly (ReturnType<typeof filterOf> | undefined)[],
  more: readonly (readonly [string, string])[] = [],
) {
  const { path, query } = toRestRead({
    schema: 'public',
    table: 'notes',
    columns: ['id'],
    filters: filters.filter(filter => filter !== undefined),
    sorts: [{ column: 'id', direction: 'asc' }],
  })
  const { status, body } = await ask(
    'GET',
    `${path.slice(1)}?${new URLSearchParams([...query, ...more].map(pair => [...pair])).toString()}`,
  )
  expect({ status, body }).toMatchObject({ status: 200 })
  return (body as { readonly id: number }[]).map(({ id }) => id)
}

test.each(NASTY.map((word, at) => [word, at + 1] as const))('%s is found literally', async (word, id) => {
  expect(await ids([searchFilter(columns, word)])).toEqual([id])
})

test('alternatives are combined with other filters and with the position of a page', async () => {
  const condition = (
    column: string,
    operator: TableCondition['operator'],
    value: string,
    negate = false,
  ) => ({
    column,
    operator,
    value,
    negate,
  })
  const first = filterOf([condition('name', 'eq', 'first'), condition('id', 'in', '(1,2)')])
  const second = filterOf([condition('name', 'is', 'null', true), condition('word', 'eq', 'a,b')])
  expect(await ids([first])).toEqual([1, 2, 100])
  expect(await ids([first, second])).toEqual([1, 100])
  expect(await ids([first, second], [['or', '(id.gt.1,id.eq.1)']])).toEqual([1, 100])
  expect(await ids([first, second], [['or', '(id.gt.1)']])).toEqual([100])
  expect(await ids([searchFilter(columns, '101')])).toEqual([101])
})
