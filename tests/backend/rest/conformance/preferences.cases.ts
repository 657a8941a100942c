// The header Prefer.
import type { Case, Expected } from './case.ts'

const HANDLING = 'preferences: strict or lenient handling'
const TIMEZONE = 'preferences: timezone'
const RETURN = 'preferences: return representation'
const TX = 'preferences: transaction end'
const MISSING = 'preferences: missing'
const MAX_AFFECTED = 'preferences: max affected'
const APPLIED = 'preferences: preference-applied'

const invalid = (...which: readonly string[]): Expected => ({
  status: 400,
  error: {
    code: 'PGRST122',
    message: 'Invalid preferences given with handling=strict',
    details: `Invalid preferences: ${which.join(', ')}`,
    hint: null,
  },
})
const tooMany = (rows: number): Expected => ({
  status: 400,
  error: {
    code: 'PGRST124',
    message: 'Query result exceeds max-affected preference constraint',
    details: `The query affects ${rows} rows`,
    hint: null,
  },
})

function prefer(
  section: string,
  prefer: string | readonly string[],
  line: string,
  body: unknown,
  expect: Expected,
  rest: Pick<Case, 'name' | 'after' | 'settings'> = {},
): Case {
  const [method = 'GET', path = ''] = line.split(' ')
  return {
    section,
    ...rest,
    request: { method, path, headers: { prefer }, ...(body !== undefined && { body }) },
    expect,
  }
}

const applied = (value: string | null) => ({ headers: { 'preference-applied': value } })
const FESTIVALS = { sql: 'select count(*)::int as n from festivals', rows: [{ n: 3 }] }
const LENIENT = 'handling=lenient'

export const PREFERENCES: readonly Case[] = [
  prefer(HANDLING, 'handling=strict, anything', 'GET /films', undefined, invalid('anything')),
  prefer(HANDLING, 'handling=strict, foo, bar', 'GET /films', undefined, invalid('foo', 'bar')),
  prefer(
    HANDLING,
    ['handling=strict', 'something, else'],
    'GET /films',
    undefined,
    invalid('something', 'else'),
  ),
  prefer(
    HANDLING,
    'return=representation, handling=strict, anything',
    'POST /festivals',
    { id: 9 },
    invalid('anything'),
    { after: FESTIVALS },
  ),
  prefer(HANDLING, 'handling=strict, anything', 'PATCH /festivals', { year: 1 }, invalid('anything')),
  prefer(HANDLING, 'handling=strict, anything', 'DELETE /chores', undefined, invalid('anything')),
  prefer(HANDLING, 'handling=strict, anything', 'POST /rpc/greet', {}, invalid('anything')),
  prefer(HANDLING, 'handling=strict, return=all', 'GET /films', undefined, invalid('return=all')),
  prefer(HANDLING, 'handling=strict, count=none', 'GET /films', undefined, invalid('count=none')),
  prefer(HANDLING, 'handling=strict', 'GET /films?select=id&id=eq.1', undefined, {
    status: 200,
    json: [{ id: 1 }],
    ...applied('handling=strict'),
  }),
  prefer(HANDLING, 'handling=strict, count=exact', 'GET /films?select=id&id=eq.1', undefined, {
    status: 200,
    json: [{ id: 1 }],
    ...applied('count=exact, handling=strict'),
  }),
  prefer(HANDLING, 'handling=lenient, anything', 'GET /films?select=id&id=eq.1', undefined, {
    status: 200,
    json: [{ id: 1 }],
    ...applied(LENIENT),
  }),
  prefer(HANDLING, [LENIENT, 'anything'], 'GET /films?select=id&id=eq.1', undefined, {
    status: 200,
    json: [{ id: 1 }],
  }),
  prefer(HANDLING, 'anything, else', 'GET /films?select=id&id=eq.1', undefined, {
    status: 200,
    json: [{ id: 1 }],
    ...applied(null),
  }),
  prefer(
    HANDLING,
    'return=representation, handling=lenient, anything',
    'POST /festivals?select=id',
    { id: 9 },
    { status: 201, json: [{ id: 9 }] },
  ),
  prefer(
    HANDLING,
    'handling=lenient, anything',
    'POST /rpc/greet',
    {},
    { status: 200, json: 'Hello, world' },
  ),

  prefer(TIMEZONE, 'timezone=America/Los_Angeles', 'GET /moments?select=at&id=eq.1', undefined, {
    status: 200,
    json: [{ at: '2023-10-18T05:37:59.611-07:00' }],
    ...applied('timezone=America/Los_Angeles'),
  }),
  prefer(
    TIMEZONE,
    'handling=strict, timezone=America/Los_Angeles',
    'GET /moments?select=at&id=eq.1',
    undefined,
    {
      status: 200,
      json: [{ at: '2023-10-18T05:37:59.611-07:00' }],
      ...applied('handling=strict, timezone=America/Los_Angeles'),
    },
  ),
  prefer(TIMEZONE, 'timezone=Asia/Kolkata', 'GET /moments?select=at,local&id=eq.1', undefined, {
    status: 200,
    json: [{ at: '2023-10-18T18:07:59.611+05:30', local: '2023-10-18T12:37:59' }],
  }),
  prefer(
    TIMEZONE,
    'timezone=Asia/Tokyo, return=representation',
    'POST /moments?select=at',
    { id: 9, at: '2024-01-01T00:00:00' },
    {
      status: 201,
      json: [{ at: '2024-01-01T00:00:00+09:00' }],
    },
  ),
  prefer(TIMEZONE, 'timezone=Jupiter/Red_Spot', 'GET /moments?select=at&id=eq.1', undefined, {
    status: 200,
    json: [{ at: '2023-10-18T12:37:59.611+00:00' }],
    ...applied(null),
  }),
  prefer(
    TIMEZONE,
    'handling=lenient, timezone=Jupiter/Red_Spot',
    'GET /moments?select=at&id=eq.1',
    undefined,
    {
      status: 200,
      json: [{ at: '2023-10-18T12:37:59.611+00:00' }],
      ...applied(LENIENT),
    },
  ),
  prefer(
    TIMEZONE,
    'handling=strict, timezone=Jupiter/Red_Spot',
    'GET /moments',
    undefined,
    invalid('timezone=Jupiter/Red_Spot'),
  ),

  prefer(
    RETURN,
    'return=minimal',
    'POST /festivals',
    { id: 9 },
    {
      status: 201,
      text: '',
      headers: { 'preference-applied': 'return=minimal', 'content-type': null, location: null },
    },
  ),
  prefer(
    RETURN,
    'return=minimal',
    'PATCH /festivals?id=eq.1',
    { year: 1 },
    { status: 204, text: '', ...applied('return=minimal') },
  ),
  prefer(RETURN, 'return=minimal', 'DELETE /chores?id=eq.1', undefined, {
    status: 204,
    text: '',
    ...applied('return=minimal'),
  }),
  prefer(
    RETURN,
    'return=minimal',
    'PUT /CamelCase?userId=eq.1',
    { userId: 1, fullName: 'Uno' },
    { status: 204, text: '', ...applied('return=minimal') },
  ),
  prefer(
    RETURN,
    'return=headers-only',
    'POST /festivals',
    { id: 9 },
    {
      status: 201,
      text: '',
      headers: {
        location: '/festivals?id=eq.9',
        'preference-applied': 'return=headers-only',
        'content-range': '*/*',
        'content-type': null,
      },
    },
  ),
  prefer(
    RETURN,
    'return=headers-only',
    'POST /festivals?select=name',
    { id: 9 },
    { status: 201, text: '', headers: { location: '/festivals?id=eq.9' } },
  ),
  prefer(
    RETURN,
    'return=headers-only',
    'POST /counters',
    {},
    { status: 201, text: '', headers: { location: '/counters?id=eq.11' } },
  ),
  prefer(
    RETURN,
    'return=headers-only',
    'POST /nominations',
    { festival_id: 3, film_id: 4, rank: 1 },
    { status: 201, text: '', headers: { location: '/nominations?festival_id=eq.3&film_id=eq.4' } },
  ),
  prefer(
    RETURN,
    'return=headers-only',
    'POST /box_office',
    { day: '2021-01-09', film_id: 2, gross: 1 },
    { status: 201, text: '', headers: { location: '/box_office?day=eq.2021-01-09&film_id=eq.2' } },
  ),
  prefer(
    RETURN,
    'return=headers-only',
    'POST /classics',
    { title: 'Old', year: 1950 },
    { status: 201, text: '', headers: { location: '/classics?id=eq.11' } },
    { name: 'a view' },
  ),
  prefer(
    RETURN,
    'return=headers-only',
    'POST /events',
    { kind: 'x' },
    { status: 201, text: '', headers: { location: null } },
    { name: 'a table without a key' },
  ),
  prefer(
    RETURN,
    'return=representation',
    'POST /festivals',
    { id: 9 },
    {
      status: 201,
      json: [{ id: 9, name: null, year: null }],
      headers: {
        location: null,
        'preference-applied': 'return=representation',
        'content-type': 'application/json; charset=utf-8',
      },
    },
  ),
  prefer(
    RETURN,
    'return=representation',
    'PATCH /festivals?id=eq.1',
    { year: 1 },
    {
      status: 200,
      json: [{ id: 1, name: 'Lumen', year: 1 }],
      headers: { 'content-range': '0-0/*', 'preference-applied': 'return=representation' },
    },
  ),
  prefer(RETURN, 'return=representation', 'DELETE /chores?id=eq.1&select=id', undefined, {
    status: 200,
    json: [{ id: 1 }],
    headers: { 'content-range': '*/*', 'preference-applied': 'return=representation' },
  }),
  prefer(
    RETURN,
    'return=representation',
    'PUT /CamelCase?userId=eq.1',
    { userId: 1, fullName: 'Uno' },
    { status: 200, json: [{ userId: 1, fullName: 'Uno' }], ...applied('return=representation') },
  ),

  prefer(
    TX,
    'tx=rollback, return=representation',
    'POST /festivals?select=id',
    { id: 9 },
    { status: 201, json: [{ id: 9 }], headers: { 'preference-applied': /tx=rollback/ } },
    { after: FESTIVALS },
  ),
  prefer(
    TX,
    'tx=commit, return=representation',
    'POST /festivals?select=id',
    { id: 9 },
    { status: 201, json: [{ id: 9 }], headers: { 'preference-applied': /tx=commit/ } },
    { after: { ...FESTIVALS, rows: [{ n: 4 }] } },
  ),
  prefer(
    TX,
    'tx=rollback, return=representation',
    'PATCH /festivals?id=eq.1&select=year',
    { year: 1 },
    { status: 200, json: [{ year: 1 }] },
    { after: { sql: 'select year from festivals where id = 1', rows: [{ year: 1985 }] } },
  ),
  prefer(
    TX,
    'tx=rollback, return=representation',
    'DELETE /chores?id=eq.1&select=id',
    undefined,
    { status: 200, json: [{ id: 1 }] },
    { after: { sql: 'select count(*)::int as n from chores', rows: [{ n: 3 }] } },
  ),
  prefer(
    TX,
    'tx=rollback, return=representation',
    'PUT /products?sku=eq.D4',
    { sku: 'D4', name: 'New', price: 1, stock: 1 },
    { status: 201, json: [{ sku: 'D4', name: 'New', price: 1, stock: 1 }] },
    { after: { sql: 'select count(*)::int as n from products', rows: [{ n: 3 }] } },
  ),
  prefer(
    TX,
    'tx=rollback',
    'POST /rpc/add_film?select=title',
    { title: 'Undone' },
    { status: 200, json: [{ title: 'Undone' }] },
    { after: { sql: "select id from films where title = 'Undone'", rows: [] } },
  ),
  prefer(TX, 'tx=rollback', 'GET /films?select=id&id=eq.1', undefined, {
    status: 200,
    json: [{ id: 1 }],
    ...applied('tx=rollback'),
  }),
  prefer(
    TX,
    'tx=rollback',
    'POST /shifts',
    [
      { id: 7, name: 'same' },
      { id: 8, name: 'same' },
    ],
    { status: 409, error: { code: '23505' } },
    { name: 'deferred constraints are checked' },
  ),
  prefer(
    TX,
    'tx=rollback, return=representation',
    'POST /festivals?select=id',
    { id: 9 },
    { status: 201, json: [{ id: 9 }], ...applied('return=representation') },
    {
      name: 'only where the setting allows it',
      settings: { db_tx_end: 'commit' },
      after: { ...FESTIVALS, rows: [{ n: 4 }] },
    },
  ),
  prefer(
    TX,
    'tx=commit, return=representation',
    'POST /festivals?select=id',
    { id: 9 },
    { status: 201, json: [{ id: 9 }] },
    { name: 'always rolled back', settings: { db_tx_end: 'rollback' }, after: FESTIVALS },
  ),
  prefer(
    TX,
    'return=representation',
    'POST /festivals?select=id',
    { id: 9 },
    { status: 201, json: [{ id: 9 }] },
    { name: 'rolled back by default', settings: { db_tx_end: 'rollback-allow-override' }, after: FESTIVALS },
  ),
  prefer(
    TX,
    'tx=commit',
    'POST /festivals',
    { id: 9 },
    { status: 201 },
    {
      name: 'rolled back unless asked',
      settings: { db_tx_end: 'rollback-allow-override' },
      after: { ...FESTIVALS, rows: [{ n: 4 }] },
    },
  ),

  prefer(
    MISSING,
    ['missing=default', 'return=representation'],
    'POST /counters?columns=id,label,with-dash',
    [
      { id: 21, label: 'a' },
      { id: 22, 'with-dash': 5 },
    ],
    {
      status: 201,
      json: [
        { id: 21, label: 'a', 'with-dash': 1 },
        { id: 22, label: 'unnamed', 'with-dash': 5 },
      ],
      ...applied('missing=default, return=representation'),
    },
  ),
  prefer(
    MISSING,
    ['missing=default', 'return=representation'],
    'POST /counters?columns=id,label',
    [{ label: 'a' }, { id: 22, label: null }],
    {
      status: 201,
      json: [
        { id: 11, label: 'a', 'with-dash': 1 },
        { id: 22, label: null, 'with-dash': 1 },
      ],
    },
  ),
  prefer(
    MISSING,
    ['missing=default', 'return=representation'],
    'POST /products?columns=sku,name,stock&select=sku,stock',
    [{ sku: 'D4', name: 'x' }],
    { status: 201, json: [{ sku: 'D4', stock: 7 }] },
  ),
  prefer(
    MISSING,
    ['missing=null', 'return=representation'],
    'POST /products?columns=sku,name,stock&select=sku,stock',
    [{ sku: 'D4', name: 'x' }],
    { status: 201, json: [{ sku: 'D4', stock: null }] },
  ),
  prefer(
    MISSING,
    'return=representation',
    'POST /products?columns=sku,name,stock&select=sku,stock',
    [{ sku: 'D4', name: 'x' }],
    { status: 201, json: [{ sku: 'D4', stock: null }] },
    { name: 'null by default' },
  ),
  prefer(
    MISSING,
    ['missing=default', 'return=representation'],
    'PATCH /counters?id=eq.1&columns=label,with-dash',
    { 'with-dash': 9 },
    {
      status: 200,
      json: [{ id: 1, label: 'unnamed', 'with-dash': 9 }],
      ...applied('missing=default, return=representation'),
    },
  ),
  prefer(
    MISSING,
    ['missing=default', 'return=representation'],
    'POST /docs?columns=id,raw',
    '{"raw":{"a":1,"a":2},"id":9}',
    { status: 201, json: [{ id: 9, data: null, raw: { a: 2 } }] },
  ),
  prefer(
    MISSING,
    ['missing=default', 'return=representation'],
    'POST /boxes?columns=w,area',
    [{ w: 1 }, { w: 1, area: 5 }],
    {
      status: 400,
      error: {
        code: '428C9',
        message: 'cannot insert a non-DEFAULT value into column "area"',
        details: 'Column "area" is a generated column.',
      },
    },
  ),

  prefer(MAX_AFFECTED, 'handling=strict, max-affected=2', 'DELETE /chores?id=lt.9', undefined, tooMany(3), {
    after: { sql: 'select count(*)::int as n from chores', rows: [{ n: 3 }] },
  }),
  prefer(MAX_AFFECTED, 'handling=strict, max-affected=3', 'DELETE /chores?id=lt.9', undefined, {
    status: 204,
    text: '',
    ...applied('handling=strict, max-affected=3'),
  }),
  prefer(
    MAX_AFFECTED,
    'handling=strict, max-affected=0',
    'PATCH /festivals?id=eq.1',
    { year: 1 },
    tooMany(1),
    { after: { sql: 'select year from festivals where id = 1', rows: [{ year: 1985 }] } },
  ),
  prefer(
    MAX_AFFECTED,
    'handling=strict, max-affected=1',
    'PATCH /festivals?id=eq.1',
    { year: 1 },
    { status: 204, ...applied('handling=strict, max-affected=1') },
  ),
  prefer(MAX_AFFECTED, 'handling=lenient, max-affected=1', 'DELETE /chores?id=lt.9', undefined, {
    status: 204,
    ...applied(LENIENT),
  }),
  prefer(
    MAX_AFFECTED,
    'max-affected=1',
    'PATCH /festivals',
    { year: 1 },
    { status: 204, ...applied(null) },
    { name: 'ignored without handling=strict' },
  ),
  prefer(
    MAX_AFFECTED,
    'handling=strict, max-affected=1, return=representation',
    'DELETE /chores',
    undefined,
    tooMany(3),
  ),
  prefer(MAX_AFFECTED, 'handling=strict, max-affected=1', 'POST /rpc/drop_roles', { below: 2 }, tooMany(2), {
    after: { sql: 'select count(*)::int as n from roles', rows: [{ n: 7 }] },
  }),
  prefer(
    MAX_AFFECTED,
    'handling=strict, max-affected=2',
    'POST /rpc/drop_roles?select=film_id',
    { below: 2 },
    { status: 200, json: [{ film_id: 1 }, { film_id: 1 }] },
  ),
  prefer(
    MAX_AFFECTED,
    'handling=strict, max-affected=2',
    'POST /rpc/films_since',
    { since: 1900 },
    tooMany(6),
  ),
  prefer(
    MAX_AFFECTED,
    'handling=strict, max-affected=2',
    'POST /rpc/drop_roles_void',
    {},
    {
      status: 400,
      error: {
        code: 'PGRST128',
        message:
          'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
        details: null,
        hint: null,
      },
    },
    { after: { sql: 'select count(*)::int as n from roles', rows: [{ n: 7 }] } },
  ),

  prefer(
    APPLIED,
    ['return=representation', 'count=exact'],
    'POST /festivals?select=id',
    { id: 9 },
    {
      status: 201,
      json: [{ id: 9 }],
      headers: { 'preference-applied': 'return=representation, count=exact', 'content-range': '*/1' },
    },
  ),
  prefer(
    APPLIED,
    ['return=representation', 'resolution=merge-duplicates'],
    'POST /CamelCase',
    [{ userId: 1, fullName: 'Uno' }],
    {
      status: 200,
      json: [{ userId: 1, fullName: 'Uno' }],
      ...applied('resolution=merge-duplicates, return=representation'),
    },
  ),
  prefer(
    APPLIED,
    'return=representation, resolution=ignore-duplicates',
    'POST /CamelCase',
    [{ userId: 1, fullName: 'Uno' }],
    { status: 201, json: [], ...applied('resolution=ignore-duplicates, return=representation') },
  ),
  prefer(
    APPLIED,
    ['return=representation', 'resolution=merge-duplicates', 'missing=default'],
    'POST /counters?columns=id,label&select=label',
    [{ id: 1, label: 'x' }],
    {
      status: 200,
      json: [{ label: 'x' }],
      ...applied('resolution=merge-duplicates, missing=default, return=representation'),
    },
  ),
  prefer(
    APPLIED,
    ['return=representation', 'resolution=merge-duplicates'],
    'POST /events',
    [{ kind: 'x', n: 1 }],
    { status: 201, json: [{ kind: 'x', n: 1 }], ...applied('return=representation') },
    { name: 'no resolution without a key' },
  ),
  prefer(APPLIED, 'count=exact', 'GET /films?select=id&id=eq.1', undefined, {
    status: 200,
    json: [{ id: 1 }],
    ...applied('count=exact'),
  }),
  prefer(APPLIED, 'return=representation', 'DELETE /chores?id=eq.1&select=id', undefined, {
    status: 200,
    json: [{ id: 1 }],
    ...applied('return=representation'),
  }),
  prefer(APPLIED, ['return=representation', 'count=exact'], 'DELETE /chores?id=eq.1&select=id', undefined, {
    status: 200,
    json: [{ id: 1 }],
    headers: { 'preference-applied': 'return=representation, count=exact', 'content-range': '*/1' },
  }),
]
