// Failure messages: from the database, from storage, from sign-in.
import { StorageApiError } from '@supabase/supabase-js'
import { describe, expect, test } from 'vitest'
import { RequestError } from '../../src/public/index.ts'
import { explainAuthFailure, explainSignedOut } from '../../src/services/workbench/auth/index.ts'
import { checkCredentials } from '../../src/services/workbench/auth/sign-in-fields.ts'
import { explainRest } from '../../src/services/workbench/rest/explain-failure.ts'
import { explainCall } from '../../src/services/workbench/rest/index.ts'

describe('explainRest', () => {
  test.each([
    ['no response', { message: 'Failed to fetch' }, 0, { retry: true }],
    ['a failing server', { message: 'oops' }, 503, { retry: true }],
    [
      'too many requests',
      { message: 'slow down' },
      429,
      { retry: true, message: 'Too many requests. Wait a moment, then try again.' },
    ],
    ['a rejected session', { message: 'JWT expired', code: 'PGRST303' }, 401, { retry: false }],
    [
      'a row policy',
      { message: 'new row violates row-level security', code: '42501' },
      403,
      { retry: false },
    ],
    [
      'a missing value',
      { message: 'null value in column "name" of relation "vessels"', code: '23502' },
      400,
      { retry: false, field: 'name' },
    ],
    [
      'a duplicate value',
      { message: 'duplicate key', code: '23505', details: 'Key (name)=(Fulmar) already exists.' },
      409,
      { retry: false, field: 'name' },
    ],
    [
      'a missing reference',
      { message: 'fk', code: '23503', details: 'Key (vessel)=(9) is not present in table "vessels".' },
      409,
      { retry: false, field: 'vessel' },
    ],
    ['anything else', { message: 'odd', hint: 'try b' }, 400, { retry: false, message: 'odd. try b' }],
    ['a whole sentence', { message: 'Odd.', hint: null }, 400, { retry: false, message: 'Odd.' }],
  ])('%s', async (_name, error, status, expected) => {
    expect(await explainRest(error, status, 'insert')).toMatchObject(expected)
  })

  // As PostgreSQL words them, in rewriteHandler.c.
  test.each([
    [
      'cannot insert into view "sums"',
      '55000',
      'Views containing GROUP BY are not automatically updatable.',
      {
        isReadOnlyView: true,
        message: 'This view cannot be written to. Views containing GROUP BY are not automatically updatable.',
      },
    ],
    [
      'cannot update column "loud" of view "computed"',
      '0A000',
      'View columns that are not columns of their base relation are not updatable.',
      {
        field: 'loud',
        generation: 'generated',
        message: expect.stringMatching(/^This column of the view/) as string,
      },
    ],
    [
      'cannot execute UPDATE in a read-only transaction',
      '0A000',
      '',
      { message: expect.anything() as string },
    ],
  ])('a view that cannot be written to: %s', async (message, code, details, expected) => {
    const failure = await explainRest({ message, code, details }, 400, 'insert')
    expect(failure).toEqual({ retry: expect.any(Boolean) as boolean, ...expected })
  })

  test('a policy failure is explained by the attempted action', async () => {
    const reported = (['read', 'insert', 'update', 'delete'] as const).map(action =>
      explainRest({ message: '', code: '42501' }, 403, action),
    )
    expect(new Set((await Promise.all(reported)).map(({ message }) => message)).size).toBe(4)
  })

  test('a missing privilege is not called a policy, and its statement is shown', async () => {
    const hint =
      'Grant the required privileges to the current role with: GRANT SELECT ON public.todos TO anon;'
    const error = { message: 'permission denied for table todos', code: '42501', hint }
    expect((await explainRest(error, 401, 'read')).message).toBe(
      'Your role has no privilege to read this table, or one of its columns. The owner of the database can run: GRANT SELECT ON public.todos TO anon;',
    )
    expect((await explainRest({ ...error, hint: null }, 401, 'insert')).message).toBe(
      'Your role has no privilege to add rows to this table, or to set one of the columns. It needs a GRANT.',
    )
  })
})

const storage = (status: number, code?: string) =>
  new StorageApiError('As storage said.', 400, String(status), 'storage', code)

test.each([
  [storage(403, 'AccessDenied'), false, /policy of this bucket/],
  [storage(409, 'ResourceAlreadyExists'), false, /already/],
  [storage(404, 'NoSuchKey'), false, /file does not exist/],
  [storage(404, 'NoSuchBucket'), false, /bucket does not exist/],
  [storage(413, 'EntityTooLarge'), false, /larger/],
  [storage(415, 'InvalidMimeType'), false, /^As storage said/],
  [storage(502), true, /502/],
  [storage(429), true, /^Too many requests/],
  [new TypeError('fetch failed'), true, /is not responding/],
  [
    new RequestError({ kind: 'network', code: 'blocked_offline', message: 'You are offline.' }),
    true,
    /offline/,
  ],
  [new RequestError({ kind: 'auth', message: 'The session ended.' }), false, /session ended/],
])('storage: %s', async (problem, retry, text) => {
  expect(await explainCall(problem)).toEqual({ retry, message: expect.stringMatching(text) as string })
})

test.each([
  [{ kind: 'network', message: 'x' } as const, /is not responding/],
  [{ kind: 'timeout', message: 'x' } as const, /too long/],
  [{ kind: 'server', status: 503, message: 'x' } as const, /\(503\)/],
  [{ kind: 'aborted', message: 'x' } as const, /closed before/],
  [{ kind: 'rateLimit', message: 'x', retryAfter: 11.2 } as const, /in 12 s\.$/],
  [{ kind: 'rateLimit', message: 'x', retryAfter: 1500 } as const, /in 25 min\.$/],
  [{ kind: 'rateLimit', message: 'x' } as const, /Wait a little/],
  [{ kind: 'server', status: 503, message: 'x', retryAfter: 3 } as const, /\(503\)\. Try again in 3 s\.$/],
  [{ kind: 'validation', code: 'new_code', message: 'As the server said.' } as const, /As the server said/],
])('sign-in: %j', (failure, text) => {
  expect(explainAuthFailure(failure)).toMatch(text)
})

test('a first visit needs no reason, every other missing session has one', () => {
  expect(explainSignedOut('never')).toBe(undefined)
  expect(explainSignedOut('userLocal')).toBe('Signed out.')
  expect(explainSignedOut('remoteRevoked')).toBe('Your session was ended elsewhere. Sign in again.')
  expect(explainSignedOut('corrupt')).toMatch(/could not be read/)
})

test.each([
  ['signIn', { email: '', password: '' }, ['email', 'password']],
  ['signIn', { email: 'a@b.test', password: 'x' }, []],
  ['signUp', { email: 'a@b.test', password: 'short' }, ['password']],
] as const)('%s form with %j is wrong in %j', (mode, typed, fields) => {
  expect(Object.keys(checkCredentials(typed, mode))).toEqual(fields)
})
