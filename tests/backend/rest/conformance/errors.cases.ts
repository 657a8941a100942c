// Errors of PostgreSQL, of PostgREST and of functions.
import { refuses, type Case, type Expected } from './case.ts'

const STATUS = 'errors: HTTP status codes'
const POSTGREST = 'errors: PostgREST error codes'
const RAISE = 'errors: RAISE errors with HTTP status codes'
const HEADERS = 'errors: add HTTP headers with RAISE'
const PROXY = 'errors: Proxy-Status header'

/** SQLSTATEs and the statuses that the documentation lists for them. */
const STATUSES: readonly (readonly [state: string, status: number])[] = [
  ['08000', 503],
  ['08006', 503],
  ['09000', 500],
  ['0L000', 403],
  ['0LP01', 403],
  ['0P000', 403],
  ['23503', 409],
  ['23505', 409],
  ['23502', 400],
  ['23514', 400],
  ['23P01', 400],
  ['25006', 405],
  ['25000', 500],
  ['25P02', 500],
  ['28000', 403],
  ['28P01', 403],
  ['2D000', 500],
  ['38000', 500],
  ['39000', 500],
  ['3B001', 500],
  ['40001', 500],
  ['40P01', 500],
  ['53400', 500],
  ['53100', 503],
  ['53300', 503],
  // PostgREST answers 500 to this and to 55000, but the request causes them.
  ['54000', 413],
  ['54001', 500],
  ['55000', 400],
  ['55P03', 500],
  ['57014', 500],
  ['58000', 500],
  ['F0000', 500],
  ['HV000', 500],
  ['P0001', 400],
  ['P0002', 500],
  ['P0004', 500],
  ['XX000', 500],
  ['XX001', 500],
  ['42883', 404],
  ['42P01', 404],
  ['42P17', 500],
  ['42501', 401],
  ['42601', 400],
  ['42703', 400],
  ['22P02', 400],
  ['22012', 400],
  ['21000', 500],
  ['44000', 400],
  ['99999', 400],
  ['PT400', 400],
  ['PT404', 404],
  ['PT409', 409],
  ['PT418', 418],
  ['PT429', 429],
  ['PT503', 503],
]

const refused = (
  section: string,
  line: string,
  expect: Expected,
  rest: Partial<Case['request']> & { name?: string } = {},
): Case => {
  const [method = 'GET', path = ''] = line.split(' ')
  const { name, ...request } = rest
  return { section, ...(name !== undefined && { name }), request: { method, path, ...request }, expect }
}

const NOT_PARSED = `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`
const MESSAGE_HINT =
  "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'."
const DETAIL_HINT =
  "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'."
const DENIED = { code: '42501', message: 'permission denied for table secrets', details: null }

export const ERRORS: readonly Case[] = [
  ...STATUSES.map(([code, status]): Case => ({
    section: STATUS,
    request: { path: `/rpc/fail_with?state=${code}` },
    expect: { status, error: { code, message: `raised ${code}`, details: null, hint: null } },
  })),
  refused(
    STATUS,
    'GET /rpc/fail_with?state=42501',
    { status: 403, error: { code: '42501' } },
    { role: 'authenticated' },
  ),
  refused(STATUS, 'GET /secrets', { status: 401, error: DENIED, headers: { 'www-authenticate': 'Bearer' } }),
  refused(STATUS, 'GET /limited?select=secret', {
    status: 401,
    error: { code: '42501', message: 'permission denied for table limited' },
  }),
  refused(STATUS, 'GET /rpc/private_fn', {
    status: 401,
    error: { code: '42501', message: 'permission denied for function private_fn' },
  }),
  refused(STATUS, 'GET /rpc/private_fn', { status: 200, json: 1 }, { role: 'authenticated' }),
  refused(STATUS, 'GET /secrets?select=id', { status: 200, json: [{ id: 1 }] }, { role: 'authenticated' }),
  refused(
    STATUS,
    'GET /secrets?select=id&order=id',
    { status: 200, json: [{ id: 1 }, { id: 2 }] },
    { role: 'service_role' },
  ),
  refused(STATUS, 'GET /broken_subquery', {
    status: 500,
    error: { code: '21000', message: 'more than one row returned by a subquery used as an expression' },
  }),
  refused(STATUS, 'GET /bumped', {
    status: 405,
    error: { code: '25006', message: 'cannot execute nextval() in a read-only transaction' },
  }),
  refused(STATUS, 'GET /rpc/fail_assert', {
    status: 500,
    error: { code: 'P0004', message: 'assertion failed' },
  }),
  refused(STATUS, 'GET /rpc/fail_no_data', {
    status: 500,
    error: { code: 'P0002', message: 'query returned no rows' },
  }),

  ...refuses(
    POSTGREST,
    [
      '/a/b/c',
      404,
      { code: 'PGRST125', message: 'Invalid path specified in request URL', details: null, hint: null },
    ],
    ['/films/1', 404, { code: 'PGRST125' }],
    ['/rpc/greet/more', 404, { code: 'PGRST125' }],
    [
      '/nowhere',
      404,
      {
        code: 'PGRST205',
        message: "Could not find the table 'public.nowhere' in the schema cache",
        details: null,
      },
    ],
    [
      '/directorz',
      404,
      {
        code: 'PGRST205',
        message: "Could not find the table 'public.directorz' in the schema cache",
        hint: "Perhaps you meant the table 'public.directors'",
      },
    ],
    [
      '/technical_spexx',
      404,
      { code: 'PGRST205', hint: "Perhaps you meant the table 'public.technical_specs'" },
    ],
    ['/qqqqqqqqqqqq', 404, { code: 'PGRST205', hint: null }],
  ),

  refused(
    RAISE,
    'POST /rpc/fail_plain',
    {
      status: 400,
      error: { code: 'P0001', message: 'I refuse!', details: 'Pretty simple', hint: 'Give up.' },
    },
    { body: {} },
  ),
  refused(RAISE, 'GET /rpc/fail_402', {
    status: 402,
    error: { code: 'PT402', message: 'Payment Required', details: 'Quota exceeded', hint: 'Upgrade' },
  }),
  refused(RAISE, 'POST /rpc/fail_402', { status: 402, error: { code: 'PT402' } }, { body: {} }),
  refused(RAISE, 'GET /rpc/fail_bad_pt', {
    status: 500,
    error: { code: 'PT40A', message: 'Wrong', details: null, hint: null },
  }),

  refused(HEADERS, 'GET /rpc/fail_pgrst', {
    status: 402,
    headers: { 'x-powered-by': 'Nerds' },
    error: { code: '123', message: 'Pay first', details: 'Quota exceeded', hint: 'Upgrade' },
  }),
  refused(HEADERS, 'GET /rpc/fail_pgrst_short', {
    status: 419,
    error: { code: '123', message: 'ABC', details: null, hint: null },
  }),
  refused(HEADERS, 'GET /rpc/fail_pgrst_message', {
    status: 500,
    error: {
      code: 'PGRST121',
      message: NOT_PARSED,
      details: "Invalid JSON value for MESSAGE: 'INVALID'",
      hint: MESSAGE_HINT,
    },
  }),
  refused(HEADERS, 'GET /rpc/fail_pgrst_detail', {
    status: 500,
    error: {
      code: 'PGRST121',
      message: NOT_PARSED,
      details: "Invalid JSON value for DETAIL: 'INVALID'",
      hint: DETAIL_HINT,
    },
  }),
  refused(HEADERS, 'GET /rpc/fail_pgrst_missing', {
    status: 500,
    error: {
      code: 'PGRST121',
      message: NOT_PARSED,
      details: 'DETAIL is missing in the RAISE statement',
      hint: DETAIL_HINT,
    },
  }),

  refused(PROXY, 'HEAD /secrets', {
    status: 401,
    text: '',
    headers: { 'proxy-status': 'PostgREST; error=42501' },
  }),
  refused(PROXY, 'HEAD /rpc/fail_402', {
    status: 402,
    text: '',
    headers: { 'proxy-status': 'PostgREST; error=PT402' },
  }),
  refused(PROXY, 'HEAD /rpc/fail_pgrst', {
    status: 402,
    text: '',
    headers: { 'proxy-status': 'PostgREST; error=123' },
  }),
  refused(PROXY, 'GET /films?select=id&id=eq.1', {
    status: 200,
    json: [{ id: 1 }],
    headers: { 'proxy-status': null },
  }),
]
