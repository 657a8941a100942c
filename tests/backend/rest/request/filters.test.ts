// Filters, logic and order, in what they accept.
import { expect, it } from 'vitest'
import type {
  Field,
  Filter,
  LogicTree,
  Operation,
  OrderTerm,
} from '../../../../backend/rest/request/index.ts'
import { read, readQuery } from './read.ts'

const named = ({ name, jsonPath }: Field): string =>
  name + jsonPath.map(({ arrow, key }) => arrow + ('name' in key ? key.name : `#${key.index}`)).join('')

/** The operator with its modifier, and the value. */
function operated(operation: Operation): unknown[] {
  switch (operation.kind) {
    case 'compare':
      return [
        operation.quantifier ? `${operation.operator}(${operation.quantifier})` : operation.operator,
        operation.value,
      ]
    case 'fts':
      return [
        operation.language ? `${operation.operator}(${operation.language})` : operation.operator,
        operation.value,
      ]
    case 'simple':
      return [operation.operator, operation.value]
    case 'in':
      return ['in', operation.values]
    default:
      return [operation.kind, operation.value]
  }
}

const shortFilter = ({ field, isNegated, operation }: Filter): unknown[] => [
  named(field),
  ...(isNegated ? ['not'] : []),
  ...operated(operation),
]

const atPath = (path: readonly string[]): unknown[] => (path.length > 0 ? [path.join('/')] : [])

it.each<[query: string, filters: unknown[]]>([
  ['id=eq.1', [['id', 'eq', '1']]],
  ['id=eq.', [['id', 'eq', '']]],
  ['id', []],
  [
    'a=eq.1&a=gt.2',
    [
      ['a', 'eq', '1'],
      ['a', 'gt', '2'],
    ],
  ],
  [
    'a=eq.1;b=eq.2',
    [
      ['a', 'eq', '1'],
      ['b', 'eq', '2'],
    ],
  ],
  ['&&a=eq.1&', [['a', 'eq', '1']]],
  [
    'constructor=eq.1&__proto__=eq.2',
    [
      ['constructor', 'eq', '1'],
      ['__proto__', 'eq', '2'],
    ],
  ],
  ['a=not.eq.1', [['a', 'not', 'eq', '1']]],
  ...['eq', 'gte', 'gt', 'lte', 'lt', 'like', 'ilike', 'match', 'imatch'].flatMap(
    (operator): [string, unknown[]][] => [
      [`a=${operator}.x`, [['a', operator, 'x']]],
      [`a=${operator}(any).{x,y}`, [['a', `${operator}(any)`, '{x,y}']]],
      [`a=not.${operator}(all).{x}`, [['a', 'not', `${operator}(all)`, '{x}']]],
    ],
  ),
  ...[
    'neq',
    'cs',
    'cd',
    'ov',
    'sl',
    'sr',
    'nxr',
    'nxl',
    'adj',
    'fts',
    'plfts',
    'phfts',
    'wfts',
    'isdistinct',
  ].map((operator): [string, unknown[]] => [`a=${operator}.[1,3)`, [['a', operator, '[1,3)']]]),
  ['a=fts(english).x y', [['a', 'fts(english)', 'x y']]],
  ['a=not.wfts(simple).x', [['a', 'not', 'wfts(simple)', 'x']]],
  ['a=is.null', [['a', 'is', 'null']]],
  ['a=is.NULL', [['a', 'is', 'null']]],
  ['a=is.Not_Null', [['a', 'is', 'not_null']]],
  ['a=is.true&a=is.false&a=is.unknown', ['true', 'false', 'unknown'].map(value => ['a', 'is', value])],
  ['a=not.is.null', [['a', 'not', 'is', 'null']]],
  ['a=is.nullish', [['a', 'is', 'null']]],
  ['a=in.(1,2)', [['a', 'in', ['1', '2']]]],
  ['a=in.()', [['a', 'in', ['']]]],
  ['a=in.( 1, 2 )', [['a', 'in', ['1', ' 2 ']]]],
  ['a=in. (1) x', [['a', 'in', ['1']]]],
  ['a=in.("a,b","c)")', [['a', 'in', ['a,b', 'c)']]]],
  [String.raw`a=in.("a,b","c\"d")`, [['a', 'in', ['a,b', 'c"d']]]],
  [String.raw`a=in.("c\\d","\e")`, [['a', 'in', [String.raw`c\d`, 'e']]]],
  ['a=in.("",b)', [['a', 'in', ['', 'b']]]],
  ['a=in.("a"b,c)', [['a', 'in', ['"a"b', 'c']]]],
  ['a=in.(a"b")', [['a', 'in', ['a"b"']]]],
  ['a=eq."x"', [['a', 'eq', '"x"']]],
  ['a=eq.1.5', [['a', 'eq', '1.5']]],
  ['a=eq.a+b%2Bc%26d', [['a', 'eq', 'a b+c&d']]],
  ['a=eq.100%', [['a', 'eq', '100%']]],
  ['a=eq.%zz%4', [['a', 'eq', '%zz%4']]],
  ['a=eq.a=b', [['a', 'eq', 'a=b']]],
  ['a=eq.%F0%9F%98%80', [['a', 'eq', '😀']]],
  ['a=eq.1%0A2', [['a', 'eq', '1\n2']]],
  ['%22a.b%22=eq.1', [['a.b', 'eq', '1']]],
  ['data->a=eq.1', [['data->a', 'eq', '1']]],
  ['data->a->>0=eq.1', [['data->a->>#+0', 'eq', '1']]],
  ['data->-1->>b=eq.B', [['data->#-1->>b', 'eq', 'B']]],
  ['rel.select=eq.1', [['rel', 'select', 'eq', '1']]],
  ['rel.sub.col=eq.1', [['rel/sub', 'col', 'eq', '1']]],
  ['rel.data->>a=eq.1', [['rel', 'data->>a', 'eq', '1']]],
  ['id!x=eq.1', [['id', 'eq', '1']]],
  ['order=id&limit=1&offset=1&rel.order=id&rel.limit=1&select=id&columns=id&on_conflict=id', []],
])('reads the filters of %s', async (query, expected) => {
  const { filters } = await readQuery(query)
  expect(filters.map(({ path: at, value }) => [...atPath(at), ...shortFilter(value)])).toEqual(expected)
})

const shortTree = (tree: LogicTree): unknown[] =>
  tree.kind === 'filter'
    ? shortFilter(tree.filter)
    : [tree.isNegated ? `not.${tree.operator}` : tree.operator, ...tree.parts.map(shortTree)]

const isOne = ['id', 'eq', '1']
const isTwo = ['id', 'eq', '2']

it.each<[query: string, logic: unknown[]]>([
  ['or=(id.eq.1,id.eq.2)', [['or', isOne, isTwo]]],
  ['and=(id.eq.1)', [['and', isOne]]],
  ['not.or=(id.eq.1)', [['not.or', isOne]]],
  ['not.and=(id.eq.1,id.eq.2)', [['not.and', isOne, isTwo]]],
  [
    'and=(id.eq.1)&or=(id.eq.2)&and=(id.eq.2)',
    [
      ['and', isOne],
      ['or', isTwo],
      ['and', isTwo],
    ],
  ],
  ['rel.or=(id.eq.1)', [['rel', 'or', isOne]]],
  ['rel.sub.or=(id.eq.1)', [['rel/sub', 'or', isOne]]],
  ['rel.not.or=(id.eq.1)', [['rel', 'not.or', isOne]]],
  ['or=(and(id.eq.1,id.eq.2),not.or(id.eq.1))', [['or', ['and', isOne, isTwo], ['not.or', isOne]]]],
  ['and=(id.eq.1,id.eq.2))', [['and', isOne, isTwo]]],
  ['or=(id.not.eq.1)', [['or', ['id', 'not', 'eq', '1']]]],
  ['or=(id.in.(1,2),id.in.("3","4"))', [['or', ['id', 'in', ['1', '2']], ['id', 'in', ['3', '4']]]]],
  ['or=(name.eq."(a,b)",name.like."*,4*")', [['or', ['name', 'eq', '(a,b)'], ['name', 'like', '*,4*']]]],
  ['or=(arr.cs.{1,2,3},arr.cd.{1})', [['or', ['arr', 'cs', '{1,2,3}'], ['arr', 'cd', '{1}']]]],
  ['or=(r.sl.[9,id.eq.1)', [['or', ['r', 'sl', '[9'], isOne]]],
  ['or=(t.fts(english).a b)', [['or', ['t', 'fts(english)', 'a b']]]],
  ['or=(a.is.null,b.is.not_null)', [['or', ['a', 'is', 'null'], ['b', 'is', 'not_null']]]],
  ['or=(id.eq(any).{1,2},id.eq.1)', [['or', ['id', 'eq(any)', '{1,2}'], isOne]]],
  ['or=(arr.isdistinct.{1,2})', [['or', ['arr', 'isdistinct', '{1,2}']]]],
  [
    'or=(and_a.eq.1,or_b.eq.2,not_c.eq.3)',
    [['or', ['and_a', 'eq', '1'], ['or_b', 'eq', '2'], ['not_c', 'eq', '3']]],
  ],
  ['or=(data->a->>0.eq.1)', [['or', ['data->a->>#+0', 'eq', '1']]]],
  ['or=("a.b".eq.1)', [['or', ['a.b', 'eq', '1']]]],
  ['or=(a.eq.)', [['or', ['a', 'eq', '']]]],
  [
    'and=( and ( id.in.( 1, 2, 3 ) , id.eq.3 ) , or ( id.eq.2 , id.eq.3 ) )',
    [
      [
        'and',
        ['and', ['id', 'in', ['1', ' 2', ' 3 ']], ['id', 'eq', '3 ']],
        ['or', ['id', 'eq', '2 '], ['id', 'eq', '3 ']],
      ],
    ],
  ],
])('reads the logic of %s', async (query, expected) => {
  const { logic, filters } = await readQuery(query)
  expect(logic.map(({ path, value }) => [...atPath(path), ...shortTree(value)])).toEqual(expected)
  expect(filters).toEqual([])
})

const shortTerm = ({ relation, field, direction, nulls }: OrderTerm): string =>
  [relation === undefined ? named(field) : `${relation}(${named(field)})`, direction, nulls]
    .filter(Boolean)
    .join(' ')

it.each<[query: string, order: unknown[]]>([
  ['order=id', [['id']]],
  ['order=id.asc,name.desc', [['id asc', 'name desc']]],
  ['order=name.desc.nullsfirst', [['name desc first']]],
  ['order=name.nullslast', [['name last']]],
  ['order= a , b.asc', [['a', 'b asc']]],
  ['order=json_col->key.asc.nullslast', [['json_col->key asc last']]],
  ['order=data->0.desc', [['data->#+0 desc']]],
  ['order=rel(col).desc', [['rel(col) desc']]],
  ['order=name,clients(name),id', [['name', 'clients(name)', 'id']]],
  ['order=clients(json_col->key).desc.nullsfirst', [['clients(json_col->key) desc first']]],
  ['order="a.b".desc', [['a.b desc']]],
  ['order=__proto__', [['__proto__']]],
  ['rel.order=id.desc', [['rel', ['id desc']]]],
  ['rel.sub.order=id&order=a', [['rel/sub', ['id']], ['a']]],
])('reads the order of %s', async (query, expected) => {
  const { order } = await readQuery(query)
  const short = order.map(({ path, value }) =>
    path.length > 0 ? [path.join('/'), value.map(shortTerm)] : value.map(shortTerm),
  )
  expect(short).toEqual(expected)
})

it.each<[query: string, filters: string[], args: unknown[]]>([
  [
    'a=1&b=2',
    [],
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  [
    'v=1&v=2',
    [],
    [
      ['v', '1'],
      ['v', '2'],
    ],
  ],
  ['a=', [], [['a', '']]],
  ['a=eq.1&b=2', ['a'], [['b', '2']]],
  ['a=not', [], [['a', 'not']]],
  ['a=eq', [], [['a', 'eq']]],
  ['a=neqx.1', [], [['a', 'neqx.1']]],
  ['a=x.y', [], [['a', 'x.y']]],
  ['x.a=1', [], [['a', '1']]],
  ['__proto__=1', [], [['__proto__', '1']]],
  ['select=id&order=id&limit=1', [], []],
])('tells filters of a call from arguments: %s', async (query, filters, args) => {
  for (const method of ['GET', 'HEAD']) {
    const { query: parsed } = await read(`/rpc/f?${query}`, { method })
    expect(parsed.filters.map(({ value }) => value.field.name)).toEqual(filters)
    expect(parsed.arguments).toEqual(args)
  }
})

it.each<[query: string, canonical: string]>([
  ['', ''],
  ['a=eq.1&c=eq.3&b=eq.2&d', 'a=eq.1&b=eq.2&c=eq.3&d='],
  ['b=eq.1&a=eq.(x y)', 'a=eq.%28x%20y%29&b=eq.1'],
  ['a=eq.1&a=eq.2', 'a=eq.1,eq.2'],
  ['select=a,b', 'select=a%2Cb'],
])('encodes %s again', async (query, canonical) => {
  expect((await readQuery(query)).canonical).toBe(canonical)
})

it.each<[query: string, names: string[] | undefined]>([
  ['', undefined],
  ['on_conflict=a,b', ['a', 'b']],
  ['on_conflict= a , "b,c" ,d', ['a', 'b,c', 'd']],
])('reads the columns of %s', async (query, names) => {
  expect((await readQuery(query)).onConflict).toEqual(names)
})
