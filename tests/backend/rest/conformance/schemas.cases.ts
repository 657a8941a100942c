// Switching between schemas.
import type { Case, Expected } from './case.ts'

const READ = 'schemas: GET and HEAD'
const OTHER = 'schemas: other methods'
const RESTRICTED = 'schemas: restricted schemas'

const ask = (
  section: string,
  line: string,
  headers: Readonly<Record<string, string>>,
  expect: Expected,
  body?: unknown,
  after?: Case['after'],
): Case => {
  const [method = 'GET', path = ''] = line.split(' ')
  return {
    section,
    request: { method, path, headers, ...(body !== undefined && { body }) },
    expect,
    ...(after && { after }),
  }
}
const FROM = { 'accept-profile': 'archive' }
const TO = { 'content-profile': 'archive' }
const REP = { ...TO, prefer: 'return=representation' }
const named = (schema: string) => ({ headers: { 'content-profile': schema } })
const unexposed = (schema: string): Expected => ({
  status: 406,
  error: {
    code: 'PGRST106',
    message: `Invalid schema: ${schema}`,
    details: null,
    hint: 'Only the following schemas are exposed: public, archive',
  },
})
const missing = (table: string): Expected => ({
  status: 404,
  error: { code: 'PGRST205', message: `Could not find the table '${table}' in the schema cache` },
})

export const SCHEMAS: readonly Case[] = [
  ask(READ, 'GET /items?order=id', FROM, {
    status: 200,
    json: [
      { id: 1, name: 'stored one' },
      { id: 2, name: 'stored two' },
    ],
    ...named('archive'),
  }),
  ask(READ, 'GET /items?select=name,parts(name)&id=eq.1&parts.order=id', FROM, {
    status: 200,
    json: [{ name: 'stored one', parts: [{ name: 'lid' }, { name: 'base' }] }],
  }),
  ask(READ, 'GET /parts?select=name,items(name)&id=eq.1', FROM, {
    status: 200,
    json: [{ name: 'lid', items: { name: 'stored one' } }],
  }),
  ask(READ, 'HEAD /items', FROM, {
    status: 200,
    text: '',
    headers: { 'content-profile': 'archive', 'content-range': '0-1/*' },
  }),
  ask(READ, 'GET /festivals?select=id&id=eq.1', {}, { status: 200, json: [{ id: 1 }], ...named('public') }),
  ask(
    READ,
    'GET /festivals?select=id&id=eq.1',
    { 'accept-profile': 'public' },
    { status: 200, json: [{ id: 1 }], ...named('public') },
  ),
  ask(READ, 'GET /festivals', FROM, missing('archive.festivals')),
  ask(READ, 'GET /items', {}, missing('public.items')),
  ask(READ, 'GET /items', TO, missing('public.items')),
  ask(READ, 'GET /rpc/which', FROM, { status: 200, json: 'archive', ...named('archive') }),
  ask(READ, 'GET /rpc/which', {}, { status: 200, json: 'public', ...named('public') }),
  ask(READ, 'GET /rpc/items_below?id=2', FROM, { status: 200, json: [{ id: 1, name: 'stored one' }] }),
  ask(READ, 'GET /rpc/items_below?id=2&select=name,parts(name)&parts.order=id', FROM, {
    status: 200,
    json: [{ name: 'stored one', parts: [{ name: 'lid' }, { name: 'base' }] }],
  }),
  ask(READ, 'GET /rpc/items_below?id=2', {}, { status: 404, error: { code: 'PGRST202' } }),
  ask(READ, 'GET /rpc/greet', FROM, {
    status: 404,
    error: {
      code: 'PGRST202',
      message: 'Could not find the function archive.greet without parameters in the schema cache',
    },
  }),

  ask(
    OTHER,
    'POST /items',
    REP,
    { status: 201, json: [{ id: 9, name: 'new' }], ...named('archive') },
    { id: 9, name: 'new' },
    { sql: 'select name from archive.items where id = 9', rows: [{ name: 'new' }] },
  ),
  ask(
    OTHER,
    'POST /parts?select=id,items(name)',
    REP,
    { status: 201, json: [{ id: 9, items: { name: 'stored two' } }] },
    { id: 9, item_id: 2 },
  ),
  ask(
    OTHER,
    'POST /items',
    { ...TO, prefer: 'return=headers-only' },
    { status: 201, text: '', headers: { location: '/items?id=eq.9' } },
    { id: 9 },
  ),
  ask(
    OTHER,
    'PATCH /items?id=eq.1',
    REP,
    { status: 200, json: [{ id: 1, name: 'changed' }], ...named('archive') },
    { name: 'changed' },
  ),
  ask(
    OTHER,
    'PUT /items?id=eq.9',
    REP,
    { status: 201, json: [{ id: 9, name: 'put' }], ...named('archive') },
    { id: 9, name: 'put' },
  ),
  ask(OTHER, 'DELETE /parts?id=eq.1', REP, {
    status: 200,
    json: [{ id: 1, item_id: 1, name: 'lid' }],
    ...named('archive'),
  }),
  ask(OTHER, 'POST /rpc/which', TO, { status: 200, json: 'archive', ...named('archive') }, {}),
  ask(OTHER, 'POST /rpc/items_below?select=id', TO, { status: 200, json: [{ id: 1 }] }, { id: 2 }),
  ask(OTHER, 'POST /items', FROM, missing('public.items'), { id: 9 }),
  ask(
    OTHER,
    'POST /festivals?select=id',
    { 'content-profile': 'public', prefer: 'return=representation' },
    { status: 201, json: [{ id: 9 }], ...named('public') },
    { id: 9 },
  ),

  ask(RESTRICTED, 'GET /ledger', { 'accept-profile': 'hidden' }, unexposed('hidden')),
  ask(RESTRICTED, 'GET /films', { 'accept-profile': 'unknown' }, unexposed('unknown')),
  ask(RESTRICTED, 'GET /rpc/which', { 'accept-profile': 'unknown' }, unexposed('unknown')),
  ask(RESTRICTED, 'POST /ledger', { 'content-profile': 'hidden' }, unexposed('hidden'), { id: 9 }),
  ask(RESTRICTED, 'PATCH /films?id=eq.1', { 'content-profile': 'unknown' }, unexposed('unknown'), {
    year: 1,
  }),
  ask(RESTRICTED, 'DELETE /films?id=eq.1', { 'content-profile': 'unknown' }, unexposed('unknown')),
  ask(RESTRICTED, 'POST /rpc/which', { 'content-profile': 'unknown' }, unexposed('unknown'), {}),
  ask(RESTRICTED, 'GET /Films', { 'accept-profile': 'Public' }, unexposed('Public')),
]
