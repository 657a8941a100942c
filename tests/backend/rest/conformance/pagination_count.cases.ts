// Parts of results, and how many rows there are.
import type { Case, Expected } from './case.ts'

const QUERY = 'pagination_count: query parameters'
const RANGE = 'pagination_count: Range header'
const EXACT = 'pagination_count: exact count'
const PLANNED = 'pagination_count: planned count'
const ESTIMATED = 'pagination_count: estimated count'
const MAX_ROWS = 'configuration: db-max-rows'

type Headers = Readonly<Record<string, string>>

const ids = (...all: readonly number[]) => all.map(id => ({ id }))

function page(
  section: string,
  path: string,
  found: readonly number[],
  range: string | RegExp,
  {
    status = 200,
    headers,
    ...rest
  }: { status?: number; headers?: Headers; name?: string; settings?: Headers; method?: string } = {},
): Case {
  const { method, ...others } = rest
  return {
    section,
    ...others,
    request: { path, ...(headers && { headers }), ...(method !== undefined && { method }) },
    expect: {
      status,
      ...(method === 'HEAD' ? { text: '' } : { json: ids(...found) }),
      headers: { 'content-range': range },
    },
  }
}

function refused(section: string, path: string, headers: Headers, details: string, range?: string): Case {
  const expect: Expected = {
    status: 416,
    error: { code: 'PGRST103', message: 'Requested range not satisfiable', details, hint: null },
    ...(range !== undefined && { headers: { 'content-range': range } }),
  }
  return { section, request: { path, headers }, expect }
}

const ALL = '/films?select=id&order=id'
const exact = { prefer: 'count=exact' }
const NOT_LOWER = 'The lower boundary must be lower than or equal to the upper boundary in the Range header.'
const beyond = (offset: number, rows: number) =>
  `An offset of ${offset} was requested, but there are only ${rows} rows.`

export const PAGINATION_COUNT: readonly Case[] = [
  page(QUERY, ALL, [1, 2, 3, 4, 5, 6], '0-5/*'),
  page(QUERY, `${ALL}&limit=2`, [1, 2], '0-1/*'),
  page(QUERY, `${ALL}&limit=2&offset=3`, [4, 5], '3-4/*'),
  page(QUERY, `${ALL}&offset=4`, [5, 6], '4-5/*'),
  page(QUERY, `${ALL}&limit=100`, [1, 2, 3, 4, 5, 6], '0-5/*'),
  page(QUERY, `${ALL}&limit=0`, [], '*/*'),
  page(QUERY, `${ALL}&offset=0`, [1, 2, 3, 4, 5, 6], '0-5/*'),
  page(QUERY, `${ALL}&offset=-4`, [1, 2, 3, 4, 5, 6], '0-5/*', { name: 'a negative offset is none' }),
  page(QUERY, `${ALL}&offset=50`, [], '*/*', { name: 'beyond the end' }),
  page(QUERY, `${ALL}&id=eq.99`, [], '*/*'),
  page(QUERY, `${ALL}&id=gt.3&limit=1`, [4], '0-0/*'),
  page(QUERY, '/rpc/get_films?select=id&order=id&limit=2&offset=1', [2, 3], '1-2/*'),
  page(QUERY, `${ALL}&limit=3&offset=2`, [], '2-4/*', { method: 'HEAD' }),
  page(QUERY, '/empty_table?select=id&limit=2', [], '*/*'),
  refused(QUERY, `${ALL}&limit=-1`, {}, 'Limit should be greater than or equal to zero.'),

  page(RANGE, ALL, [1, 2], '0-1/*', { headers: { range: '0-1' } }),
  page(RANGE, ALL, [3, 4, 5], '2-4/*', { headers: { range: '2-4', 'range-unit': 'items' } }),
  page(RANGE, ALL, [1], '0-0/*', { headers: { range: '0-0' } }),
  page(RANGE, ALL, [5, 6], '4-5/*', { headers: { range: '4-' }, name: 'open-ended' }),
  page(RANGE, ALL, [5, 6], '4-5/*', { headers: { range: '4-100' }, name: 'longer than the table' }),
  page(RANGE, `${ALL}&limit=3`, [1, 2], '0-1/*', { headers: { range: '0-1' }, name: 'with a limit' }),
  page(RANGE, '/empty_table?select=id', [], '*/*', { headers: { range: '0-1' } }),
  page(RANGE, '/rpc/get_films?select=id&order=id', [2], '1-1/*', { headers: { range: '1-1' } }),
  page(RANGE, ALL, [], '0-5/*', { headers: { range: '1-1' }, method: 'HEAD', name: 'only for GET' }),
  {
    section: RANGE,
    name: 'only for GET',
    request: {
      method: 'POST',
      path: '/rpc/get_films?select=id&order=id',
      headers: { range: '1-1' },
      body: { min_year: 1985 },
    },
    expect: { status: 200, json: ids(2, 3), headers: { 'content-range': '0-1/*' } },
  },
  {
    section: RANGE,
    name: 'only for GET',
    request: {
      method: 'PATCH',
      path: '/festivals?select=id&order=id',
      headers: { range: '1-1', prefer: 'return=representation' },
      body: { year: 1 },
    },
    expect: { status: 200, json: ids(1, 2, 3), headers: { 'content-range': '0-2/*' } },
  },
  {
    section: RANGE,
    name: 'only for GET',
    request: {
      method: 'DELETE',
      path: '/chores?select=id&order=id',
      headers: { range: '1-1', prefer: 'return=representation' },
    },
    expect: { status: 200, json: ids(1, 2, 3) },
  },
  refused(RANGE, ALL, { range: '1-0' }, NOT_LOWER),
  refused(RANGE, '/rpc/get_films', { range: '5-2' }, NOT_LOWER),
  refused(RANGE, ALL, { range: '50-60', ...exact }, beyond(50, 6), '*/6'),
  refused(RANGE, '/empty_table', { range: '1-2', ...exact }, beyond(1, 0), '*/0'),

  page(EXACT, ALL, [1, 2, 3, 4, 5, 6], '0-5/6', { headers: exact }),
  page(EXACT, `${ALL}&limit=2`, [1, 2], '0-1/6', { headers: exact, status: 206 }),
  page(EXACT, `${ALL}&limit=2&offset=4`, [5, 6], '4-5/6', { headers: exact, status: 206 }),
  page(EXACT, `${ALL}&limit=6`, [1, 2, 3, 4, 5, 6], '0-5/6', { headers: exact }),
  page(EXACT, ALL, [2, 3], '1-2/6', { headers: { ...exact, range: '1-2' }, status: 206 }),
  page(EXACT, `${ALL}&year=eq.1985`, [2, 3], '0-1/2', { headers: exact }),
  page(EXACT, `${ALL}&year=eq.1985&limit=1`, [2], '0-0/2', { headers: exact, status: 206 }),
  page(EXACT, `${ALL}&id=eq.99`, [], '*/0', { headers: exact }),
  page(EXACT, '/empty_table?select=id', [], '*/0', { headers: exact }),
  page(EXACT, '/empty_table?select=id&offset=0', [], '*/0', { headers: exact }),
  page(EXACT, `${ALL}&limit=0`, [], '*/6', { headers: exact, status: 206 }),
  page(EXACT, '/film_list?select=id&order=id&limit=1', [1], '0-0/6', {
    headers: exact,
    status: 206,
    name: 'of a view',
  }),
  page(EXACT, '/rpc/get_films?select=id&order=id&limit=1', [1], '0-0/6', {
    headers: exact,
    status: 206,
    name: 'of a function',
  }),
  page(EXACT, '/rpc/get_films?min_year=1985&select=id&order=id', [2, 3], '0-1/2', { headers: exact }),
  page(EXACT, ALL, [], '0-5/6', { headers: exact, method: 'HEAD' }),
  page(EXACT, `${ALL}&limit=2`, [], '0-1/6', { headers: exact, method: 'HEAD', status: 206 }),
  page(EXACT, '/rpc/get_films?select=id&order=id&limit=1&offset=1', [], '1-1/6', {
    headers: exact,
    method: 'HEAD',
    status: 206,
  }),
  page(EXACT, `${ALL}&limit=2`, [1, 2], '0-1/*', {
    headers: { prefer: 'count=none' },
    name: 'an unknown kind',
  }),
  refused(EXACT, `${ALL}&offset=50`, exact, beyond(50, 6), '*/6'),
  refused(EXACT, '/empty_table?offset=1', exact, beyond(1, 0), '*/0'),
  refused(EXACT, '/rpc/get_films?min_year=1985&offset=9', exact, beyond(9, 2), '*/2'),
  ...(
    [
      ['POST', '/festivals', [{ id: 8 }, { id: 9 }], 201, '*/2'],
      ['PATCH', '/festivals?id=lt.3', { year: 1 }, 204, '0-1/2'],
      ['DELETE', '/chores?id=lt.3', undefined, 204, '*/2'],
    ] as const
  ).map(([method, path, body, status, range]): Case => ({
    section: EXACT,
    request: { method, path, headers: exact, ...(body !== undefined && { body }) },
    expect: { status, headers: { 'content-range': range } },
  })),

  page(PLANNED, ALL, [1, 2, 3, 4, 5, 6], /^0-5\/\d+$/, { headers: { prefer: 'count=planned' }, status: 206 }),
  page(ESTIMATED, ALL, [1, 2, 3, 4, 5, 6], '0-5/6', {
    headers: { prefer: 'count=estimated' },
    settings: { db_max_rows: '1000' },
  }),
  page(ESTIMATED, `${ALL}&limit=2`, [1, 2], '0-1/6', {
    headers: { prefer: 'count=estimated' },
    status: 206,
    settings: { db_max_rows: '1000' },
  }),
  page(ESTIMATED, ALL, [], '0-5/6', {
    headers: { prefer: 'count=estimated' },
    method: 'HEAD',
    settings: { db_max_rows: '1000' },
  }),

  page(MAX_ROWS, ALL, [1, 2], '0-1/*', { settings: { db_max_rows: '2' } }),
  page(MAX_ROWS, `${ALL}&limit=1`, [1], '0-0/*', { settings: { db_max_rows: '2' } }),
  page(MAX_ROWS, `${ALL}&limit=5&offset=1`, [2, 3], '1-2/*', { settings: { db_max_rows: '2' } }),
  page(MAX_ROWS, `${ALL}&limit=0`, [], '*/*', { settings: { db_max_rows: '2' } }),
  page(MAX_ROWS, ALL, [1, 2], '0-1/6', { headers: exact, status: 206, settings: { db_max_rows: '2' } }),
  page(MAX_ROWS, '/rpc/get_films?select=id&order=id', [1, 2], '0-1/*', { settings: { db_max_rows: '2' } }),
  {
    section: MAX_ROWS,
    name: 'on all levels',
    settings: { db_max_rows: '1' },
    request: { path: '/directors?select=id,films(id)&order=id&films.order=id' },
    expect: { status: 200, json: [{ id: 1, films: [{ id: 1 }] }] },
  },
  {
    section: MAX_ROWS,
    name: 'not for to-one resources',
    settings: { db_max_rows: '1' },
    request: { path: '/films?select=id,directors(id)&order=id' },
    expect: { status: 200, json: [{ id: 1, directors: { id: 1 } }] },
  },
  {
    section: MAX_ROWS,
    name: 'not for writes',
    settings: { db_max_rows: '1' },
    request: {
      method: 'PATCH',
      path: '/festivals?select=id&order=id',
      body: { year: 1 },
      headers: { prefer: 'return=representation' },
    },
    expect: { status: 200, json: ids(1, 2, 3) },
  },
  {
    section: MAX_ROWS,
    name: 'not for writes',
    settings: { db_max_rows: '1' },
    request: {
      method: 'POST',
      path: '/festivals?select=id',
      body: [{ id: 8 }, { id: 9 }],
      headers: { prefer: 'return=representation' },
    },
    expect: { status: 201, json: ids(8, 9) },
  },
]
