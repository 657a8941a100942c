// What a request is for, its range, its preferences and its media types.
import { describe, expect, it } from 'vitest'
import type { Action, MediaType, Preferences, Range } from '../../../../backend/rest/request/index.ts'
import { mediaTypeName } from '../../../../backend/rest/request/index.ts'
import { read, refusalOf } from './read.ts'
import type { Sent } from './read.ts'

const json = { 'content-type': 'application/json' }

it.each<[method: string, path: string, action: Action, settings?: Sent['settings']]>([
  ['GET', '/items', { kind: 'read', table: 'items', isHead: false }],
  ['HEAD', '/items', { kind: 'read', table: 'items', isHead: true }],
  ['POST', '/items', { kind: 'insert', table: 'items' }],
  ['PATCH', '/items', { kind: 'update', table: 'items' }],
  ['PUT', '/items', { kind: 'upsert', table: 'items' }],
  ['DELETE', '/items', { kind: 'delete', table: 'items' }],
  ['OPTIONS', '/items', { kind: 'options', of: { table: 'items' } }],
  ['GET', '/rpc/add', { kind: 'call', function: 'add', via: 'GET' }],
  ['HEAD', '/rpc/add', { kind: 'call', function: 'add', via: 'HEAD' }],
  ['POST', '/rpc/add', { kind: 'call', function: 'add', via: 'POST' }],
  ['OPTIONS', '/rpc/add', { kind: 'options', of: { function: 'add' } }],
  ['GET', '/', { kind: 'root', isHead: false }],
  ['GET', '', { kind: 'root', isHead: false }],
  ['HEAD', '/', { kind: 'root', isHead: true }],
  ['OPTIONS', '/', { kind: 'options', of: 'root' }],
  ['GET', '/', { kind: 'call', function: 'home', via: 'GET' }, { rootFunction: 'home' }],
  ['OPTIONS', '/', { kind: 'options', of: { function: 'home' } }, { rootFunction: 'home' }],
  ['GET', '/rpc', { kind: 'read', table: 'rpc', isHead: false }],
  ['GET', '/Escap3e;', { kind: 'read', table: 'Escap3e;', isHead: false }],
  ['GET', '/%D9%85', { kind: 'read', table: 'م', isHead: false }],
  ['GET', '/a%2Fb+c', { kind: 'read', table: 'a/b+c', isHead: false }],
  ['GET', '/__proto__', { kind: 'read', table: '__proto__', isHead: false }],
  ['GET', '/%FF', { kind: 'read', table: '\uFFFD', isHead: false }],
])('%s %s', async (method, path, action, settings) => {
  const body =
    method === 'POST' || method === 'PATCH' || method === 'PUT' ? { body: '{}', headers: json } : {}
  const request = await read(path, { method, ...body, ...(settings && { settings }) })
  expect(request.action).toEqual(action)
  expect(request.path).toBe(path || '/')
  expect(request.method).toBe(method)
})

it.each<[path: string, sent: Sent, error: object]>([
  [
    '/first/second/third',
    {},
    { status: 404, code: 'PGRST125', message: 'Invalid path specified in request URL' },
  ],
  ['/items/', {}, { status: 404, code: 'PGRST125' }],
  ['/rpc/a/b', {}, { status: 404, code: 'PGRST125' }],
  ['//items', {}, { status: 404, code: 'PGRST125' }],
  [
    '/',
    { settings: { openApi: 'disabled' } },
    { status: 404, code: 'PGRST126', message: 'Root endpoint metadata is disabled' },
  ],
  ['/', { settings: { openApi: 'disabled', rootFunction: 'f' } }, { status: 404, code: 'PGRST126' }],
  ['/', { method: 'DELETE' }, { status: 405, code: 'PGRST117', message: 'Unsupported HTTP method: DELETE' }],
  [
    '/items',
    { method: 'FETCH' },
    { status: 405, code: 'PGRST117', message: 'Unsupported HTTP method: FETCH' },
  ],
  [
    '/rpc/sayhello',
    { method: 'DELETE' },
    { status: 405, code: 'PGRST101', message: 'Cannot use the DELETE method on RPC' },
  ],
  [
    '/rpc/sayhello',
    { method: 'PATCH' },
    { status: 405, code: 'PGRST101', message: 'Cannot use the PATCH method on RPC' },
  ],
  ['/', { method: 'PUT', settings: { rootFunction: 'f' } }, { status: 405, code: 'PGRST101' }],
])('refuses %s %o', async (path, sent, error) => {
  expect(await refusalOf(path, sent)).toMatchObject(error)
})

describe('the schema', () => {
  const two = { schemas: ['v1', 'v2'] }

  it.each<[sent: Sent, schema: string, namesSchema: boolean]>([
    [{}, 'public', false],
    [{ settings: two }, 'v1', true],
    [{ settings: two, headers: { 'accept-profile': 'v2' } }, 'v2', true],
    [{ settings: two, headers: { 'content-profile': 'v2' } }, 'v1', true],
    [{ headers: { 'accept-profile': 'public' } }, 'public', true],
    [{ settings: two, method: 'DELETE', headers: { 'content-profile': 'v2' } }, 'v2', true],
    [{ settings: two, method: 'DELETE', headers: { 'accept-profile': 'v2' } }, 'v1', true],
    [{ settings: two, method: 'OPTIONS', headers: { 'accept-profile': 'v2' } }, 'v2', true],
    [{ settings: { schemas: ['é'] }, headers: { 'accept-profile': '\u00C3\u00A9' } }, 'é', true],
  ])('of %o is %s', async (sent, schema, namesSchema) => {
    expect(await read('/items', sent)).toMatchObject({ schema, namesSchema })
  })

  it.each<Sent>([
    { headers: { 'accept-profile': 'unknown' } },
    { method: 'POST', body: '{}', headers: { 'content-profile': 'unknown' } },
  ])('must be served: %o', async sent => {
    expect(await refusalOf('/items', { ...sent, settings: two })).toEqual({
      status: 406,
      code: 'PGRST106',
      message: 'Invalid schema: unknown',
      hint: 'Only the following schemas are exposed: v1, v2',
    })
  })
})

describe('the range', () => {
  it.each<[query: string, header: string | undefined, range: Range]>([
    ['', undefined, { offset: 0, limit: undefined }],
    ['limit=5', undefined, { offset: 0, limit: 5 }],
    ['offset=5', undefined, { offset: 5, limit: undefined }],
    ['limit=5&offset=10', undefined, { offset: 10, limit: 5 }],
    ['limit=0', undefined, { offset: 0, limit: 0 }],
    ['limit=0', '0-9', { offset: 0, limit: 0 }],
    ['limit=abc', undefined, { offset: 0, limit: undefined }],
    ['offset=abc&limit=2', undefined, { offset: 0, limit: 2 }],
    ['offset=-5', undefined, { offset: 0, limit: undefined }],
    ['limit=1&limit=2', undefined, { offset: 0, limit: 2 }],
    ['limit= 3 ', undefined, { offset: 0, limit: 3 }],
    ['limit=99999999999999999999999', undefined, { offset: 0, limit: 2 ** 63 }],
    ['', '0-4', { offset: 0, limit: 5 }],
    ['', '5-', { offset: 5, limit: undefined }],
    ['', '0-0', { offset: 0, limit: 1 }],
    ['', 'items=0-4', { offset: 0, limit: undefined }],
    ['', '-5', { offset: 0, limit: undefined }],
    ['limit=3', '0-9', { offset: 0, limit: 3 }],
    ['limit=10&offset=2', '0-4', { offset: 2, limit: 3 }],
    ['rel.limit=2', undefined, { offset: 0, limit: undefined }],
  ])('of %s with %s', async (query, header, range) => {
    const request = await read(`/items?${query}`, header === undefined ? {} : { headers: { range: header } })
    expect(request.range).toEqual(range)
  })

  it.each(['HEAD', 'DELETE'])('does not come from the header for %s', async method => {
    const { range } = await read('/items', { method, headers: { range: '1-2' } })
    expect(range).toEqual({ offset: 0, limit: undefined })
  })

  it('of embedded resources', async () => {
    const { query } = await read('/items?rel.limit=2&rel.offset=3&rel.sub.limit=1&limit=7&x.offset=4')
    expect(new Map(query.ranges.map(({ path, value }) => [path.join('/'), value]))).toEqual(
      new Map([
        ['rel', { offset: 3, limit: 2 }],
        ['rel/sub', { offset: 0, limit: 1 }],
        ['', { offset: 0, limit: 7 }],
        ['x', { offset: 4, limit: undefined }],
      ]),
    )
  })

  const NEGATIVE = 'Limit should be greater than or equal to zero.'

  it.each<[query: string, header: string | undefined, details: string]>([
    ['limit=-1', undefined, NEGATIVE],
    ['limit=0&offset=5', undefined, NEGATIVE],
    ['offset=10', '0-4', NEGATIVE],
    ['', '1-0', 'The lower boundary must be lower than or equal to the upper boundary in the Range header.'],
  ])('is refused if nothing is in it: %s with %s', async (query, header, details) => {
    const sent = header === undefined ? {} : { headers: { range: header } }
    expect(await refusalOf(`/items?${query}`, sent)).toEqual({
      status: 416,
      code: 'PGRST103',
      message: 'Requested range not satisfiable',
      details,
    })
  })

  it.each(['limit=1', 'offset=1', 'limit=0'])('is refused for PUT: %s', async query => {
    expect(await refusalOf(`/items?${query}`, { method: 'PUT', body: '{}', headers: json })).toEqual({
      status: 400,
      code: 'PGRST114',
      message: 'limit/offset querystring parameters are not allowed for PUT',
    })
  })
})

describe('preferences', () => {
  const none: Preferences = {
    resolution: undefined,
    return: undefined,
    count: undefined,
    tx: undefined,
    missing: undefined,
    handling: undefined,
    timezone: undefined,
    maxAffected: undefined,
    unknown: [],
  }

  it.each<[prefer: string | readonly string[], preferences: Partial<Preferences>]>([
    [[], {}],
    ['', {}],
    [
      'resolution=ignore-duplicates, count=exact, timezone=America/Los_Angeles, max-affected=100',
      { resolution: 'ignore-duplicates', count: 'exact', timezone: 'America/Los_Angeles', maxAffected: 100 },
    ],
    [
      [
        'resolution=ignore-duplicates',
        'count=exact',
        'missing=null',
        'handling=lenient',
        'invalid',
        'max-affected=5999',
      ],
      {
        resolution: 'ignore-duplicates',
        count: 'exact',
        missing: 'null',
        handling: 'lenient',
        maxAffected: 5999,
        unknown: ['invalid'],
      },
    ],
    ['tx=commit, tx=rollback', { tx: 'commit' }],
    [['resolution=ignore-duplicates', 'resolution=merge-duplicates'], { resolution: 'ignore-duplicates' }],
    [
      'count=exact,    tx=commit   ,return=representation , missing=default, handling=strict, anything',
      {
        count: 'exact',
        tx: 'commit',
        return: 'representation',
        missing: 'default',
        handling: 'strict',
        unknown: ['anything'],
      },
    ],
    ['return=minimal', { return: 'minimal' }],
    ['return=headers-only', { return: 'headers-only' }],
    ['count=planned', { count: 'planned' }],
    ['count=estimated', { count: 'estimated' }],
    ['count=none, count=exact', { count: 'exact', unknown: ['count=none'] }],
    ['something, else', { unknown: ['something', 'else'] }],
    ['max-affected=x', {}],
    ['Return=minimal', { unknown: ['Return=minimal'] }],
    ['params=single-object', { unknown: ['params=single-object'] }],
    ['constructor, __proto__=x', { unknown: ['constructor', '__proto__=x'] }],
  ])('of %o', async (prefer, preferences) => {
    const headers = new Headers()
    for (const value of [prefer].flat()) headers.append('prefer', value)
    expect((await read('/items', { headers })).prefer).toEqual({ ...none, ...preferences })
  })

  it.each(['commit', 'rollback'] as const)('tx is not heeded if transactions always %s', async txEnd => {
    const { prefer } = await read('/items', { headers: { prefer: 'tx=rollback' }, settings: { txEnd } })
    expect(prefer).toEqual(none)
  })
})

describe('media types', () => {
  const plan = (parts: object): MediaType => ({
    kind: 'plan',
    of: { kind: 'json' },
    format: 'text',
    options: [],
    ...parts,
  })

  it.each<[accept: string | undefined, types: MediaType[]]>([
    [undefined, [{ kind: 'any' }]],
    ['*/*', [{ kind: 'any' }]],
    ['application/json', [{ kind: 'json' }]],
    ['application/json; charset=utf-8', [{ kind: 'json' }]],
    ['Application/JSON', [{ kind: 'json' }]],
    ['application/geo+json', [{ kind: 'geojson' }]],
    ['text/csv', [{ kind: 'csv' }]],
    ['text/plain', [{ kind: 'text' }]],
    ['text/xml', [{ kind: 'xml' }]],
    ['application/openapi+json', [{ kind: 'openapi' }]],
    ['application/x-www-form-urlencoded', [{ kind: 'form' }]],
    ['application/octet-stream', [{ kind: 'bytes' }]],
    ['application/vnd.pgrst.object+json', [{ kind: 'object', stripsNulls: false }]],
    ['application/vnd.pgrst.object', [{ kind: 'object', stripsNulls: false }]],
    ['ApplicatIon/vnd.PgRsT.object+json', [{ kind: 'object', stripsNulls: false }]],
    ['application/vnd.pgrst.object+json;nulls=stripped', [{ kind: 'object', stripsNulls: true }]],
    ['application/vnd.pgrst.object+json; NULLS=stripped', [{ kind: 'object', stripsNulls: true }]],
    ['application/vnd.pgrst.array+json;nulls=stripped', [{ kind: 'array', stripsNulls: true }]],
    ['application/vnd.pgrst.array+json', [{ kind: 'json' }]],
    ['application/vnd.pgrst.array', [{ kind: 'json' }]],
    ['application/vnd.pgrst.plan', [plan({})]],
    ['application/vnd.pgrst.plan;', [plan({})]],
    ['application/vnd.pgrst.plan;for="application/json"', [plan({})]],
    [
      'application/vnd.pgrst.plan ; for="text/xml" ; options=analyze',
      [plan({ of: { kind: 'xml' }, options: ['analyze'] })],
    ],
    ['application/vnd.pgrst.plan+json;for="text/csv"', [plan({ of: { kind: 'csv' }, format: 'json' })]],
    [
      'application/vnd.pgrst.plan+text; for="text/xml"; options=wal|analyze|verbose|settings|buffers',
      [plan({ of: { kind: 'xml' }, options: ['analyze', 'verbose', 'settings', 'buffers', 'wal'] })],
    ],
    [
      'application/vnd.pgrst.plan; for="application/vnd.pgrst.object+json;nulls=stripped"',
      [plan({ of: { kind: 'object', stripsNulls: true } })],
    ],
    ['application/vnd.twkb', [{ kind: 'other', name: 'application/vnd.twkb' }]],
    ['text/unknowntype', [{ kind: 'other', name: 'text/unknowntype' }]],
    ['unknown', [{ kind: 'other', name: 'unknown' }]],
    ['text/csv, application/json', [{ kind: 'csv' }, { kind: 'json' }]],
    ['text/csv;q=0.5, application/json', [{ kind: 'json' }, { kind: 'csv' }]],
    ['*/*, text/csv', [{ kind: 'csv' }, { kind: 'any' }]],
    ['text/*;q=0.1,*/*;q=0.2', [{ kind: 'any' }, { kind: 'other', name: 'text/*' }]],
    [
      'text/plain; q=0.5, text/xml, text/x-dvi; q=0.8, text/csv',
      [{ kind: 'xml' }, { kind: 'csv' }, { kind: 'other', name: 'text/x-dvi' }, { kind: 'text' }],
    ],
  ])('accepts %s', async (accept, types) => {
    const request = await read('/items', accept === undefined ? {} : { headers: { accept } })
    expect(request.accept).toEqual(types)
  })

  it.each([
    'application/json',
    'text/csv',
    '*/*',
    'application/vnd.twkb',
    'application/vnd.pgrst.object+json;nulls=stripped',
    'application/vnd.pgrst.array+json;nulls=stripped',
    'application/vnd.pgrst.plan+json; for="application/vnd.pgrst.object+json"; options=analyze|wal',
  ])('names %s', async name => {
    const { contentType } = await read('/items', { headers: { 'content-type': name } })
    expect(mediaTypeName(contentType)).toBe(name)
  })
})

it('has headers without cookies, and the cookies', async () => {
  const request = await read('/items', {
    headers: { 'X-Custom': 'Value', cookie: 'a=a1;b=b2; c=c=3; d', accept: '*/*' },
  })
  expect(request.headers).toEqual({ 'x-custom': 'Value', accept: '*/*' })
  expect(request.cookies).toEqual({ a: 'a1', b: 'b2', c: 'c=3', d: '' })
})
