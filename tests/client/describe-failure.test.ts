// Failures shown by apps: supabase-js errors, from real responses of the backend and simulated ones.
import { FunctionsHttpError, FunctionsRelayError, StorageApiError } from '@supabase/supabase-js'
import { describe, expect, test } from 'vitest'
import type { Fault } from '../../backend/faults/index.ts'
import { describeFailure, RequestError } from '../../src/public/index.ts'
import { officialClient, signedIn, startOwnBackend } from '../harness/backend.ts'
import { startClient } from '../harness/client.ts'
import { faultScene } from '../harness/faults.ts'

const backend = await startOwnBackend()
const { given } = faultScene(backend)
const [skipper, nobody] = [await signedIn(backend, 'skipper'), officialClient(backend)]

type Thrown = { readonly error: unknown; readonly status?: number; readonly data?: unknown }
const describeAnswer = async (call: PromiseLike<Thrown>) => {
  const { error, status } = await call
  return describeFailure(error, status)
}

describe('the backend itself', () => {
  const vessels = () => skipper.from('vessels')
  const charts = () => skipper.storage.from('charts')
  const file = new Blob(['x'], { type: 'text/plain' })
  test.each<readonly [string, () => PromiseLike<Thrown>, object]>([
    [
      'a row policy',
      () => vessels().insert({ name: 'Stolen', owner: crypto.randomUUID() }),
      { kind: 'forbidden', code: '42501', status: 403, message: 'A row policy does not allow this.' },
    ],
    [
      'a missing table',
      () => skipper.from('submarines').select(),
      {
        kind: 'notFound',
        code: 'PGRST205',
        status: 404,
        message: expect.stringContaining('table or function does not exist'),
      },
    ],
    [
      'no row where one is expected',
      () => vessels().select().eq('name', 'nobody').single(),
      { kind: 'notFound', code: 'PGRST116', status: 406, message: expect.stringContaining('does not exist') },
    ],
    [
      'several rows where one is expected',
      () => vessels().select().limit(2).single(),
      {
        kind: 'validation',
        code: 'PGRST116',
        status: 406,
        message: 'Several rows were found where one was expected.',
      },
    ],
    [
      'a missing column',
      () => vessels().select('depth_of_soul'),
      { kind: 'validation', code: '42703', status: 400, message: expect.stringContaining('depth_of_soul') },
    ],
    [
      'a missing file',
      () => charts().download('nowhere.txt'),
      {
        kind: 'notFound',
        message: 'This file does not exist, or you are not allowed to see it.',
        code: 'NoSuchKey',
        status: 404,
      },
    ],
    [
      'a bucket policy',
      () => nobody.storage.from('charts').upload('mine.txt', file),
      {
        kind: 'forbidden',
        code: 'AccessDenied',
        status: 403,
        message: 'A policy of this bucket does not allow this.',
      },
    ],
    [
      'a missing function',
      () => skipper.functions.invoke('kraken'),
      {
        kind: 'notFound',
        code: 'NOT_FOUND',
        status: 404,
        message: 'This does not exist, or you are not allowed to see it.',
        body: { code: 'NOT_FOUND', message: 'Requested function was not found' },
      },
    ],
    [
      'a function’s own error, with its body',
      () => skipper.functions.invoke('tide', { body: { port: 'Atlantis' } }),
      {
        kind: 'function',
        status: 404,
        message: 'No tide table for Atlantis',
        body: { error: 'No tide table for Atlantis', ports: expect.any(Array) as unknown },
      },
    ],
    [
      'wrong credentials',
      () => nobody.auth.signInWithPassword({ email: 'skipper@harbour.test', password: 'wrong' }),
      { kind: 'auth', code: 'invalid_credentials', status: 400, message: 'Wrong email or password.' },
    ],
  ])('%s', async (_, call, failure) => {
    expect(await describeAnswer(call())).toEqual(failure)
  })
})

describe('the backend with faults', () => {
  test.each<readonly [string, Fault, () => PromiseLike<Thrown>, object]>([
    [
      'an expired token',
      { id: 'x', do: { token: 'expired' } },
      () => skipper.from('vessels').select(),
      { kind: 'auth', code: 'PGRST303', status: 401 },
    ],
    [
      'an expired token, reported by storage',
      { id: 'x', do: { token: 'expired' } },
      () => skipper.storage.from('charts').list(),
      { kind: 'auth' },
    ],
    [
      'a duplicate value',
      { id: 'x', do: { code: '23505' } },
      () => skipper.from('vessels').select(),
      { kind: 'conflict', code: '23505', status: 409 },
    ],
    [
      'too many requests',
      { id: 'x', do: { status: 429 } },
      () => skipper.from('vessels').select(),
      { kind: 'rateLimit' },
    ],
    ['down', { id: 'x', do: { status: 503 } }, () => skipper.from('vessels').select(), { kind: 'server' }],
    [
      'storage down',
      { id: 'x', do: { status: 503 } },
      () => skipper.storage.from('charts').list(),
      { kind: 'server', status: 503 },
    ],
    [
      'a file that is too large',
      { id: 'x', do: { code: 'EntityTooLarge' } },
      () => skipper.storage.from('charts').upload('large.bin', 'x'),
      { kind: 'storage', code: 'EntityTooLarge', message: 'The file is larger than this bucket accepts.' },
    ],
    [
      'a function that does not start',
      { id: 'x', do: { code: 'BOOT_ERROR' } },
      () => skipper.functions.invoke('tide'),
      { kind: 'function', code: 'BOOT_ERROR', status: 503, faultId: 'x#1' },
    ],
    [
      'a lost connection',
      { id: 'x', do: { lost: 'request' } },
      () => skipper.from('vessels').select(),
      { kind: 'network', message: 'The backend cannot be reached.' },
    ],
    [
      'a lost connection to a function',
      { id: 'x', do: { lost: 'request' } },
      () => skipper.functions.invoke('tide'),
      { kind: 'network', message: 'The backend cannot be reached.' },
    ],
    [
      'a lost connection to storage',
      { id: 'x', do: { lost: 'request' } },
      () => skipper.storage.from('charts').list(),
      { kind: 'network', message: 'The backend cannot be reached.' },
    ],
  ])('%s', async (_, fault, call, failure) => {
    given(fault)
    expect(await describeAnswer(call())).toMatchObject(failure)
  })
})

describe('simulated', () => {
  const rest = (code: string, message = '', details = '') => ({ code, message, details, hint: '' })
  const abort = new DOMException('This operation was aborted', 'AbortError')
  const html = { message: '<html><body>Bad gateway</body></html>' }
  test.each<readonly [string, unknown, number | undefined, object]>([
    ['a policy', rest('42501'), 401, { kind: 'forbidden', status: 401 }],
    [
      'a missing reference',
      rest('23503', 'insert or update on table "a" violates foreign key constraint "a_b_fkey"'),
      409,
      { kind: 'conflict', message: 'The referenced row does not exist (a_b_fkey).' },
    ],
    [
      'a row that others reference',
      rest('23503', 'update or delete on table "b" violates foreign key constraint "a_b_fkey" on table "a"'),
      409,
      { kind: 'conflict', message: 'Other rows reference this (a_b_fkey).' },
    ],
    ['a reference without details', rest('23503'), 409, { kind: 'conflict' }],
    ['two at once', rest('40001'), 500, { kind: 'conflict' }],
    ['a query that takes too long', rest('57014'), 500, { kind: 'timeout' }],
    ['a missing value', rest('23502', 'null value in column "name"'), 400, { kind: 'validation' }],
    ['the app’s own text', rest('P0001', 'The berth is taken.'), 400, { message: 'The berth is taken.' }],
    ['an unknown token', rest('PGRST301'), 401, { kind: 'auth' }],
    ['no connection to the database', rest('PGRST001'), 503, { kind: 'server' }],
    ['an HTML page as response', html, 502, { kind: 'server', message: expect.not.stringContaining('<') }],
    ['an HTML page as rows', html, 200, { kind: 'decode', message: expect.not.stringContaining('<') }],
    ['invalid JSON', new SyntaxError('Unexpected token <'), undefined, { kind: 'decode' }],
    ['a failed fetch', new TypeError('Failed to fetch'), undefined, { kind: 'network' }],
    ['an abort', abort, undefined, { kind: 'aborted', code: 'by_app' }],
    ['an abort reported by REST', rest('', 'AbortError: aborted'), 0, { kind: 'aborted' }],
    ['a timeout', new DOMException('signal timed out', 'TimeoutError'), undefined, { kind: 'timeout' }],
    [
      'a mime type',
      new StorageApiError('bad type', 415, '415'),
      undefined,
      { kind: 'storage', message: 'bad type' },
    ],
    ['a failure', { kind: 'timeout', message: 'Late.' }, undefined, { kind: 'timeout', message: 'Late.' }],
    ['anything else', new Error('boom'), undefined, { kind: 'bug' }],
    ['nothing', undefined, undefined, { kind: 'bug' }],
  ])('%s', async (_, error, status, failure) => {
    expect(await describeFailure(error, status)).toMatchObject(failure)
  })

  test('a function’s response is not consumed; one that was read is described by its status', async () => {
    const response = new Response('no wind', { status: 418, headers: { 'retry-after': '3' } })
    const error = new FunctionsHttpError(response)
    const failure = { kind: 'function', status: 418, message: 'no wind', body: 'no wind', retryAfter: 3 }
    expect(await describeFailure(error)).toEqual(failure)
    expect(await response.text()).toBe('no wind')
    const message = 'The function failed with status 418.'
    expect(await describeFailure(error)).toEqual({ kind: 'function', status: 418, message, retryAfter: 3 })
  })

  test('a relay response is identified as such', async () => {
    const error = new FunctionsRelayError(new Response('', { status: 546 }))
    expect(await describeFailure(error)).toEqual({
      kind: 'function',
      code: 'relay',
      status: 546,
      message: 'The function failed with status 546.',
    })
  })
})

test('our own failures pass through every family unchanged', async () => {
  const { client } = startClient()
  const { supabase } = { supabase: client.with({ access: 'user' }) }
  const failure = {
    kind: 'auth',
    code: 'not_signed_in',
    message: 'Sign in first: this requires a session.',
  }
  const calls = [
    supabase.from('vessels').select(),
    supabase.storage.from('charts').list(),
    supabase.functions.invoke('tide'),
  ]
  expect(await Promise.all(calls.map(describeAnswer))).toEqual([failure, failure, failure])
  const thrown: unknown = await supabase
    .from('vessels')
    .select()
    .throwOnError()
    .then(String, error => error as unknown)
  expect([thrown instanceof RequestError, await describeFailure(thrown)]).toEqual([true, failure])
})

test("server text that only looks like ours is treated as the server's", async () => {
  const details = 'Caused by: ChartroomFailure: {not ours}'
  expect(await describeFailure({ code: '23505', message: 'taken', details, hint: null }, 409)).toEqual({
    kind: 'conflict',
    code: '23505',
    status: 409,
    message: 'This value already exists.',
  })
})
