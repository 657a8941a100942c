// Inserts, updates, upserts and deletions.
import type { Case, Expected } from './case.ts'

const INSERT = 'tables_views: insert'
const FORM = 'tables_views: x-www-form-urlencoded'
const BULK = 'tables_views: bulk insert'
const COLUMNS = 'tables_views: specifying columns'
const UPDATE = 'tables_views: update'
const UPSERT = 'tables_views: upsert'
const ON_CONFLICT = 'tables_views: on conflict'
const PUT = 'tables_views: PUT'
const DELETE = 'tables_views: delete'

const REP = 'return=representation'
const SINGULAR = 'application/vnd.pgrst.object+json'
const CSV = { 'content-type': 'text/csv' }

interface Extra {
  readonly name?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly role?: 'anon' | 'authenticated' | 'service_role'
  readonly after?: Case['after']
}

function write(section: string, method: string) {
  return (
    path: string,
    body: unknown,
    expect: Expected,
    { name, headers, role, after }: Extra = {},
  ): Case => ({
    section,
    ...(name !== undefined && { name }),
    request: {
      method,
      path,
      ...(body !== undefined && { body }),
      ...(headers && { headers }),
      ...(role && { role }),
    },
    expect,
    ...(after && { after }),
  })
}

/** A write that returns its rows. */
function returning(section: string, method: string, status: number) {
  const one = write(section, method)
  return (path: string, body: unknown, json: unknown, extra: Extra = {}): Case =>
    one(path, body, { status, json }, { ...extra, headers: { prefer: REP, ...extra.headers } })
}

const insert = write(INSERT, 'POST')
const inserted = returning(INSERT, 'POST', 201)
const bulk = returning(BULK, 'POST', 201)
const bulkPlain = write(BULK, 'POST')
const columns = returning(COLUMNS, 'POST', 201)
const update = write(UPDATE, 'PATCH')
const updated = returning(UPDATE, 'PATCH', 200)
const remove = write(DELETE, 'DELETE')
const removed = returning(DELETE, 'DELETE', 200)
const put = write(PUT, 'PUT')

const festival = (id: number) => `select * from festivals where id = ${id}`
const count = (table: string) => `select count(*)::int as n from ${table}`

const EMPTY_OR_INVALID = { code: 'PGRST102', message: 'Empty or invalid json', details: null, hint: null }
const KEYS_DIFFER = { code: 'PGRST102', message: 'All object keys must match', details: null, hint: null }
const PUT_FILTERS = {
  code: 'PGRST105',
  message: "Filters must include all and only primary key columns with 'eq' operators",
  details: null,
  hint: null,
}
const PUT_LIMITS = {
  code: 'PGRST114',
  message: 'limit/offset querystring parameters are not allowed for PUT',
  details: null,
  hint: null,
}
const PUT_DIFFERS = {
  code: 'PGRST115',
  message: 'Payload values do not match URL in primary key column(s)',
  details: null,
  hint: null,
}

const merge = (section: string, status: number) => {
  const one = returning(section, 'POST', status)
  return (path: string, body: unknown, json: unknown, extra: Extra = {}) =>
    one(path, body, json, {
      ...extra,
      headers: { prefer: [REP, 'resolution=merge-duplicates'], ...extra.headers },
    })
}
const ignore = (section: string) => {
  const one = returning(section, 'POST', 201)
  return (path: string, body: unknown, json: unknown, extra: Extra = {}) =>
    one(path, body, json, {
      ...extra,
      headers: { prefer: [REP, 'resolution=ignore-duplicates'], ...extra.headers },
    })
}

export const WRITES: readonly Case[] = [
  // Insert.
  insert(
    '/festivals',
    { id: 9, name: 'New', year: 2001 },
    {
      status: 201,
      text: '',
      headers: {
        'content-type': null,
        location: null,
        'content-range': '*/*',
        'preference-applied': null,
        'content-length': '0',
      },
    },
    {
      name: 'nothing is returned by default',
      after: { sql: festival(9), rows: [{ id: 9, name: 'New', year: 2001 }] },
    },
  ),
  insert('/festivals?select=id', { id: 9 }, { status: 201, text: '' }, { name: 'select is ignored' }),
  insert(
    '/festivals',
    [{ id: 9 }],
    { status: 201, text: '' },
    { name: 'an array of one', after: { sql: festival(9), rows: [{ id: 9, name: null, year: null }] } },
  ),
  inserted('/festivals', { id: 9, name: 'New' }, [{ id: 9, name: 'New', year: null }]),
  inserted('/festivals?select=name', { id: 9, name: 'New' }, [{ name: 'New' }], { name: 'without its key' }),
  inserted('/festivals?select=key:id::text,label:name', { id: 9, name: 'New' }, [{ key: '9', label: 'New' }]),
  inserted('/counters', {}, [{ id: 11, label: 'unnamed', 'with-dash': 1 }], { name: 'only defaults' }),
  inserted('/counters?select=id', {}, [{ id: 11 }]),
  insert(
    '/counters',
    {},
    { status: 201, text: '' },
    { after: { sql: 'select id, label from counters where id > 10', rows: [{ id: 11, label: 'unnamed' }] } },
  ),
  inserted('/counters?select=id,label', { label: null }, [{ id: 11, label: null }], {
    name: 'null is no default',
  }),
  inserted('/boxes', { w: 4, h: 5 }, [{ id: 3, w: 4, h: 5, area: 20, note: 'none' }], {
    name: 'identity and generated columns',
  }),
  inserted('/events', { kind: null, n: 3 }, [{ kind: null, n: 3 }], { name: 'a table without a key' }),
  inserted('/docs?select=data', { id: 9, data: { a: [1, { b: null }] } }, [
    { data: { a: [1, { b: null }] } },
  ]),
  inserted('/docs?select=data', { id: 9, data: [1, 2] }, [{ data: [1, 2] }]),
  inserted('/docs?select=data', { id: 9, data: 'text' }, [{ data: 'text' }]),
  inserted('/docs?select=data', '{"id":9,"data":null}', [{ data: null }]),
  inserted('/films?select=title,tags', { title: 'Tagged', tags: ['a', 'b,c'] }, [
    { title: 'Tagged', tags: ['a', 'b,c'] },
  ]),
  inserted(
    '/films?select=title,tags',
    { title: 'Tagged', tags: '{a,b}' },
    [{ title: 'Tagged', tags: ['a', 'b'] }],
    { name: 'an array literal' },
  ),
  inserted(
    '/bags?select=grid',
    {
      id: 9,
      grid: [
        [1, 2],
        [3, 4],
      ],
    },
    [
      {
        grid: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
  ),
  inserted('/spans?select=r', { id: 9, r: '[2,4]' }, [{ r: '[2,5)' }]),
  inserted(
    '/countries?select=location',
    { code: 'XX', location: { lat: 1, long: 2.5 } },
    [{ location: { lat: 1, long: 2.5 } }],
    { name: 'a composite as an object' },
  ),
  inserted(
    '/codes',
    { id: 9, b: '00011', c: 'vwxyz', v: 'abc' },
    [{ id: 9, b: '00011', c: 'vwxyz', v: 'abc' }],
    { name: 'types with a length' },
  ),
  inserted('/names', { id: 99, name: '圍棋 ￥' }, [{ id: 99, name: '圍棋 ￥' }]),
  inserted('/names', '\t \n { "id": 99, "name": "x" } \r\n ', [{ id: 99, name: 'x' }], {
    name: 'white space around',
  }),
  inserted('/classics?select=id,title', { title: 'Old', year: 1960 }, [{ id: 11, title: 'Old' }], {
    name: 'an updatable view',
  }),
  insert(
    '/ledger',
    { id: 9, owner: 'cy', total: 1 },
    { status: 201, text: '' },
    { after: { sql: 'select owner from hidden.ledger where id = 9', rows: [{ owner: 'cy' }] } },
  ),
  insert(
    '/write_only',
    { v: 'x' },
    { status: 201, text: '' },
    { name: 'a table that may not be read', after: { sql: 'select v from write_only', rows: [{ v: 'x' }] } },
  ),
  insert(
    '/write_only',
    { v: 'x' },
    { status: 401, error: { code: '42501', message: 'permission denied for table write_only' } },
    { headers: { prefer: REP } },
  ),
  inserted('/limited?select=id,name', { id: 9, name: 'a', secret: 'b' }, [{ id: 9, name: 'a' }], {
    name: 'columns that may be read',
  }),
  insert(
    '/limited',
    { id: 9, name: 'a' },
    { status: 401, error: { code: '42501', message: 'permission denied for table limited' } },
    { headers: { prefer: REP } },
  ),
  inserted(
    '/secrets',
    { id: 9, owner: 'ann@example.com', body: 'b' },
    [{ id: 9, owner: 'ann@example.com', body: 'b' }],
    { role: 'authenticated' },
  ),
  insert(
    '/secrets',
    { id: 9, owner: 'eve@example.com' },
    {
      status: 403,
      error: {
        code: '42501',
        message: 'new row violates row-level security policy for table "secrets"',
        details: null,
        hint: null,
      },
    },
    { role: 'authenticated' },
  ),
  insert(
    '/secrets',
    { id: 9 },
    {
      status: 401,
      error: { code: '42501', message: 'permission denied for table secrets' },
      headers: { 'www-authenticate': 'Bearer' },
    },
  ),
  inserted('/secrets?select=id', { id: 9, owner: 'any' }, [{ id: 9 }], { role: 'service_role' }),
  insert('/festivals', '}{ x', { status: 400, error: EMPTY_OR_INVALID }),
  insert(
    '/festivals',
    '',
    { status: 400, error: EMPTY_OR_INVALID },
    { headers: { 'content-type': 'application/json' } },
  ),
  insert('/festivals', '{"id":9', { status: 400, error: EMPTY_OR_INVALID }),
  insert(
    '/nowhere',
    { id: 1 },
    {
      status: 404,
      error: { code: 'PGRST205', message: "Could not find the table 'public.nowhere' in the schema cache" },
    },
  ),
  insert(
    '/festivals',
    { id: 9, nope: 1 },
    {
      status: 400,
      error: {
        code: 'PGRST204',
        message: "Could not find the 'nope' column of 'festivals' in the schema cache",
        details: null,
        hint: null,
      },
    },
  ),
  insert(
    '/products',
    { sku: 'A1', name: 'Copy' },
    {
      status: 409,
      error: {
        code: '23505',
        message: 'duplicate key value violates unique constraint "products_pkey"',
        details: 'Key (sku)=(A1) already exists.',
        hint: null,
      },
    },
  ),
  insert(
    '/products',
    { sku: 'D4', name: 'Cap' },
    {
      status: 409,
      error: {
        code: '23505',
        message: 'duplicate key value violates unique constraint "products_name_key"',
        details: 'Key (name)=(Cap) already exists.',
      },
    },
  ),
  insert(
    '/products',
    { sku: 'D4' },
    {
      status: 400,
      error: {
        code: '23502',
        message: 'null value in column "name" of relation "products" violates not-null constraint',
        details: 'Failing row contains (D4, null, null, 7).',
        hint: null,
      },
    },
  ),
  insert(
    '/products',
    { sku: 'D4', name: 'Bad', price: -1 },
    {
      status: 400,
      error: {
        code: '23514',
        message: 'new row for relation "products" violates check constraint "products_price_check"',
        details: 'Failing row contains (D4, Bad, -1, 7).',
      },
    },
  ),
  insert(
    '/films',
    { title: 'Orphan', director_id: 99 },
    {
      status: 409,
      error: {
        code: '23503',
        message: 'insert or update on table "films" violates foreign key constraint "films_director_id_fkey"',
        details: 'Key (director_id)=(99) is not present in table "directors".',
        hint: null,
      },
    },
  ),
  insert(
    '/festivals',
    { id: 'nine' },
    {
      status: 400,
      error: { code: '22P02', message: 'invalid input syntax for type integer: "nine"', details: null },
    },
  ),
  insert(
    '/festivals',
    { id: 3000000000 },
    { status: 400, error: { code: '22003', message: /out of range/ } },
  ),
  insert(
    '/films',
    { title: 'x', mood: 'bored' },
    { status: 400, error: { code: '22P02', message: 'invalid input value for enum mood: "bored"' } },
  ),
  insert(
    '/films',
    { title: 'x', year: 1700 },
    {
      status: 400,
      error: { code: '23514', message: 'value for domain year_no violates check constraint "year_no_check"' },
    },
  ),
  insert(
    '/codes',
    { id: 9, v: 'long' },
    { status: 400, error: { code: '22001', message: 'value too long for type character varying(3)' } },
  ),
  insert(
    '/moments',
    { id: 9, at: 'soon' },
    {
      status: 400,
      error: { code: '22007', message: 'invalid input syntax for type timestamp with time zone: "soon"' },
    },
  ),
  insert(
    '/moments',
    { id: 9, day: '2024-02-30' },
    { status: 400, error: { code: '22008', message: 'date/time field value out of range: "2024-02-30"' } },
  ),
  insert(
    '/classics',
    { title: 'New', year: 1999 },
    { status: 400, error: { code: '44000', message: 'new row violates check option for view "classics"' } },
  ),
  insert(
    '/per_year',
    { year: 2000 },
    {
      // PostgREST answers 500, but the request causes it.
      status: 400,
      error: {
        code: '55000',
        message: 'cannot insert into view "per_year"',
        details: 'Views containing GROUP BY are not automatically updatable.',
        hint: 'To enable inserting into the view, provide an INSTEAD OF INSERT trigger or an unconditional ON INSERT DO INSTEAD rule.',
      },
    },
  ),
  insert(
    '/boxes',
    { w: 1, h: 1, area: 9 },
    {
      status: 400,
      error: {
        code: '428C9',
        message: 'cannot insert a non-DEFAULT value into column "area"',
        details: 'Column "area" is a generated column.',
        hint: null,
      },
    },
  ),
  insert(
    '/boxes',
    { id: 9, w: 1 },
    {
      status: 400,
      error: {
        code: '428C9',
        message: 'cannot insert a non-DEFAULT value into column "id"',
        details: 'Column "id" is an identity column defined as GENERATED ALWAYS.',
        hint: 'Use OVERRIDING SYSTEM VALUE to override.',
      },
    },
  ),
  insert(
    '/festivals',
    [{ id: 9 }, { id: 1 }],
    { status: 409, error: { code: '23505' } },
    { name: 'all or nothing', after: { sql: count('festivals'), rows: [{ n: 3 }] } },
  ),

  // Forms.
  write(FORM, 'POST')(
    '/festivals',
    'id=9&name=Two+words&year=2001',
    { status: 201, text: '' },
    {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      after: { sql: festival(9), rows: [{ id: 9, name: 'Two words', year: 2001 }] },
    },
  ),
  returning(FORM, 'POST', 201)('/festivals', 'id=9&name=a%26b%3Dc', [{ id: 9, name: 'a&b=c', year: null }], {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }),
  returning(FORM, 'PATCH', 200)(
    '/festivals?id=eq.1',
    'name=Changed',
    [{ id: 1, name: 'Changed', year: 1985 }],
    {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
  ),
  returning(FORM, 'POST', 201)(
    '/films?select=title,tags',
    'title=T&tags=%7Ba,b%7D',
    [{ title: 'T', tags: ['a', 'b'] }],
    {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
  ),

  // Bulk.
  bulk(
    '/festivals',
    [
      { id: 8, name: 'A' },
      { id: 9, name: null },
    ],
    [
      { id: 8, name: 'A', year: null },
      { id: 9, name: null, year: null },
    ],
  ),
  bulkPlain(
    '/festivals',
    [{ id: 8 }, { id: 9 }],
    { status: 201, text: '', headers: { location: null } },
    { after: { sql: count('festivals'), rows: [{ n: 5 }] } },
  ),
  bulk('/counters?select=id', [{}, {}], [{ id: 11 }, { id: 12 }]),
  bulk('/festivals', [], [], { name: 'no rows' }),
  bulkPlain('/festivals', [], { status: 201, text: '' }),
  bulkPlain(
    '/festivals',
    [{ id: 8 }, { id: 9, name: 'x' }],
    { status: 400, error: KEYS_DIFFER },
    { after: { sql: count('festivals'), rows: [{ n: 3 }] } },
  ),
  bulkPlain('/festivals', [{ id: 8 }, 123, 'xxxx'], { status: 400, error: KEYS_DIFFER }),
  bulk('/festivals?select=id', '[ {"id": 8} , \n {"id": 9} ]', [{ id: 8 }, { id: 9 }]),
  bulk(
    '/festivals',
    'id,name,year\n8,J Doe,62\n9,Jonas,10',
    [
      { id: 8, name: 'J Doe', year: 62 },
      { id: 9, name: 'Jonas', year: 10 },
    ],
    { name: 'CSV', headers: CSV },
  ),
  bulk(
    '/events',
    'kind,n\nNULL,3\n,4',
    [
      { kind: null, n: 3 },
      { kind: '', n: 4 },
    ],
    { name: 'NULL and empty texts of CSV', headers: CSV },
  ),
  bulk('/events', 'kind,n\n"a, ""b""\nc",5', [{ kind: 'a, "b"\nc', n: 5 }], {
    name: 'quotes of CSV',
    headers: CSV,
  }),
  bulkPlain(
    '/events',
    'kind,n\nbar,7',
    { status: 201, text: 'kind,n\nbar,7', headers: { 'content-type': 'text/csv; charset=utf-8' } },
    {
      headers: { ...CSV, accept: 'text/csv', prefer: REP },
    },
  ),
  bulkPlain(
    '/events',
    'kind,n\nNULL,7',
    { status: 201, text: 'kind,n\n,7' },
    { headers: { ...CSV, accept: 'text/csv', prefer: REP } },
  ),
  bulkPlain(
    '/festivals?select=id',
    'id,name\n8,a\n9,b c',
    { status: 201, text: 'id\n8\n9', headers: { 'content-range': '*/*' } },
    {
      headers: { ...CSV, accept: 'text/csv', prefer: REP },
    },
  ),
  bulkPlain(
    '/events',
    'kind,n\nfoo,1\nbaz',
    {
      status: 400,
      error: {
        code: 'PGRST102',
        message: 'All lines must have same number of fields',
        details: null,
        hint: null,
      },
    },
    { headers: CSV },
  ),

  // Columns.
  columns('/festivals?columns=id,name', { id: 9, name: 'x', extra: 1, year: 2000 }, [
    { id: 9, name: 'x', year: null },
  ]),
  columns(
    '/festivals?columns=id,name&select=id,name',
    [
      { id: 8, name: 'a', b: 1 },
      { id: 9, name: 'c', d: 'e' },
    ],
    [
      { id: 8, name: 'a' },
      { id: 9, name: 'c' },
    ],
    { name: 'keys may differ' },
  ),
  columns(
    '/festivals?columns=id,name&select=id,name',
    [{ id: 8 }, { id: 9, name: 'c' }],
    [
      { id: 8, name: null },
      { id: 9, name: 'c' },
    ],
    { name: 'missing values are null' },
  ),
  columns(
    '/counters?columns=id,label,with-dash&select=label,with-dash',
    { id: 99, label: 'x', 'with-dash': 4 },
    [{ label: 'x', 'with-dash': 4 }],
  ),
  columns('/docs?columns=id,raw', '{"raw":{"a":1,"a":2},"id":9}', [{ id: 9, data: null, raw: { a: 2 } }]),
  write(COLUMNS, 'POST')('/festivals?columns=id,helicopter', [{ id: 9 }], {
    status: 400,
    error: {
      code: 'PGRST204',
      message: "Could not find the 'helicopter' column of 'festivals' in the schema cache",
      details: null,
      hint: null,
    },
  }),
  write(COLUMNS, 'POST')('/nowhere?columns=helicopter', [{ id: 9 }], {
    status: 404,
    error: { code: 'PGRST205' },
  }),
  write(COLUMNS, 'POST')('/festivals?columns=', [{ id: 9 }], {
    status: 400,
    error: {
      code: 'PGRST100',
      message: '"failed to parse columns parameter ()" (line 1, column 1)',
      details: 'unexpected end of input expecting field name (* or [a..z0..9_$])',
      hint: null,
    },
  }),
  write(COLUMNS, 'POST')('/festivals?columns=id,name', [{ id: 9, name: 'a' }, 333, 'x'], {
    status: 400,
    error: { code: '22023' },
  }),
  returning(COLUMNS, 'PATCH', 200)('/festivals?id=eq.1&columns=name', { name: 'Changed', year: 1, fake: 2 }, [
    { id: 1, name: 'Changed', year: 1985 },
  ]),
  write(COLUMNS, 'PATCH')(
    '/festivals?id=eq.1&columns=helicopter',
    { name: 'x' },
    { status: 400, error: { code: 'PGRST204' } },
  ),

  // Update.
  update(
    '/festivals?id=eq.1',
    { name: 'Changed' },
    {
      status: 204,
      text: '',
      headers: { 'content-type': null, 'content-length': null, 'content-range': '0-0/*' },
    },
    {
      after: { sql: festival(1), rows: [{ id: 1, name: 'Changed', year: 1985 }] },
    },
  ),
  update(
    '/festivals?id=lte.2',
    { year: 7 },
    { status: 204, headers: { 'content-range': '0-1/*' } },
    {
      after: {
        sql: 'select id, year from festivals order by id',
        rows: [
          { id: 1, year: 7 },
          { id: 2, year: 7 },
          { id: 3, year: 2000 },
        ],
      },
    },
  ),
  update(
    '/festivals?id=eq.99',
    { year: 7 },
    { status: 204, text: '', headers: { 'content-range': '*/*' } },
    { name: 'no row' },
  ),
  update(
    '/festivals',
    { year: 7 },
    { status: 204, headers: { 'content-range': '0-2/*' } },
    {
      name: 'without a filter: all rows',
      after: { sql: 'select distinct year from festivals', rows: [{ year: 7 }] },
    },
  ),
  update(
    '/festivals?id=eq.1&select=id',
    { year: 7 },
    { status: 204, text: '' },
    { name: 'select is ignored' },
  ),
  updated('/festivals?id=eq.1', { name: 'Changed' }, [{ id: 1, name: 'Changed', year: 1985 }]),
  updated('/festivals?id=eq.1&select=name', { name: 'Changed' }, [{ name: 'Changed' }]),
  updated('/festivals?id=eq.99', { year: 7 }, []),
  updated('/festivals?id=eq.1', { name: null, year: null }, [{ id: 1, name: null, year: null }]),
  updated('/festivals?id=eq.1', [{ year: 7 }], [{ id: 1, name: 'Lumen', year: 7 }], {
    name: 'an array of one',
  }),
  updated('/festivals?name=eq.Lumen&select=id,name', { name: 'Changed' }, [{ id: 1, name: 'Changed' }], {
    name: 'a changed column in the filter',
  }),
  updated('/festivals?or=(name.eq.Lumen,id.eq.3)&select=id&order=id', { name: 'Changed' }, [
    { id: 1 },
    { id: 3 },
  ]),
  updated('/festivals?id=in.(1,2)&order=id.desc&select=id', { year: 7 }, [{ id: 2 }, { id: 1 }], {
    name: 'in an order',
  }),
  updated('/festivals?id=eq.3', { id: 77 }, [{ id: 77, name: 'Empty', year: 2000 }], {
    name: 'of a key that nothing refers to',
  }),
  updated('/docs?data->foo->>bar=eq.qux&select=id,data', { data: { id: ' "escaped' } }, [
    { id: 2, data: { id: ' "escaped' } },
  ]),
  updated('/films?is_old=is.true&id=lt.4&select=id,title', { title: 'Old' }, [{ id: 1, title: 'Old' }], {
    name: 'by a computed field',
  }),
  updated('/films?id=eq.1&select=id,film_label', { title: 'X' }, [{ id: 1, film_label: 'X (1962)' }], {
    name: 'with a computed field',
  }),
  updated('/boxes?id=eq.1&select=area', { w: 10 }, [{ area: 30 }], { name: 'a generated column' }),
  updated('/classics?id=eq.1&select=title', { title: 'Changed' }, [{ title: 'Changed' }], { name: 'a view' }),
  updated('/box_office?day=eq.2021-01-05&select=film_id,gross', { gross: 5 }, [{ film_id: 1, gross: 5 }], {
    name: 'a partitioned table',
  }),
  updated('/names?id=eq.2', { name: '圍棋' }, [{ id: 2, name: '圍棋' }]),
  updated('/festivals?id=eq.1&select=year', '\n\t{"year":7} ', [{ year: 7 }]),
  updated('/secrets?select=id', { body: 'x' }, [{ id: 1 }], {
    role: 'authenticated',
    name: 'only rows that a policy allows',
  }),
  update(
    '/festivals',
    {},
    { status: 204, text: '', headers: { 'content-range': '*/*' } },
    { name: 'an empty object changes nothing' },
  ),
  update('/festivals', [], { status: 204, headers: { 'content-range': '*/*' } }),
  update('/festivals', [{}], { status: 204, headers: { 'content-range': '*/*' } }),
  updated('/festivals', {}, []),
  updated('/festivals?select=id', {}, []),
  update(
    '/festivals?id=eq.1',
    '',
    { status: 400, error: EMPTY_OR_INVALID },
    { headers: { 'content-type': 'application/json' } },
  ),
  update('/festivals?id=eq.1', '{x', { status: 400, error: EMPTY_OR_INVALID }),
  update('/nowhere', { a: 1 }, { status: 404, error: { code: 'PGRST205' } }),
  update(
    '/festivals?id=eq.1',
    { nope: 1 },
    {
      status: 400,
      error: {
        code: 'PGRST204',
        message: "Could not find the 'nope' column of 'festivals' in the schema cache",
      },
    },
  ),
  update('/festivals?nope=eq.1', { year: 1 }, { status: 400, error: { code: '42703' } }),
  update('/products?sku=eq.A1', { name: 'Hat' }, { status: 409, error: { code: '23505' } }),
  update('/films?id=eq.1', { director_id: 99 }, { status: 409, error: { code: '23503' } }),
  update('/directors?id=eq.1', { name: null }, { status: 400, error: { code: '23502' } }),
  update(
    '/directors?id=eq.1',
    { id: 99 },
    {
      status: 409,
      error: {
        code: '23503',
        message:
          'update or delete on table "directors" violates foreign key constraint "films_director_id_fkey" on table "films"',
        details: 'Key (id)=(1) is still referenced from table "films".',
      },
    },
  ),
  update(
    '/per_year?year=eq.1985',
    { films: 1 },
    { status: 400, error: { code: '55000', message: 'cannot update view "per_year"' } },
  ),

  // Upsert.
  merge(UPSERT, 201)(
    '/products?select=sku,name,price',
    [
      { sku: 'A1', name: 'Cap 2', price: 11 },
      { sku: 'D4', name: 'New', price: 4 },
    ],
    [
      { sku: 'A1', name: 'Cap 2', price: 11 },
      { sku: 'D4', name: 'New', price: 4 },
    ],
    {
      after: {
        sql: "select sku, name, stock from products where sku in ('A1', 'D4') order by sku",
        rows: [
          { sku: 'A1', name: 'Cap 2', stock: 5 },
          { sku: 'D4', name: 'New', stock: 7 },
        ],
      },
    },
  ),
  merge(UPSERT, 200)(
    '/products?select=sku,name',
    [
      { sku: 'A1', name: 'Cap 2' },
      { sku: 'B2', name: 'Hat 2' },
    ],
    [
      { sku: 'A1', name: 'Cap 2' },
      { sku: 'B2', name: 'Hat 2' },
    ],
    { name: 'only updates are a 200' },
  ),
  merge(UPSERT, 201)(
    '/roles',
    [
      { film_id: 1, actor_id: 1, character: 'X' },
      { film_id: 2, actor_id: 1, character: 'Y' },
    ],
    [
      { film_id: 1, actor_id: 1, character: 'X' },
      { film_id: 2, actor_id: 1, character: 'Y' },
    ],
    { name: 'a composite key' },
  ),
  merge(UPSERT, 201)(
    '/box_office',
    [
      { day: '2021-01-05', film_id: 1, gross: 1 },
      { day: '2021-01-20', film_id: 2, gross: 2 },
    ],
    [
      { day: '2021-01-05', film_id: 1, gross: 1 },
      { day: '2021-01-20', film_id: 2, gross: 2 },
    ],
    { name: 'a partitioned table' },
  ),
  merge(UPSERT, 201)('/only_pk', [{ id: 1 }, { id: 2 }, { id: 4 }], [{ id: 1 }, { id: 2 }, { id: 4 }], {
    name: 'only key columns',
  }),
  merge(UPSERT, 201)(
    '/CamelCase',
    [
      { userId: 1, fullName: 'Uno' },
      { userId: 3, fullName: 'Tre' },
    ],
    [
      { userId: 1, fullName: 'Uno' },
      { userId: 3, fullName: 'Tre' },
    ],
  ),
  merge(UPSERT, 200)('/products', [], [], { name: 'no rows are a 200' }),
  merge(UPSERT, 201)('/events', [{ kind: 'open', n: 1 }], [{ kind: 'open', n: 1 }], {
    name: 'without a key it is an insert',
    after: { sql: count('events'), rows: [{ n: 4 }] },
  }),
  merge(UPSERT, 201)(
    '/counters?columns=id,label&select=id,label',
    [{ id: 1, label: 'changed' }, { label: 'new' }],
    [
      { id: 1, label: 'changed' },
      // The default of each row is taken, also of the one that exists.
      { id: 12, label: 'new' },
    ],
    {
      headers: { prefer: [REP, 'resolution=merge-duplicates', 'missing=default'] },
      name: 'a surrogate key with missing=default',
    },
  ),
  merge(UPSERT, 200)(
    '/products?select=sku&order=sku.desc',
    [
      { sku: 'A1', name: 'Cap 2' },
      { sku: 'B2', name: 'Hat 2' },
    ],
    [{ sku: 'B2' }, { sku: 'A1' }],
    { name: 'in an order' },
  ),
  write(UPSERT, 'POST')(
    '/products',
    [{ sku: 'A1', name: 'Cap 2' }],
    { status: 200, text: '' },
    { headers: { prefer: 'resolution=merge-duplicates' } },
  ),
  write(UPSERT, 'POST')(
    '/products',
    [{ sku: 'D4', name: 'New' }],
    { status: 201, text: '' },
    { headers: { prefer: 'resolution=merge-duplicates' } },
  ),
  write(UPSERT, 'POST')(
    '/products',
    [
      { sku: 'A1', name: 'x' },
      { sku: 'A1', name: 'y' },
    ],
    {
      status: 400,
      error: { code: '21000', message: 'ON CONFLICT DO UPDATE command cannot affect row a second time' },
    },
    { headers: { prefer: 'resolution=merge-duplicates' } },
  ),
  write(UPSERT, 'POST')(
    '/products',
    [{ sku: 'A1', name: 'Hat' }],
    { status: 409, error: { code: '23505', details: 'Key (name)=(Hat) already exists.' } },
    { headers: { prefer: 'resolution=merge-duplicates' } },
  ),
  ignore(UPSERT)(
    '/products?select=sku,name',
    [
      { sku: 'A1', name: 'Cap 2' },
      { sku: 'D4', name: 'New' },
    ],
    [{ sku: 'D4', name: 'New' }],
    { after: { sql: "select name from products where sku = 'A1'", rows: [{ name: 'Cap' }] } },
  ),
  ignore(UPSERT)(
    '/roles',
    [
      { film_id: 1, actor_id: 1, character: 'X' },
      { film_id: 2, actor_id: 1, character: 'Y' },
    ],
    [{ film_id: 2, actor_id: 1, character: 'Y' }],
  ),
  ignore(UPSERT)('/products', [{ sku: 'A1', name: 'Cap 2' }], [], { name: 'nothing is created' }),
  ignore(UPSERT)('/only_pk', [{ id: 1 }, { id: 3 }], [{ id: 3 }]),
  ignore(UPSERT)(
    '/CamelCase',
    [
      { userId: 1, fullName: 'Uno' },
      { userId: 3, fullName: 'Tre' },
    ],
    [{ userId: 3, fullName: 'Tre' }],
  ),

  merge(ON_CONFLICT, 201)(
    '/products?on_conflict=name&select=sku,name,price',
    [
      { sku: 'A1', name: 'Cap', price: 1 },
      { sku: 'D4', name: 'New', price: 2 },
    ],
    [
      { sku: 'A1', name: 'Cap', price: 1 },
      { sku: 'D4', name: 'New', price: 2 },
    ],
  ),
  merge(ON_CONFLICT, 200)(
    '/capitals?on_conflict=country_code',
    [{ id: 1, name: 'Bonn', country_code: 'DE' }],
    [{ id: 1, name: 'Bonn', country_code: 'DE' }],
  ),
  merge(ON_CONFLICT, 200)(
    '/roles?on_conflict=film_id,actor_id',
    [{ film_id: 1, actor_id: 1, character: 'X' }],
    [{ film_id: 1, actor_id: 1, character: 'X' }],
  ),
  ignore(ON_CONFLICT)(
    '/products?on_conflict=name&select=sku',
    [
      { sku: 'Z9', name: 'Cap' },
      { sku: 'D4', name: 'New' },
    ],
    [{ sku: 'D4' }],
  ),
  write(ON_CONFLICT, 'POST')(
    '/products?on_conflict=price',
    [{ sku: 'D4', name: 'New', price: 1 }],
    {
      status: 400,
      error: {
        code: '42P10',
        message: 'there is no unique or exclusion constraint matching the ON CONFLICT specification',
      },
    },
    { headers: { prefer: 'resolution=merge-duplicates' } },
  ),

  // PUT.
  put(
    '/products?sku=eq.D4',
    { sku: 'D4', name: 'New', price: 4, stock: 1 },
    { status: 201, json: [{ sku: 'D4', name: 'New', price: 4, stock: 1 }] },
    { headers: { prefer: REP } },
  ),
  put(
    '/products?sku=eq.A1',
    { sku: 'A1', name: 'Cap 2', price: 4, stock: 1 },
    { status: 200, json: [{ sku: 'A1', name: 'Cap 2', price: 4, stock: 1 }] },
    { headers: { prefer: REP } },
  ),
  put(
    '/products?sku=eq.A1',
    { sku: 'A1', name: 'Cap 2', price: 4, stock: 1 },
    { status: 204, text: '', headers: { 'content-type': null } },
    { after: { sql: "select name from products where sku = 'A1'", rows: [{ name: 'Cap 2' }] } },
  ),
  put(
    '/roles?film_id=eq.1&actor_id=eq.1',
    { film_id: 1, actor_id: 1, character: 'X' },
    { status: 200, json: [{ film_id: 1, actor_id: 1, character: 'X' }] },
    { headers: { prefer: REP } },
  ),
  put(
    '/roles?film_id=eq.2&actor_id=eq.1',
    [{ film_id: 2, actor_id: 1, character: 'Y' }],
    { status: 201, json: [{ film_id: 2, actor_id: 1, character: 'Y' }] },
    { headers: { prefer: REP } },
  ),
  put(
    '/box_office?day=eq.2021-01-05&film_id=eq.1',
    { day: '2021-01-05', film_id: 1, gross: 7 },
    { status: 200, json: [{ day: '2021-01-05', film_id: 1, gross: 7 }] },
    { headers: { prefer: REP } },
  ),
  put('/only_pk?id=eq.1', { id: 1 }, { status: 200, json: [{ id: 1 }] }, { headers: { prefer: REP } }),
  put('/only_pk?id=eq.10', { id: 10 }, { status: 201, json: [{ id: 10 }] }, { headers: { prefer: REP } }),
  put(
    '/CamelCase?userId=eq.1',
    { userId: 1, fullName: 'Uno' },
    { status: 200, json: [{ userId: 1, fullName: 'Uno' }] },
    { headers: { prefer: REP } },
  ),
  put(
    '/products?sku=eq.D4',
    { sku: 'D4', name: 'New', price: 4, stock: 1 },
    { status: 201, json: { sku: 'D4', name: 'New', price: 4, stock: 1 } },
    { headers: { prefer: REP, accept: SINGULAR } },
  ),
  put(
    '/products?sku=eq.A1',
    [
      { sku: 'A1', name: 'Cap 2', price: 4, stock: 1 },
      { sku: 'Z9', name: 'Z', price: 1, stock: 1 },
    ],
    { status: 200, json: [{ sku: 'A1', name: 'Cap 2', price: 4, stock: 1 }] },
    {
      name: 'only the first row counts',
      headers: { prefer: REP },
    },
  ),
  put(
    '/products?sku=eq.A1',
    { sku: 'A1', name: 'Cap 2', price: 4, stock: 1 },
    { status: 200, json: [{ sku: 'A1', name: 'Cap 2', price: 4, stock: 1 }] },
    { name: 'Range is ignored', headers: { prefer: REP, range: '1-1' } },
  ),
  put('/products?sku=eq.A1&limit=1', { sku: 'A1', name: 'x' }, { status: 400, error: PUT_LIMITS }),
  put('/products?sku=eq.A1&offset=1', { sku: 'A1', name: 'x' }, { status: 400, error: PUT_LIMITS }),
  put('/products?name=eq.Cap', { sku: 'A1', name: 'Cap' }, { status: 405, error: PUT_FILTERS }),
  put('/products?sku=not.eq.A1', { sku: 'A1', name: 'Cap' }, { status: 405, error: PUT_FILTERS }),
  put('/products?sku=in.(A1)', { sku: 'A1', name: 'Cap' }, { status: 405, error: PUT_FILTERS }),
  put('/products?and=(sku.eq.A1)', { sku: 'A1', name: 'Cap' }, { status: 405, error: PUT_FILTERS }),
  put('/products', { sku: 'A1', name: 'Cap' }, { status: 405, error: PUT_FILTERS }),
  put('/products?sku=eq.A1&name=eq.Cap', { sku: 'A1', name: 'Cap' }, { status: 405, error: PUT_FILTERS }),
  put(
    '/roles?film_id=eq.1',
    { film_id: 1, actor_id: 1, character: 'X' },
    { status: 405, error: PUT_FILTERS },
  ),
  put(
    '/events?kind=eq.open&n=eq.1',
    { kind: 'open', n: 1 },
    { status: 405, error: PUT_FILTERS },
    { name: 'a table without a key' },
  ),
  put(
    '/products?sku=eq.A1',
    { sku: 'B2', name: 'x', price: 1, stock: 1 },
    { status: 400, error: PUT_DIFFERS },
    { after: { sql: "select name from products where sku = 'B2'", rows: [{ name: 'Hat' }] } },
  ),
  put(
    '/roles?film_id=eq.1&actor_id=eq.1',
    { film_id: 1, actor_id: 2, character: 'X' },
    { status: 400, error: PUT_DIFFERS },
  ),

  // Delete.
  remove(
    '/chores?id=eq.1',
    undefined,
    {
      status: 204,
      text: '',
      headers: { 'content-type': null, 'content-length': null, 'content-range': '*/*' },
    },
    { after: { sql: 'select id from chores order by id', rows: [{ id: 2 }, { id: 3 }] } },
  ),
  remove(
    '/chores?done=is.false',
    undefined,
    { status: 204 },
    { after: { sql: 'select id from chores order by id', rows: [{ id: 1 }, { id: 3 }] } },
  ),
  remove(
    '/chores',
    undefined,
    { status: 204 },
    { name: 'without a filter: all rows', after: { sql: count('chores'), rows: [{ n: 0 }] } },
  ),
  remove('/chores?id=eq.99', undefined, { status: 204, text: '' }),
  remove('/chores?id=eq.1&select=id', undefined, { status: 204, text: '' }),
  removed('/chores?id=eq.1', undefined, [{ id: 1, name: 'sweep', done: true }]),
  removed('/chores?id=eq.1&select=number:id::text,name', undefined, [{ number: '1', name: 'sweep' }]),
  removed('/chores?id=eq.99', undefined, []),
  removed('/chores?id=in.(1,2)&order=id.desc&select=id', undefined, [{ id: 2 }, { id: 1 }]),
  removed('/chores?or=(done.is.null,id.eq.1)&select=id&order=id', undefined, [{ id: 1 }, { id: 3 }]),
  removed('/limited?id=eq.1&select=id,name', undefined, [{ id: 1, name: 'seen' }]),
  removed('/secrets?select=id', undefined, [{ id: 1 }], {
    role: 'authenticated',
    after: { sql: 'select id from secrets', rows: [{ id: 2 }] },
  }),
  removed('/box_office?film_id=eq.1&select=gross&order=gross', undefined, [
    { gross: 500 },
    { gross: 1000.5 },
  ]),
  removed('/ledger_lines?id=eq.3&select=what', undefined, [{ what: 'pen' }]),
  remove(
    '/limited?id=eq.1',
    undefined,
    { status: 401, error: { code: '42501' } },
    { headers: { prefer: REP } },
  ),
  remove('/limited?id=eq.1', undefined, { status: 204, text: '' }),
  remove('/directors?id=eq.1', undefined, {
    status: 409,
    error: {
      code: '23503',
      message:
        'update or delete on table "directors" violates foreign key constraint "films_director_id_fkey" on table "films"',
      details: 'Key (id)=(1) is still referenced from table "films".',
    },
  }),
  remove('/nowhere?id=eq.1', undefined, { status: 404, error: { code: 'PGRST205' } }),
  remove('/chores?nope=eq.1', undefined, {
    status: 400,
    error: { code: '42703', message: 'column chores.nope does not exist' },
  }),
  remove('/per_year?year=eq.1985', undefined, {
    status: 400,
    error: { code: '55000', message: 'cannot delete from view "per_year"' },
  }),
]
