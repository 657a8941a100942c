// The parameter `select`, in what it accepts.
import { expect, it } from 'vitest'
import type { SelectItem } from '../../../../backend/rest/request/index.ts'
import { readQuery } from './read.ts'

/** A short form of items, with what is absent left out. */
const short = (items: readonly SelectItem[]): unknown[] =>
  items.map(item => {
    if (item.kind === 'embed') {
      const { relation, alias, hint, join, isSpread, select } = item
      const parts = { alias, hint, join, isSpread: isSpread || undefined }
      return { relation, ...defined(parts), select: short(select) }
    }
    const { field, alias, castType: cast, aggregate, aggregateCast } = item
    const steps = field.jsonPath.map(({ arrow, key }) => arrow + ('name' in key ? key.name : `#${key.index}`))
    return { field: [field.name, ...steps].join(''), ...defined({ alias, cast, aggregate, aggregateCast }) }
  })

const defined = (parts: object): object =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))

const all = { field: '*' }

it.each<[query: string, items: unknown[]]>([
  ['', []],
  ['select=', []],
  ['select', []],
  ['select=*', [all]],
  ['select=id', [{ field: 'id' }]],
  ['select=id,name', [{ field: 'id' }, { field: 'name' }]],
  ['select=id, name', [{ field: 'id' }, { field: 'name' }]],
  ['select= id , name ', [{ field: 'id' }, { field: 'name' }]],
  ['select=id&select=name', [{ field: 'id' }]],
  ['select=first name', [{ field: 'first name' }]],
  ['select=first+name', [{ field: 'first name' }]],
  ['select=first%20name', [{ field: 'first name' }]],
  ['select=with-dash', [{ field: 'with-dash' }]],
  ['select=a - b', [{ field: 'a-b' }]],
  ['select=123', [{ field: '123' }]],
  ['select=_', [{ field: '_' }]],
  ['select=$', [{ field: '$' }]],
  ['select=":"', [{ field: ':' }]],
  ['select=" padded "', [{ field: ' padded ' }]],
  ['select="a.b"', [{ field: 'a.b' }]],
  ['select="a,b(c)"', [{ field: 'a,b(c)' }]],
  [String.raw`select="a\"b\\c"`, [{ field: String.raw`a"b\c` }]],
  ['select=موقع', [{ field: 'موقع' }]],
  ['select=日本,é', [{ field: '日本' }, { field: 'é' }]],
  ['select=%E6%97%A5', [{ field: '日' }]],
  ['select=constructor,__proto__', [{ field: 'constructor' }, { field: '__proto__' }]],
  ['select=alias:name', [{ field: 'name', alias: 'alias' }]],
  ['select=__proto__:name', [{ field: 'name', alias: '__proto__' }]],
  ['select="an alias":name', [{ field: 'name', alias: 'an alias' }]],
  ['select=name::text', [{ field: 'name', cast: 'text' }]],
  ['select=name::double precision', [{ field: 'name', cast: 'double precision' }]],
  ['select=b:c::text', [{ field: 'c', alias: 'b', cast: 'text' }]],
  ['select=data->a', [{ field: 'data->a' }]],
  ['select=d->>e', [{ field: 'd->>e' }]],
  ['select=data->>1', [{ field: 'data->>#+1' }]],
  ['select=data->-1->b->>-1', [{ field: 'data->#-1->b->>#-1' }]],
  ['select=f->0->g::int', [{ field: 'f->#+0->g', cast: 'int' }]],
  ['select=data->0,other', [{ field: 'data->#+0' }, { field: 'other' }]],
  ['select=data->1a', [{ field: 'data->1a' }]],
  ['select=data->"a.b"', [{ field: 'data->a.b' }]],
  ['select=data->a-b', [{ field: 'data->a-b' }]],
  ['select=data->@[]!^%26*_d', [{ field: 'data->@[]!^&*_d' }]],
  ['select=x:data->a->>b::integer', [{ field: 'data->a->>b', alias: 'x', cast: 'integer' }]],
  ['select=count()', [{ field: '*', aggregate: 'count' }]],
  ['select=n:count()::text', [{ field: '*', alias: 'n', aggregate: 'count', aggregateCast: 'text' }]],
  ['select=x.sum()', [{ field: 'x', aggregate: 'sum' }]],
  [
    'select=x.avg(),x.max(),x.min(),x.count()',
    ['avg', 'max', 'min', 'count'].map(aggregate => ({ field: 'x', aggregate })),
  ],
  [
    'select=total:x::numeric.sum()::int',
    [{ field: 'x', alias: 'total', cast: 'numeric', aggregate: 'sum', aggregateCast: 'int' }],
  ],
  ['select=data->a.sum()', [{ field: 'data->a', aggregate: 'sum' }]],
  ['select=count', [{ field: 'count' }]],
  ['select=rel(*)', [{ relation: 'rel', select: [all] }]],
  ['select=rel()', [{ relation: 'rel', select: [] }]],
  ['select=rel( id , name )', [{ relation: 'rel', select: [{ field: 'id' }, { field: 'name' }] }]],
  ['select=alias:rel(*)', [{ relation: 'rel', alias: 'alias', select: [all] }]],
  ['select=rel!hint(*)', [{ relation: 'rel', hint: 'hint', select: [all] }]],
  ['select=rel!inner(*)', [{ relation: 'rel', join: 'inner', select: [all] }]],
  ['select=rel!left(*)', [{ relation: 'rel', join: 'left', select: [all] }]],
  ['select=rel!hint!inner(*)', [{ relation: 'rel', hint: 'hint', join: 'inner', select: [all] }]],
  [
    'select=a:rel!inner!hint(*)',
    [{ relation: 'rel', alias: 'a', hint: 'hint', join: 'inner', select: [all] }],
  ],
  ['select=...rel(*)', [{ relation: 'rel', isSpread: true, select: [all] }]],
  [
    'select=...rel!hint!inner(a:id)',
    [{ relation: 'rel', hint: 'hint', join: 'inner', isSpread: true, select: [{ field: 'id', alias: 'a' }] }],
  ],
  [
    'select=*,client(*,nested(*)),other(*)',
    [
      all,
      { relation: 'client', select: [all, { relation: 'nested', select: [all] }] },
      { relation: 'other', select: [all] },
    ],
  ],
  ['select=a(),b', [{ relation: 'a', select: [] }, { field: 'b' }]],
  // What follows the last item is ignored.
  ['select=rel(*)x', [{ relation: 'rel', select: [all] }]],
  ['select=id)x', [{ field: 'id' }]],
  ['select=!x', []],
  // An index before a closing parenthesis is a key.
  ['select=rel(data->0)', [{ relation: 'rel', select: [{ field: 'data->0' }] }]],
])('reads %s', async (query, items) => {
  expect(short((await readQuery(query)).select)).toEqual(items)
})
