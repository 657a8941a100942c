// Table queries: filters as text, the address, REST parameters, and the sort order after a click.
import { describe, expect, test } from 'vitest'
import {
  choicesFor,
  filterValue,
  filterWords,
  searchFilter,
  splitList,
  typedValue,
} from '../../src/services/workbench/table/operators.ts'
import {
  alternativesOf,
  filterText,
  fromTableSearch,
  parseFilter,
  parseSorts,
  sortText,
  toRestRead,
  toTableSearch,
  type TableCondition,
  type TableQuery,
} from '../../src/services/workbench/table/table-query.ts'
import { toggledSorts } from '../../src/ui/app/data/use-table.ts'
import { schemasIn } from '../../src/services/workbench/rest/rest.ts'
import { column } from '../harness/column.ts'

describe('filters', () => {
  test.each([
    ['text', 'contains', 'gull', 'ilike', '*gull*', false],
    ['text', 'does not contain', 'gu*l', 'ilike', 'gu*l', true],
    ['text', 'is', 'a,b', 'eq', 'a,b', false],
    ['bigint', 'in', '1, 2,"3,4"', 'in', '(1,2,"3,4")', false],
    ['text[]', 'contains all of', 'a, "b c"', 'cs', '{a,"b c"}', false],
    ['boolean', 'is true', '', 'is', 'true', false],
    ['jsonb', 'contains', '{"a":1}', 'cs', '{"a":1}', false],
    ['date', 'is not null', '', 'is', 'null', true],
    ['int4range', 'overlaps', '[1,5)', 'ov', '[1,5)', false],
    ['tsvector', 'contains the words', 'high water', 'plfts', 'high water', false],
  ])('of %s: %s %s', (format, label, typed, operator, value, negate) => {
    const own = column('c', format)
    const choice = choicesFor(own).find(each => each.label === label)
    if (choice === undefined) throw new Error(`there is no filter called ${label}`)
    const filter = {
      column: 'c',
      operator: choice.operator,
      negate: choice.negate,
      value: filterValue(choice, typed),
    }
    expect(filter).toEqual({ column: 'c', operator, value, negate })
    expect(parseFilter(filterText(filter))).toEqual(filter)
    expect(filterValue(choice, typedValue(choice, value))).toBe(value)
    expect(filterWords(filter, [own])).toMatch(new RegExp(`^c ${label}`))
  })

  test('each operator of a type has its own name', () => {
    for (const format of [
      'text',
      'bigint',
      'boolean',
      'date',
      'uuid',
      'jsonb',
      'text[]',
      'int4range',
      'tsvector',
      'bytea',
    ]) {
      const ids = choicesFor(column('c', format)).map(({ id }) => id)
      expect([format, new Set(ids).size]).toEqual([format, ids.length])
    }
  })

  test('an invalid filter is ignored', () => {
    expect(['', 'a', 'a=b', 'a=zz.1', '%=eq.1', '=eq.1'].map(parseFilter)).toEqual(Array(6).fill(undefined))
    expect(splitList('a, "b,\\"c" ,, d')).toEqual(['a', 'b,"c', '', 'd'])
  })
})

test('a query goes into the address and back, and into REST parameters', () => {
  const query: TableQuery = {
    schema: 'harbour',
    table: 'log entries',
    columns: [],
    filters: [{ column: 'a=b', operator: 'ilike', value: '*x.y=z*', negate: true }],
    sorts: [
      { column: 'we.ird,"', direction: 'desc' },
      { column: 'id', direction: 'asc' },
    ],
  }
  expect(fromTableSearch('log entries', toTableSearch(query))).toEqual(query)
  expect(parseSorts('name', 'desc')).toEqual([{ column: 'name', direction: 'desc' }])
  expect(parseSorts(sortText(query.sorts))).toEqual(query.sorts)
  expect(toRestRead({ ...query, columns: ['id', 'a.b'], range: { from: 10, to: 19 } })).toEqual({
    path: '/log%20entries',
    query: [
      ['select', 'id,"a.b"'],
      ['"a=b"', 'not.ilike.*x.y=z*'],
      ['order', String.raw`"we.ird,\"".desc,id.asc`],
      ['offset', '10'],
      ['limit', '10'],
    ],
    headers: { 'Accept-Profile': 'harbour' },
  })
})

test('names of every script are quoted in selects, for servers that require it', () => {
  const columns = ['id', 'ünï', 'a b', 'x"y']
  expect(toRestRead({ schema: 'public', table: 't', columns, filters: [], sorts: [] }).query).toEqual([
    ['select', String.raw`id,"ünï",a b,"x\"y"`],
  ])
})

test('a column named like a REST parameter is a column', () => {
  const filters = ['order', 'limit', 'or', 'note'].map(column => ({
    column,
    operator: 'eq' as const,
    value: '5',
    negate: false,
  }))
  const sorts = [{ column: 'order', direction: 'asc' as const }]
  expect(toRestRead({ schema: 'public', table: 't', columns: ['order'], filters, sorts }).query).toEqual([
    ['select', 'order'],
    ['"order"', 'eq.5'],
    ['"limit"', 'eq.5'],
    ['"or"', 'eq.5'],
    ['note', 'eq.5'],
    ['order', 'order.asc'],
  ])
})

test.each([
  ['ascending', [], 'a', false, ['a.asc']],
  ['descending', ['a.asc'], 'a', false, ['a.desc']],
  ['ascending again', ['a.desc'], 'a', false, ['a.asc']],
  ['alone', ['a.desc', 'b.asc'], 'b', false, ['b.desc']],
  ['after another', ['a.asc'], 'b', true, ['a.asc', 'b.asc']],
  ['no longer', ['a.asc', 'b.desc'], 'b', true, ['a.asc']],
])('a clicked header sorts %s', (_name, before, name, isAdded, expected) => {
  expect(sortText(toggledSorts(parseSorts(before.join()), name, isAdded))).toBe(expected.join())
})

test.each([
  [
    '{"hint":"Only the following schemas are exposed: graphql_public, public","message":"Invalid schema: x"}',
    ['graphql_public', 'public'],
  ],
  ['{"message":"The schema must be one of the following: public, storage"}', ['public', 'storage']],
  ['{"message":"No API key found"}', []],
])('the schemas that %s names', (text, names) => {
  expect(schemasIn(text)).toEqual(names)
})

describe('filters with alternatives', () => {
  const condition = (name: string, operator: TableCondition['operator'], value: string, negate = false) => ({
    column: name,
    operator,
    value,
    negate,
  })
  const filter = {
    ...condition('na=me', 'ilike', '*a|| "b", (c) \\ %*'),
    or: [condition('id', 'in', '(1,"2,3")'), condition('or', 'is', 'null', true)],
  }
  const query: TableQuery = { schema: 'public', table: 't', columns: [], filters: [filter], sorts: [] }

  test('go into the address and back', () => {
    expect(fromTableSearch('t', toTableSearch(query))).toEqual(query)
    expect(parseFilter(filterText(filter))).toEqual(filter)
    // Without alternatives, a value is what it was.
    const plain = condition('any', 'eq', 'a||b=eq.c')
    expect(parseFilter(filterText(plain))).toEqual(plain)
    expect(parseFilter('any:a=eq.1||b')).toBeUndefined()
    expect(parseFilter('any:a=eq.%')).toBeUndefined()
  })

  test('are one parameter of REST, beside other filters', () => {
    const filters = [
      filter,
      condition('id', 'gt', '5'),
      { ...condition('a', 'eq', 'x'), or: [condition('a', 'eq', 'y')] },
    ]
    expect(toRestRead({ ...query, filters }).query.slice(1)).toEqual([
      ['id', 'gt.5'],
      [
        'and',
        String.raw`(or("na=me".ilike."%a|| \"b\", (c) \\ %%",id.in.(1,"2,3"),"or".not.is.null),or(a.eq.x,a.eq.y))`,
      ],
    ])
  })

  test('a text is searched in the columns that can have it', () => {
    const all = [
      'text',
      'character varying(20)',
      'bigint',
      'uuid',
      'jsonb',
      'public.rig',
      'text[]',
      'date',
    ].map((format, at) => column(`c${at}`, format))
    const found = (text: string) => {
      const search = searchFilter(all, text)
      return search && alternativesOf(search).map(each => `${each.column} ${each.operator} ${each.value}`)
    }
    expect(found('gull')).toEqual(['c0 ilike *gull*', 'c1 ilike *gull*'])
    expect(found('12')).toEqual(['c0 ilike *12*', 'c1 ilike *12*', 'c2 eq 12'])
    expect(found('6c7c954a-02d7-4e35-b037-a1be78d735e4')).toContain(
      'c3 eq 6c7c954a-02d7-4e35-b037-a1be78d735e4',
    )
    expect(searchFilter(all.slice(4), 'gull')).toBeUndefined()
    const search = searchFilter(all, '12')
    expect(search && filterWords(search, all)).toBe('“12” in 3 columns')
    expect(filterWords({ ...condition('c2', 'eq', '1'), or: [condition('c2', 'is', 'null')] }, all)).toMatch(
      /^c2 .* 1 or c2 is null$/,
    )
  })
})
