// Formats that functions and aggregates make.
import type { Case, Expected } from './case.ts'

const FUNCTION = 'media_type_handlers: handler function'
const TABLES = 'media_type_handlers: handlers for tables and views'
const OVERRIDING = 'media_type_handlers: overriding a builtin handler'
const ANY = 'media_type_handlers: the "any" handler'

const accepts = (
  section: string,
  accept: string | undefined,
  path: string,
  expect: Expected,
  rest: Partial<Case['request']> = {},
): Case => ({
  section,
  request: { ...rest, path, headers: { ...(accept !== undefined && { accept }), ...rest.headers } },
  expect,
})
const gives = (type: string, text: string): Expected => ({
  status: 200,
  text,
  headers: { 'content-type': type },
})
const unavailable = (type: string): Expected => ({
  status: 406,
  error: {
    code: 'PGRST107',
    message: `None of these media types are available: ${type}`,
    details: null,
    hint: null,
  },
})
const TSV = 'text/tab-separated-values'

export const MEDIA_TYPE_HANDLERS: readonly Case[] = [
  accepts(FUNCTION, 'text/html', '/rpc/page', gives('text/html', '<p>Reels</p>')),
  accepts(FUNCTION, 'text/plain', '/rpc/plain_text', gives('text/plain; charset=utf-8', 'plain words')),
  accepts(FUNCTION, 'application/vnd.reel', '/rpc/reel', gives('application/vnd.reel', 'reel data')),
  accepts(FUNCTION, 'application/vnd.reel', '/rpc/reel', gives('application/vnd.reel', 'reel data'), {
    method: 'POST',
    body: {},
  }),
  accepts(FUNCTION, 'application/vnd.reel', '/rpc/no_reel', gives('application/vnd.reel', '')),
  accepts(FUNCTION, 'application/octet-stream', '/rpc/raw_bytes', gives('application/octet-stream', 'raw')),
  accepts(FUNCTION, 'image/png', '/rpc/picture', {
    status: 200,
    headers: { 'content-type': 'image/png', 'content-length': '4' },
  }),
  accepts(FUNCTION, 'image/png, */*', '/rpc/picture', {
    status: 200,
    headers: { 'content-type': 'image/png' },
  }),
  accepts(
    FUNCTION,
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/png,*/*;q=0.8',
    '/rpc/picture',
    { status: 200, headers: { 'content-type': 'image/png' } },
  ),
  accepts(FUNCTION, 'text/html', '/rpc/plain_text', unavailable('text/html')),
  accepts(FUNCTION, 'text/plain', '/rpc/greet', unavailable('text/plain')),
  accepts(FUNCTION, 'text/plain', '/rpc/plain_twice', unavailable('text/plain')),
  accepts(
    FUNCTION,
    'text/html',
    '/rpc/page',
    { status: 200, text: '', headers: { 'content-type': 'text/html' } },
    { method: 'HEAD' },
  ),

  accepts(TABLES, TSV, '/actors?order=id&id=lt.3', gives(TSV, '1\tCorinne\n2\tSandrine\n')),
  accepts(TABLES, TSV, '/actors?id=eq.7', gives(TSV, '7\tIdle\n')),
  accepts(TABLES, TSV, '/rpc/get_actors?id=eq.3', gives(TSV, '3\tTatsuya\n')),
  accepts(TABLES, TSV, '/films', unavailable(TSV)),
  accepts(TABLES, TSV, '/actors?select=id', unavailable(TSV)),
  accepts(TABLES, TSV, '/actors?select=name,id', unavailable(TSV)),
  accepts(TABLES, TSV, '/actors?select=id,name', unavailable(TSV)),
  accepts(TABLES, 'application/json', '/actors?id=eq.7', { status: 200, json: [{ id: 7, name: 'Idle' }] }),
  accepts(TABLES, `${TSV}, application/json`, '/films?select=id&id=eq.1', { status: 200, json: [{ id: 1 }] }),

  accepts(OVERRIDING, 'text/csv', '/tallies?order=id', gives('text/csv; charset=utf-8', '1;a\n2;b\n')),
  accepts(OVERRIDING, 'text/csv', '/festivals?select=id&id=eq.1', gives('text/csv; charset=utf-8', 'id\n1')),
  accepts(OVERRIDING, 'application/json', '/tallies?id=eq.1', { status: 200, json: [{ id: 1, name: 'a' }] }),
  accepts(OVERRIDING, 'application/json', '/labels', {
    status: 200,
    json: { overridden: true },
    headers: { 'content-type': 'application/json; charset=utf-8' },
  }),
  accepts(OVERRIDING, 'application/vnd.pgrst.object+json', '/labels?id=eq.1', {
    status: 200,
    json: { id: 1, name: 'one' },
  }),

  accepts(ANY, '*/*', '/rpc/anything', gives('application/octet-stream', 'any')),
  accepts(ANY, 'app/bingo', '/rpc/anything', gives('application/octet-stream', 'any')),
  accepts(ANY, 'text/bango', '/rpc/anything', gives('application/octet-stream', 'any')),
  accepts(ANY, 'app/chico', '/rpc/some_type', gives('app/chico', 'chico')),
  accepts(ANY, 'app/harpo', '/rpc/some_type', gives('app/harpo', 'harpo')),
  accepts(ANY, 'text/csv', '/rpc/some_type', {
    status: 406,
    error: { code: 'PT406', message: 'Not Acceptable' },
  }),
]
