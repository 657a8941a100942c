// Access modes, settings of a request, and what a transaction may change in the response.
import { reads, refuses, type Case, type Expected } from './case.ts'

const ACCESS = 'transactions: access mode'
const ISOLATION = 'transactions: isolation level'
const HEADERS = 'transactions: request headers, cookies and claims'
const PATH = 'transactions: request path and method'
const ROLE = 'transactions: request role and search path'
const RESPONSE_HEADERS = 'transactions: response headers'
const RESPONSE_STATUS = 'transactions: response status'
const HOISTED = 'transactions: hoisted function settings'
const IMPERSONATED = 'transactions: impersonated role settings'
const PRE_REQUEST = 'transactions: pre-request'
const ABORTED = 'transactions: aborting transactions'

const ask = (
  section: string,
  line: string,
  expect: Expected,
  rest: Partial<Case['request']> & { after?: Case['after'] } = {},
): Case => {
  const [method = 'GET', path = ''] = line.split(' ')
  const { after, ...request } = rest
  return { section, request: { method, path, ...request }, expect, ...(after && { after }) }
}
const BAD_HEADERS = {
  code: 'PGRST111',
  message:
    'response.headers guc must be a JSON array composed of objects with a single key and a string value',
  details: null,
  hint: null,
}
const before = (line: string, expect: Expected, rest: Partial<Case['request']> = {}): Case => ({
  ...ask(PRE_REQUEST, line, expect, rest),
  settings: { db_pre_request: 'public.before_request' },
})
const BEFORE = { headers: { 'x-before': 'yes' } }
const DENIED: Expected = { status: 403, error: { code: 'PT403', message: 'Denied' } }
const READ_ONLY: Expected = { status: 405, error: { code: '25006' } }

export const TRANSACTIONS: readonly Case[] = [
  ...reads(ACCESS, ['/rpc/read_only', 'on'], ['/rpc/read_write', 'on']),
  ask(ACCESS, 'POST /rpc/read_only', { status: 200, json: 'on' }, { body: {} }),
  ask(ACCESS, 'POST /rpc/read_write', { status: 200, json: 'off' }, { body: {} }),
  ask(ACCESS, 'GET /rpc/sneaky_write', READ_ONLY),
  ask(ACCESS, 'POST /rpc/sneaky_write', READ_ONLY, { body: {} }),
  ask(ACCESS, 'GET /rpc/drop_roles?below=9', READ_ONLY, {
    after: { sql: 'select count(*)::int as n from roles', rows: [{ n: 7 }] },
  }),
  ask(ACCESS, 'HEAD /rpc/drop_roles?below=9', {
    status: 405,
    text: '',
    headers: { 'proxy-status': 'PostgREST; error=25006' },
  }),
  ask(ACCESS, 'HEAD /bumped', { status: 405, text: '' }),

  ask(ISOLATION, 'POST /rpc/isolation', { status: 200, json: 'read committed' }, { body: {} }),
  ask(ISOLATION, 'POST /rpc/isolation_serial', { status: 200, json: 'serializable' }, { body: {} }),
  ask(
    IMPERSONATED,
    'GET /rpc/setting?name=lock_timeout',
    { status: 200, json: '7s' },
    { role: 'service_role' },
  ),
  ask(
    IMPERSONATED,
    'POST /rpc/isolation',
    { status: 200, json: 'repeatable read' },
    { role: 'service_role', body: {} },
  ),
  ask(
    IMPERSONATED,
    'POST /rpc/isolation',
    { status: 200, json: 'read committed' },
    { role: 'authenticated', body: {} },
  ),

  {
    ...ask(PRE_REQUEST, 'GET /films?select=id&id=eq.1', { status: 200, json: [{ id: 1 }], ...BEFORE }),
    name: 'found in the search path',
    settings: { db_pre_request: 'before_request' },
  },
  before('GET /films?select=id&id=eq.1', { status: 200, json: [{ id: 1 }], ...BEFORE }),
  before('HEAD /films', { status: 200, text: '', ...BEFORE }),
  before('POST /festivals', { status: 201, text: '', ...BEFORE }, { body: { id: 9 } }),
  before('PATCH /festivals?id=eq.1', { status: 204, text: '', ...BEFORE }, { body: { year: 1 } }),
  before(
    'PUT /CamelCase?userId=eq.1',
    { status: 204, text: '', ...BEFORE },
    { body: { userId: 1, fullName: 'Uno' } },
  ),
  before('DELETE /chores?id=eq.1', { status: 204, text: '', ...BEFORE }),
  before(
    'GET /rpc/setting?name=app.seen',
    { status: 200, json: 'by authenticated', ...BEFORE },
    { role: 'authenticated' },
  ),
  before('GET /films', DENIED, { headers: { 'x-deny': '1' } }),
  before('POST /rpc/greet', DENIED, { headers: { 'x-deny': '1' }, body: {} }),
  {
    ...before('DELETE /chores', DENIED, { headers: { 'x-deny': '1' } }),
    after: { sql: 'select count(*)::int as n from chores', rows: [{ n: 3 }] },
  },

  ask(HOISTED, 'POST /rpc/timeout_of_4s', { status: 200, json: '4s' }, { body: {} }),

  ask(
    HEADERS,
    'GET /rpc/header?name=x-custom',
    { status: 200, json: 'test' },
    { headers: { 'X-Custom': 'test' } },
  ),
  ask(
    HEADERS,
    'POST /rpc/header',
    { status: 200, json: 'agent' },
    { headers: { 'User-Agent': 'agent' }, body: { name: 'user-agent' } },
  ),
  ask(
    HEADERS,
    'GET /rpc/header?name=prefer',
    { status: 200, json: 'count=exact' },
    { headers: { Prefer: 'count=exact' } },
  ),
  ask(HEADERS, 'GET /rpc/header?name=missing', { status: 200, json: null }),
  ask(HEADERS, 'GET /rpc/cookie?name=a', { status: 200, json: 'one' }, { headers: { cookie: 'a=one' } }),
  ask(
    HEADERS,
    'GET /rpc/cookie?name=b',
    { status: 200, json: 'two' },
    { headers: { cookie: 'a=one;b=two' } },
  ),
  ask(
    HEADERS,
    'GET /rpc/cookie?name=c',
    { status: 200, json: null },
    { headers: { cookie: 'a=one; b=two' } },
  ),
  ask(HEADERS, 'GET /rpc/header?name=cookie', { status: 200, json: null }, { headers: { cookie: 'a=one' } }),
  ask(
    HEADERS,
    'GET /rpc/claim?name=email',
    { status: 200, json: 'ann@example.com' },
    { role: 'authenticated' },
  ),
  ask(HEADERS, 'GET /rpc/claim?name=sub', { status: 200, json: '1' }, { role: 'authenticated' }),
  ask(HEADERS, 'GET /rpc/claim?name=nested', { status: 200, json: '{"a":[1]}' }, { role: 'authenticated' }),
  ask(HEADERS, 'GET /rpc/claim?name=role', { status: 200, json: 'authenticated' }, { role: 'authenticated' }),
  ask(HEADERS, 'GET /rpc/claim?name=role', { status: 200, json: 'anon' }),

  ask(PATH, 'GET /rpc/setting?name=request.method', { status: 200, json: 'GET' }),
  ask(PATH, 'POST /rpc/setting', { status: 200, json: 'POST' }, { body: { name: 'request.method' } }),
  ask(PATH, 'GET /rpc/setting?name=request.path', { status: 200, json: '/rpc/setting' }),
  ask(PATH, 'POST /rpc/setting', { status: 200, json: '/rpc/setting' }, { body: { name: 'request.path' } }),

  ask(ROLE, 'GET /rpc/who', { status: 200, json: 'anon' }),
  ask(ROLE, 'GET /rpc/who', { status: 200, json: 'authenticated' }, { role: 'authenticated' }),
  ask(ROLE, 'GET /rpc/who', { status: 200, json: 'service_role' }, { role: 'service_role' }),
  ask(ROLE, 'GET /rpc/setting?name=role', { status: 200, json: 'anon' }),
  ask(
    ROLE,
    'POST /rpc/setting',
    { status: 200, json: 'authenticated' },
    { role: 'authenticated', body: { name: 'role' } },
  ),

  ask(RESPONSE_HEADERS, 'GET /rpc/with_headers?num=1', {
    status: 200,
    json: 1,
    headers: { 'x-test': 'a=1; b', 'x-test-2': 'c' },
  }),
  ask(
    RESPONSE_HEADERS,
    'POST /rpc/with_headers',
    { status: 200, json: 1, headers: { 'x-test': 'a=1; b', 'x-test-2': 'c' } },
    { body: { num: 1 } },
  ),
  ask(RESPONSE_HEADERS, 'GET /rpc/cached?select=id&id=eq.1', {
    status: 200,
    json: [{ id: 1 }],
    headers: { 'cache-control': 'public' },
  }),
  ask(RESPONSE_HEADERS, 'GET /rpc/two_cookies', {
    status: 204,
    text: '',
    headers: { 'set-cookie': 'a=1; Path=/, b=2', 'content-type': null },
  }),
  ask(
    RESPONSE_HEADERS,
    'POST /watched',
    { status: 201, text: '', headers: { location: '/watched?id=eq.2&by=trigger' } },
    { body: { id: 2, name: 'x' } },
  ),
  ...refuses(
    RESPONSE_HEADERS,
    ['/rpc/bad_headers_1', 500, BAD_HEADERS],
    ['/rpc/bad_headers_2', 500, BAD_HEADERS],
    ['/rpc/bad_headers_3', 500, BAD_HEADERS],
  ),
  ask(RESPONSE_HEADERS, 'POST /rpc/bad_headers_1', { status: 500, error: BAD_HEADERS }, { body: {} }),

  ask(
    RESPONSE_STATUS,
    'POST /rpc/teapot',
    { status: 418, json: { message: 'Short and stout.' } },
    { body: {} },
  ),
  ask(RESPONSE_STATUS, 'GET /rpc/forbidden_body', {
    status: 403,
    json: { message: 'no' },
    headers: { 'content-type': 'application/json; charset=utf-8' },
  }),
  ask(
    RESPONSE_STATUS,
    'PATCH /watched?id=eq.1',
    { status: 205, text: '', headers: { 'x-watched': 'yes' } },
    { body: { name: 'changed' } },
  ),
  ask(RESPONSE_STATUS, 'GET /rpc/bad_status', {
    status: 500,
    error: {
      code: 'PGRST112',
      message: 'response.status guc must be a valid status code',
      details: null,
      hint: null,
    },
  }),

  ask(
    ABORTED,
    'POST /shifts',
    {
      status: 409,
      error: {
        code: '23505',
        message: 'duplicate key value violates unique constraint "shift_name"',
        details: 'Key (name)=(same) already exists.',
      },
    },
    {
      body: [
        { id: 7, name: 'same' },
        { id: 8, name: 'same' },
      ],
      after: { sql: 'select count(*)::int as n from shifts', rows: [{ n: 1 }] },
    },
  ),
  ask(
    ABORTED,
    'POST /rpc/late_conflict',
    { status: 409, error: { code: '23505' } },
    { body: {}, after: { sql: 'select count(*)::int as n from shifts', rows: [{ n: 1 }] } },
  ),
  ask(
    ABORTED,
    'POST /shifts?select=id',
    { status: 409, error: { code: '23505' } },
    { body: { id: 7, name: 'early' }, headers: { prefer: 'return=representation' } },
  ),
]
