// Formats of requests and responses, and how values look in them.
import { reads, type Case, type Expected } from './case.ts'

const FORMAT = 'resource_representation: response format'
const CSV = 'resource_representation: CSV'
const SINGULAR = 'resource_representation: singular or plural'
const STRIPPED = 'resource_representation: stripped nulls'
const BODY = 'resource_representation: request body'
const VALUES = 'resource_representation: values'
const DIGITS = 'resource_representation: exact numbers'
const LOCATION = 'resource_representation: Content-Location'
const PLAN = 'resource_representation: plans'

const OBJECT = 'application/vnd.pgrst.object+json'
const OBJECT_TYPE = `${OBJECT}; charset=utf-8`
const STRIP = 'application/vnd.pgrst.array+json;nulls=stripped'
const JSON_TYPE = 'application/json; charset=utf-8'
const CSV_TYPE = 'text/csv; charset=utf-8'

function accepts(
  section: string,
  accept: string,
  path: string,
  expect: Expected,
  rest: Partial<Case['request']> & {
    readonly prefer?: string
    readonly name?: string
    readonly after?: Case['after']
    readonly settings?: Case['settings']
  } = {},
): Case {
  const { prefer, name, after, settings, ...request } = rest
  return {
    section,
    ...(name !== undefined && { name }),
    ...(after && { after }),
    ...(settings && { settings }),
    request: {
      ...request,
      path,
      headers: { accept, ...(prefer !== undefined && { prefer }), ...request.headers },
    },
    expect,
  }
}

const type = (value: string | null) => ({ headers: { 'content-type': value } })
const unavailable = (...types: readonly string[]): Expected => ({
  status: 406,
  error: {
    code: 'PGRST107',
    message: `None of these media types are available: ${types.join(', ')}`,
    details: null,
    hint: null,
  },
})
const notOne = (rows: number): Expected => ({
  status: 406,
  error: {
    code: 'PGRST116',
    message: 'Cannot coerce the result to a single JSON object',
    details: `The result contains ${rows} rows`,
    hint: null,
  },
})
const ROW = [{ id: 1 }]
const ONE = '/films?select=id&id=eq.1'

export const RESOURCE_REPRESENTATION: readonly Case[] = [
  accepts(FORMAT, 'application/json', ONE, { status: 200, json: ROW, ...type(JSON_TYPE) }),
  accepts(FORMAT, '*/*', ONE, { status: 200, json: ROW, ...type(JSON_TYPE) }),
  accepts(FORMAT, 'text/unknowntype, */*', ONE, { status: 200, json: ROW, ...type(JSON_TYPE) }),
  accepts(FORMAT, 'text/csv, */*', ONE, { status: 200, text: 'id\n1', ...type(CSV_TYPE) }),
  accepts(FORMAT, 'text/csv, application/json', ONE, { status: 200, text: 'id\n1', ...type(CSV_TYPE) }),
  accepts(FORMAT, 'application/json, text/csv', ONE, { status: 200, json: ROW, ...type(JSON_TYPE) }),
  accepts(FORMAT, 'text/csv;q=0.5, application/json;q=0.9', ONE, {
    status: 200,
    json: ROW,
    ...type(JSON_TYPE),
  }),
  accepts(FORMAT, 'text/unknowntype, text/csv', ONE, { status: 200, text: 'id\n1' }),
  accepts(FORMAT, 'text/csv; version=1', ONE, { status: 200, text: 'id\n1', ...type(CSV_TYPE) }),
  accepts(FORMAT, 'APPLICATION/JSON', ONE, { status: 200, json: ROW }, { name: 'in any case' }),
  accepts(
    FORMAT,
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    ONE,
    { status: 200, json: ROW, ...type(JSON_TYPE) },
    { name: 'what browsers send' },
  ),
  accepts(FORMAT, 'application/vnd.pgrst.array+json', ONE, { status: 200, json: ROW, ...type(JSON_TYPE) }),
  accepts(FORMAT, 'text/unknowntype', '/films', unavailable('text/unknowntype')),
  accepts(FORMAT, 'unknown/unknown', '/rpc/greet', unavailable('unknown/unknown')),
  accepts(FORMAT, 'undefined', '/films', unavailable('undefined')),
  accepts(FORMAT, 'audio/mpeg, image/gif', '/films', unavailable('audio/mpeg', 'image/gif')),
  accepts(FORMAT, 'application/openapi+json', '/films', unavailable('application/openapi+json')),
  accepts(FORMAT, 'text/xml', '/rpc/greet', unavailable('text/xml')),
  accepts(FORMAT, 'audio/mpeg', '/festivals', unavailable('audio/mpeg'), {
    method: 'POST',
    body: { id: 9 },
    prefer: 'return=representation',
    after: { sql: 'select count(*)::int as n from festivals', rows: [{ n: 3 }] },
  }),

  accepts(CSV, 'text/csv', '/festivals?order=id', {
    status: 200,
    text: 'id,name,year\n1,Lumen,1985\n2,Nocturne,1962\n3,Empty,2000',
    headers: { 'content-type': CSV_TYPE, 'content-range': '0-2/*' },
  }),
  accepts(CSV, 'text/csv', '/festivals?select=label:name,id&id=eq.1', {
    status: 200,
    text: 'label,id\nLumen,1',
  }),
  accepts(
    CSV,
    'text/csv',
    '/names?id=in.(1,3,4,6,7)&order=id',
    { status: 200, text: 'id,name\n1,"Hebdon, John"\n3,"say ""hi"""\n4,"back\\\\slash"\n6,""\n7,' },
    { name: 'quotes' },
  ),
  accepts(CSV, 'text/csv', '/names?id=eq.13', { status: 200, text: 'id,name\n13,"Straße 東京"' }),
  accepts(CSV, 'text/csv', '/chores?select=id,done&order=id', { status: 200, text: 'id,done\n1,t\n2,f\n3,' }),
  accepts(CSV, 'text/csv', '/films?select=id,tags&id=in.(1,2,4)&order=id', {
    status: 200,
    text: 'id,tags\n1,"{paris,portrait}"\n2,{road}\n4,{}',
  }),
  accepts(CSV, 'text/csv', '/wide?select=id,n&id=gt.2', {
    status: 200,
    text: 'id,n\n9007199254740993,12345678901234567890.120',
  }),
  accepts(CSV, 'text/csv', '/films?select=id,directors(name)&id=eq.1', {
    status: 200,
    text: 'id,directors\n1,"{""name"": ""Agnes""}"',
  }),
  accepts(CSV, 'text/csv', '/rpc/films_since?since=1985', {
    status: 200,
    text: 'title,year\nVagabond,1985\nRan,1985',
    ...type(CSV_TYPE),
  }),
  accepts(CSV, 'text/csv', '/rpc/get_films?select=id,title&id=eq.1', {
    status: 200,
    text: 'id,title\n1,Cleo',
  }),
  accepts(
    CSV,
    'text/csv',
    '/festivals?id=eq.1&select=id',
    { status: 200, text: 'id\n1' },
    { method: 'PATCH', body: { year: 1 }, prefer: 'return=representation' },
  ),
  accepts(
    CSV,
    'text/csv',
    '/chores?id=lt.3&select=id,name&order=id',
    { status: 200, text: 'id,name\n1,sweep\n2,paint' },
    { method: 'DELETE', prefer: 'return=representation' },
  ),

  accepts(SINGULAR, OBJECT, ONE, { status: 200, json: { id: 1 }, text: '{"id":1}', ...type(OBJECT_TYPE) }),
  accepts(SINGULAR, 'application/vnd.pgrst.object', ONE, {
    status: 200,
    json: { id: 1 },
    ...type(OBJECT_TYPE),
  }),
  accepts(SINGULAR, OBJECT, '/films?id=eq.99', notOne(0)),
  accepts(SINGULAR, OBJECT, '/films', notOne(6)),
  accepts(SINGULAR, OBJECT, '/films?select=id&order=id&limit=1', { status: 200, json: { id: 1 } }),
  accepts(SINGULAR, OBJECT, '/films?select=id,directors(name),actors(name)&id=eq.3', {
    status: 200,
    json: { id: 3, directors: { name: 'Akira' }, actors: [{ name: 'Tatsuya' }] },
  }),
  accepts(
    SINGULAR,
    OBJECT,
    '/festivals?select=id',
    { status: 201, json: { id: 9 }, ...type(OBJECT_TYPE) },
    { method: 'POST', body: [{ id: 9 }], prefer: 'return=representation' },
  ),
  accepts(
    SINGULAR,
    OBJECT,
    '/festivals',
    { status: 201, text: '', ...type(null) },
    { method: 'POST', body: { id: 9 }, prefer: 'return=minimal' },
  ),
  accepts(SINGULAR, OBJECT, '/festivals', notOne(2), {
    method: 'POST',
    body: [{ id: 8 }, { id: 9 }],
    prefer: 'return=representation',
    after: { sql: 'select count(*)::int as n from festivals', rows: [{ n: 3 }] },
  }),
  accepts(SINGULAR, OBJECT, '/festivals', notOne(2), {
    method: 'POST',
    body: [{ id: 8 }, { id: 9 }],
    name: 'even if nothing is returned',
    after: { sql: 'select count(*)::int as n from festivals', rows: [{ n: 3 }] },
  }),
  accepts(SINGULAR, OBJECT, '/festivals', notOne(0), {
    method: 'POST',
    body: [],
    prefer: 'return=representation',
  }),
  accepts(
    SINGULAR,
    OBJECT,
    '/festivals?id=eq.1&select=year',
    { status: 200, json: { year: 1 } },
    { method: 'PATCH', body: { year: 1 }, prefer: 'return=representation' },
  ),
  accepts(
    SINGULAR,
    OBJECT,
    '/festivals?id=eq.1',
    { status: 204, text: '' },
    { method: 'PATCH', body: { year: 1 } },
  ),
  accepts(SINGULAR, OBJECT, '/festivals', notOne(3), {
    method: 'PATCH',
    body: { year: 1 },
    after: { sql: 'select year from festivals where id = 1', rows: [{ year: 1985 }] },
  }),
  accepts(SINGULAR, OBJECT, '/festivals?id=eq.99', notOne(0), {
    method: 'PATCH',
    body: { year: 1 },
    prefer: 'return=representation',
  }),
  accepts(
    SINGULAR,
    OBJECT,
    '/chores?id=eq.1&select=id',
    { status: 200, json: { id: 1 } },
    { method: 'DELETE', prefer: 'return=representation' },
  ),
  accepts(SINGULAR, OBJECT, '/chores', notOne(3), {
    method: 'DELETE',
    after: { sql: 'select count(*)::int as n from chores', rows: [{ n: 3 }] },
  }),
  accepts(SINGULAR, OBJECT, '/chores?id=eq.99', notOne(0), { method: 'DELETE' }),
  accepts(SINGULAR, OBJECT, '/rpc/get_films?select=id&id=eq.1', {
    status: 200,
    json: { id: 1 },
    ...type(OBJECT_TYPE),
  }),
  accepts(SINGULAR, OBJECT, '/rpc/get_films', notOne(6), { method: 'POST', body: {} }),
  accepts(SINGULAR, OBJECT, '/rpc/no_films', notOne(0)),
  accepts(SINGULAR, OBJECT, '/rpc/greet', { status: 200, json: 'Hello, world' }, { name: 'a scalar' }),
  accepts(
    SINGULAR,
    OBJECT,
    '/rpc/add_film',
    { status: 200, part: { title: 'One' } },
    { method: 'POST', body: { title: 'One' } },
  ),
  accepts(SINGULAR, OBJECT, '/rpc/drop_roles', notOne(2), {
    method: 'POST',
    body: { below: 2 },
    name: 'undone',
    after: { sql: 'select count(*)::int as n from roles', rows: [{ n: 7 }] },
  }),

  accepts(STRIPPED, STRIP, '/films?select=id,rating,language&id=in.(4,5,6)&order=id', {
    status: 200,
    json: [{ id: 4, rating: 8.3, language: 'ja' }, { id: 5, language: 'fr' }, { id: 6 }],
    ...type('application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8'),
  }),
  accepts(STRIPPED, 'application/vnd.pgrst.array;nulls=stripped', '/films?select=id,rating&id=eq.6', {
    status: 200,
    json: [{ id: 6 }],
  }),
  accepts(STRIPPED, `${OBJECT};nulls=stripped`, '/films?select=id,rating&id=eq.6', {
    status: 200,
    json: { id: 6 },
    ...type(`${OBJECT};nulls=stripped; charset=utf-8`),
  }),
  accepts(STRIPPED, `${OBJECT};nulls=stripped`, '/films?select=id', notOne(6)),
  accepts(STRIPPED, 'application/vnd.pgrst.array+json', '/films?select=id,rating&id=eq.6', {
    status: 200,
    json: [{ id: 6, rating: null }],
    ...type(JSON_TYPE),
  }),
  accepts(
    STRIPPED,
    STRIP,
    '/festivals',
    { status: 201, json: [{ id: 9 }] },
    { method: 'POST', body: { id: 9, name: null }, prefer: 'return=representation' },
  ),
  accepts(
    STRIPPED,
    STRIP,
    '/festivals?id=eq.1',
    { status: 200, json: [{ id: 1, year: 1985 }] },
    { method: 'PATCH', body: { name: null }, prefer: 'return=representation' },
  ),
  accepts(STRIPPED, STRIP, '/films?select=id,directors(name)&id=gte.5&order=id', {
    status: 200,
    json: [{ id: 5, directors: { name: 'Chantal' } }, { id: 6 }],
  }),

  {
    section: BODY,
    request: {
      method: 'POST',
      path: '/rpc/greet',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: { name: 'A' },
    },
    expect: { status: 200, json: 'Hello, A' },
  },
  {
    section: BODY,
    name: 'parameters of the type are ignored',
    request: {
      method: 'POST',
      path: '/rpc/greet',
      headers: { 'content-type': 'application/json; $$ unrecognized-chars=ignored $$' },
      body: { name: 'A' },
    },
    expect: { status: 200, json: 'Hello, A' },
  },
  {
    section: BODY,
    request: { method: 'POST', path: '/rpc/add', headers: { 'content-type': 'text/csv' }, body: 'a,b\n1,2' },
    expect: { status: 200, json: 3 },
  },
  {
    section: BODY,
    request: {
      method: 'PATCH',
      path: '/festivals?id=eq.1',
      headers: { 'content-type': 'text/csv', prefer: 'return=representation' },
      body: 'name,year\nCSV,7',
    },
    expect: { status: 200, json: [{ id: 1, name: 'CSV', year: 7 }] },
  },
  {
    section: BODY,
    request: {
      method: 'PUT',
      path: '/CamelCase?userId=eq.1',
      headers: { 'content-type': 'application/x-www-form-urlencoded', prefer: 'return=representation' },
      body: 'userId=1&fullName=Uno',
    },
    expect: { status: 200, json: [{ userId: 1, fullName: 'Uno' }] },
  },

  ...reads(
    VALUES,
    [
      '/moments?id=eq.1',
      [
        {
          id: 1,
          at: '2023-10-18T12:37:59.611+00:00',
          local: '2023-10-18T12:37:59',
          day: '2023-10-18',
          t: '12:37:59.5',
          span: '1 day 02:03:04',
        },
      ],
    ],
    ['/moments?select=at&id=eq.2', [{ at: '2024-03-01T01:30:00+00:00' }]],
    ['/moments?select=id&at=gt.2024-01-01T00:00:00Z', [{ id: 2 }]],
    ['/moments?select=id&at=eq.2023-10-18T14:37:59.611%2B02:00', [{ id: 1 }]],
    ['/moments?select=id&span=gt.1 day', [{ id: 1 }]],
    [
      '/spans?order=id',
      [
        { id: 1, r: '[1,5)', d: '[2024-01-01,2024-02-01)' },
        { id: 2, r: '[3,9)', d: null },
        { id: 3, r: '[10,20)', d: null },
        { id: 4, r: 'empty', d: null },
        { id: 5, r: null, d: null },
      ],
    ],
    [
      '/bags?id=eq.1',
      [
        {
          id: 1,
          nums: [1, 2],
          grid: [
            [1, 2],
            [3, 4],
          ],
        },
      ],
    ],
    ['/bags?select=nums&id=gte.3&order=id', [{ nums: [] }, { nums: null }]],
    [
      '/files?order=id',
      [
        { id: 1, data: '\\xdeadbeef' },
        { id: 2, data: '\\x' },
      ],
    ],
    ['/files?select=id&data=eq.\\xdeadbeef', [{ id: 1 }]],
    ['/codes', [{ id: 1, b: '10101', c: 'abcde', v: 'xy' }]],
    ['/articles?select=tsv&id=eq.1', [{ tsv: "'ate':4 'cat':3 'fat':2 'rat':6" }]],
    ['/articles?select=lang&id=eq.3', [{ lang: 'french' }]],
    [
      '/docs?select=data&order=id',
      [
        { data: { foo: { bar: 'baz', int: 1 }, list: [1, 2, 3] } },
        { data: { foo: { bar: 'qux', int: 20 }, list: [{ a: 'A' }] } },
        { data: [10, 20, 30] },
        { data: null },
      ],
    ],
    [
      '/countries?code=eq.CH',
      [
        {
          code: 'CH',
          name: 'Switzerland',
          location: { lat: 46.75, long: 8.25 },
          languages: ['de', 'fr', 'it'],
        },
      ],
    ],
  ),

  ...(
    [
      ['/wide?select=id&id=eq.9007199254740993', '[{"id":9007199254740993}]'],
      ['/wide?select=id&id=lt.0', '[{"id":-9223372036854775808}]'],
      ['/wide?select=n&id=eq.9007199254740993', '[{"n":12345678901234567890.120}]'],
      ['/wide?select=n&n=eq.12345678901234567890.12', '[{"n":12345678901234567890.120}]'],
      ['/wide?select=n,f8&id=lt.0', '[{"n":"NaN","f8":"Infinity"}]'],
      ['/wide?select=n,f8,f4&id=eq.2', '[{"n":0.00,"f8":1e+300,"f4":0}]'],
      ['/wide?select=f8,f4&id=gt.2', '[{"f8":0.1,"f4":1.5}]'],
      ['/wide?select=ids&id=gt.2', '[{"ids":[9007199254740995,1]}]'],
      ['/wide?select=j&id=gt.2', '[{"j":{"b":1, "a":9007199254740997}}]'],
      ['/wide?select=jb&id=gt.2', '[{"jb":{"a": 9007199254740997, "b": 1}}]'],
      ['/wide?select=jb->a&id=gt.2', '[{"a":9007199254740997}]'],
      ['/wide?select=jb->>a&id=gt.2', '[{"a":"9007199254740997"}]'],
      ['/wide?select=jb&id=eq.2', '[{"jb":[1.50]}]'],
      ['/wide?select=id::text&id=gt.2', '[{"id":"9007199254740993"}]'],
      ['/wide?select=id&id=in.(9007199254740993,2)&order=id.desc&limit=1', '[{"id":9007199254740993}]'],
      ['/wide?select=id&ids=cs.{9007199254740995}', '[{"id":9007199254740993}]'],
      ['/wide?select=id.max()', '[{"max":9007199254740993}]'],
      ['/films?select=rating&id=eq.1', '[{"rating":7.9}]'],
      ['/orders?select=amount&id=eq.2', '[{"amount":100.00}]'],
      ['/orders?select=amount.sum()', '[{"sum":135.75}]'],
      ['/rpc/same_big?big=9007199254740993', '9007199254740993'],
      ['/rpc/same_number?n=0.10', '0.10'],
      ['/rpc/same_number?n=1e-30', '0.000000000000000000000000000001'],
      ['/rpc/a_json', '{"b":1, "a":[1,2]}'],
    ] as const
  ).map(([path, text]): Case => ({ section: DIGITS, request: { path }, expect: { status: 200, text } })),
  ...(
    [
      [
        'POST',
        '/wide?select=id,n',
        '{"id":9007199254740999,"n":0.1000000000000000000001}',
        201,
        '[{"id":9007199254740999,"n":0.1000000000000000000001}]',
      ],
      [
        'POST',
        '/wide?select=id,ids,j',
        '[{"id":3,"ids":[9007199254740995],"j":{"a": 9007199254740997, "a":1}}]',
        201,
        '[{"id":3,"ids":[9007199254740995],"j":{"a": 9007199254740997, "a":1}}]',
      ],
      [
        'POST',
        '/wide?select=n',
        '{"id":3,"n":12345678901234567890.120}',
        201,
        '[{"n":12345678901234567890.120}]',
      ],
      ['POST', '/wide?select=f8', '{"id":3,"f8":0.1}', 201, '[{"f8":0.1}]'],
      [
        'PATCH',
        '/wide?id=eq.9007199254740993&select=jb',
        '{"jb":{"x":9007199254741001}}',
        200,
        '[{"jb":{"x": 9007199254741001}}]',
      ],
      ['DELETE', '/wide?id=eq.9007199254740993&select=id', undefined, 200, '[{"id":9007199254740993}]'],
      ['POST', '/rpc/same_big', '{"big":9007199254740993}', 200, '9007199254740993'],
      ['POST', '/rpc/same_big', '{"big":"9007199254740993"}', 200, '9007199254740993'],
      ['POST', '/rpc/same_number', '{"n":1.50}', 200, '1.50'],
      [
        'POST',
        '/rpc/same_json',
        '{"value":{"a":[9007199254740993, 1.10]}}',
        200,
        '{"a": [9007199254740993, 1.10]}',
      ],
      ['POST', '/rpc/named_json', '{"data":{"b":1,  "a":2}}', 200, '{"b":1,  "a":2}'],
      ['POST', '/rpc/echo_json', '{"a":9007199254740993}', 200, '{"a": 9007199254740993}'],
    ] as const
  ).map(([method, path, body, status, text]): Case => ({
    section: DIGITS,
    request: {
      method,
      path,
      headers: { prefer: 'return=representation' },
      ...(body !== undefined && { body }),
    },
    expect: { status, text },
  })),

  ...(
    [
      ['/films', '/films'],
      ['/films?year=eq.1985&id=eq.3', '/films?id=eq.3&year=eq.1985'],
      ['/films?select=id&id=eq.1', '/films?id=eq.1&select=id'],
    ] as const
  ).map(([path, location]): Case => ({
    section: LOCATION,
    request: { path },
    expect: { status: 200, headers: { 'content-location': location } },
  })),

  accepts(PLAN, 'application/vnd.pgrst.plan+json', '/films?id=eq.1', {
    status: 200,
    ...type('application/vnd.pgrst.plan+json; for="application/json"; charset=utf-8'),
  }),
  accepts(PLAN, 'application/vnd.pgrst.plan', '/films?id=eq.1', {
    status: 200,
    ...type('application/vnd.pgrst.plan+text; for="application/json"; charset=utf-8'),
  }),
  accepts(PLAN, 'application/vnd.pgrst.plan+json; options=verbose', '/films', {
    status: 200,
    ...type('application/vnd.pgrst.plan+json; for="application/json"; options=verbose; charset=utf-8'),
  }),
  accepts(
    PLAN,
    'application/vnd.pgrst.plan+json; for="application/vnd.pgrst.object"; options=verbose',
    '/films?id=eq.1',
    {
      status: 200,
      ...type(
        'application/vnd.pgrst.plan+json; for="application/vnd.pgrst.object+json"; options=verbose; charset=utf-8',
      ),
    },
  ),
  accepts(PLAN, 'application/vnd.pgrst.plan+json', '/rpc/get_films', {
    status: 200,
    ...type('application/vnd.pgrst.plan+json; for="application/json"; charset=utf-8'),
  }),
  accepts(
    PLAN,
    'application/vnd.pgrst.plan+json',
    '/festivals',
    { status: 200, ...type('application/vnd.pgrst.plan+json; for="application/json"; charset=utf-8') },
    {
      method: 'POST',
      body: { id: 9 },
      after: { sql: 'select count(*)::int as n from festivals', rows: [{ n: 3 }] },
    },
  ),
  accepts(
    PLAN,
    'application/vnd.pgrst.plan+json',
    '/films',
    { status: 406, error: { code: 'PGRST107' } },
    { settings: { db_plan_enabled: 'false' } },
  ),
]
