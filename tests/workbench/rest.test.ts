// The workbench's REST client: responses, refusals, and how a backend describes its schemas.
import { describe, expect, test } from 'vitest'
import type { ChartroomClient } from '../../src/public/index.ts'
import { callRest, describeSchema, sendRest } from '../../src/services/workbench/rest/rest.ts'

const responding =
  (body: string, init: ResponseInit = {}) =>
  () =>
    Promise.resolve(new Response(body, init))
const unreachable = () => Promise.reject(new TypeError('fetch failed'))

describe('sendRest', () => {
  test('returns the text and the total', async () => {
    const headers = { 'content-range': '0-1/42' }
    expect(await sendRest(responding('[1]', { headers }), '/rest/v1/t', {})).toEqual({
      ok: true,
      text: '[1]',
      total: 42,
      applied: '',
    })
    expect(await sendRest(responding('[]', { headers: { 'content-range': '*/*' } }), '/x', {})).toMatchObject(
      {
        total: null,
      },
    )
  })

  test('returns the error of PostgREST', async () => {
    const error = { message: 'No.', code: '42501', details: null, hint: 'Ask.' }
    expect(await sendRest(responding(JSON.stringify(error), { status: 403 }), '/x', {})).toEqual({
      ok: false,
      status: 403,
      error: { message: 'No.', code: '42501', details: '', hint: 'Ask.' },
    })
  })

  test('a page of a gateway is not shown', async () => {
    const answer = await sendRest(responding('<html>Bad gateway</html>', { status: 502 }), '/x', {})
    expect(answer).toMatchObject({ error: { message: 'The backend responded with status 502.' } })
  })

  test('returns why there was no response; rejects when aborted', async () => {
    expect(await sendRest(unreachable, '/x', {})).toMatchObject({ ok: false, status: 0 })
    const signal = AbortSignal.abort(new Error('left'))
    await expect(sendRest(responding('[]'), '/x', { signal })).rejects.toThrow('left')
  })
})

test.each([
  ['offline', /^You’re offline\. Nothing was lost/],
  ['online', /^The backend is not responding\./],
])('a request without a response names the reason while the device is %s', async (network, message) => {
  const client = { fetch: unreachable, status: () => ({ network }) } as unknown as ChartroomClient
  const answer = await callRest(client, { method: 'PATCH', path: '/t', headers: {}, query: [] })
  expect(answer).toMatchObject({
    ok: false,
    failure: { retry: true, message: expect.stringMatching(message) as string },
  })
})

describe('describeSchema', () => {
  const describing = (body: string, init?: ResponseInit) =>
    describeSchema({ fetch: responding(body, init) }, 'public', new AbortController().signal)

  test('returns the document', async () => {
    expect(await describing('{"paths":{}}')).toEqual({
      ok: true,
      value: { phase: 'known', document: { paths: {} } },
    })
  })

  test.each([
    ['<html>', {}, 'The REST root is not a description.'],
    ['{"message":"Forbidden"}', { status: 401 }, 'Forbidden.'],
    [
      '{"message":"Secret API key required","hint":"Only."}',
      { status: 401 },
      'Secret API key required. Only.',
    ],
  ])('%s is no description', async (body, init, message) => {
    expect(await describing(body, init)).toEqual({ ok: true, value: { phase: 'refused', message } })
  })

  test.each([
    [540, { message: 'Project is paused' }, 'This project is paused'],
    [
      402,
      { message: 'Service for this project is restricted: exceed_egress_quota' },
      'The host restricts this project',
    ],
    [
      401,
      { message: 'Legacy API keys are disabled', hint: 'They were disabled on 2026-05-13.' },
      'The legacy API keys of this project are disabled',
    ],
    [
      406,
      {
        code: 'PGRST106',
        message: 'Invalid schema: public',
        hint: 'Only the following schemas are exposed: pg_pgrst_no_exposed_schemas',
      },
      'The Data API of this project is disabled',
    ],
  ])('a %i of the host is explained with its own words', async (status, body, title) => {
    const described = await describing(JSON.stringify(body), { status })
    expect(described).toMatchObject({
      ok: true,
      value: { phase: 'unavailable', title, message: expect.stringContaining(body.message) },
    })
  })

  test.each(['message', 'hint'])('the %s names the exposed schemas', async field => {
    const body = JSON.stringify({ [field]: 'Only the following schemas are exposed: public, api' })
    expect(await describing(body, { status: 406 })).toEqual({
      ok: true,
      value: { phase: 'unserved', served: ['public', 'api'] },
    })
  })

  test.each([
    [responding('', { status: 503 }), { kind: 'server', status: 503 }],
    [unreachable, { kind: 'network' }],
  ])('a backend that does not respond is a failure', async (fetch, failure) => {
    const answer = await describeSchema({ fetch }, 'api', new AbortController().signal)
    expect(answer).toMatchObject({ ok: false, failure })
  })

  test('the default schema is not named', async () => {
    const sent: (string | null)[] = []
    const fetch = (_path: string, init?: RequestInit) => {
      sent.push(new Headers(init?.headers).get('accept-profile'))
      return Promise.resolve(new Response('{}'))
    }
    for (const schema of ['public', 'api'])
      await describeSchema({ fetch }, schema, new AbortController().signal)
    expect(sent).toEqual([null, 'api'])
  })
})
