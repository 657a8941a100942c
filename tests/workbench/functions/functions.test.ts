// The Functions section: input becomes a request, responses are classified, and no secret is stored.
import { describe, expect, test } from 'vitest'
import {
  responseKind,
  fileNameOf,
  describeResponse,
  waitOf,
} from '../../../src/services/workbench/functions/describe-response.ts'
import {
  draftProblems,
  EMPTY_DRAFT,
  type Draft,
  type Pair,
} from '../../../src/services/workbench/functions/call-draft.ts'
import {
  entryOf,
  findEntries,
  withoutSecrets,
} from '../../../src/services/workbench/functions/call-history.ts'
import { keptResponse, keptWith, matchIn } from '../../../src/services/workbench/functions/kept-responses.ts'
import { outgoingCall, canCopy, copySpec } from '../../../src/services/workbench/functions/call-request.ts'
import {
  callState,
  type ReceivedResponse,
  type Head,
} from '../../../src/services/workbench/functions/call-state.ts'
import type { FunctionCallState } from '../../../src/services/workbench/jobs/create-function-call.ts'
import { bytesOfHex, hexLines } from '../../../src/services/workbench/text/hex.ts'
import { indented } from '../../../src/services/workbench/text/index.ts'
import { jsonProblem } from '../../../src/services/workbench/text/json-problem.ts'
import { createReceiver, MOST_PARTS, NO_BODY } from '../../../src/services/workbench/functions/received.ts'

const pair = (name: string, value: string, on = true): Pair => ({ id: name, on, name, value })
const draft = (change: Partial<Draft>): Draft => ({ ...EMPTY_DRAFT, name: 'tide', ...change })
const utf8 = (text: string) => new TextEncoder().encode(text)

const SECRET =
  'This is a secret key, which bypasses RLS. It is not sent from a browser: functions have their own.'
const SERVICE_KEY = `e30.${btoa('{"role":"service_role"}')}.sig`

describe('the input', () => {
  test('becomes an address, headers and a body; explicit headers win', () => {
    const written = draft({
      name: '/tide/high water',
      region: 'eu-west-1',
      query: [pair('port', 'Gull & haven'), pair('off', 'x', false), pair('port', 'b')],
      headers: [pair('Content-Type', 'application/vnd.tide+json'), pair('X-Watch', 'first')],
      json: '{"at":1}',
    })
    expect(outgoingCall(written, {})).toEqual({
      path: '/functions/v1/tide/high%20water?port=Gull+%26+haven&port=b&forceFunctionRegion=eu-west-1',
      method: 'POST',
      headers: [
        ['x-region', 'eu-west-1'],
        ['Content-Type', 'application/vnd.tide+json'],
        ['X-Watch', 'first'],
      ],
      body: '{"at":1}',
    })
  })

  test('has a body of its kind, and none if the method takes none', () => {
    expect(outgoingCall(draft({ method: 'GET' }), {}).body).toBe(undefined)
    expect(outgoingCall(draft({ json: ' ' }), {})).toMatchObject({ headers: [], body: undefined })
    expect(outgoingCall(draft({ kind: 'text', text: 'ahoy' }), {})).toMatchObject({
      headers: [['content-type', 'text/plain; charset=utf-8']],
      body: 'ahoy',
    })
    const file = new File(['\0\u0001'], 'a.bin')
    expect(outgoingCall(draft({ kind: 'file', fileName: 'a.bin' }), { body: file })).toMatchObject({
      headers: [['content-type', 'application/octet-stream']],
      body: file,
    })
    const form = [pair('name', 'Fulmar'), { ...pair('chart', ''), fileName: 'a.bin' }, pair('', 'x')]
    const sent = outgoingCall(draft({ kind: 'form', form }), { chart: file }).body
    expect([...(sent as FormData).keys()]).toEqual(['name', 'chart'])
    expect((sent as FormData).get('chart')).toMatchObject({ name: 'a.bin', size: 2 })
  })

  test.each([
    [{ name: ' ' }, { name: 'Enter a function name.' }],
    [{ name: 'a/../b' }, { name: 'A name can’t contain “..”.' }],
    [{ name: 'a?b=1' }, { name: 'A name can’t contain spaces, # or ?. Add parameters under Query.' }],
    [{ json: '{' }, { body: expect.stringContaining('This is not valid JSON') }],
    [{ json: '{', method: 'GET' as const }, {}],
    [{ json: ' ' }, {}],
    [{ headers: [pair('x y', '1')] }, { headers: '“x y” is not a valid header name.' }],
    [
      { headers: [pair('x', '⚓')] },
      { headers: 'The value of x contains characters that headers can’t contain.' },
    ],
    [
      { headers: [pair('x', '[redacted:1]')] },
      { headers: 'Secrets are not stored. Enter them again in place of [redacted].' },
    ],
    [{ headers: [pair('authorization', 'Bearer sb_secret_abc')] }, { headers: SECRET }],
    [{ headers: [pair('cookie', `a=b; key=${SERVICE_KEY}; c`)] }, { headers: SECRET }],
    [{ headers: [{ ...pair('x-key', SERVICE_KEY), on: false }] }, {}],
    [{ query: [pair('apikey', 'sb_secret_abc')] }, { query: SECRET }],
    [{ timeout: '0' }, { timeout: 'Enter 1 to 3600 seconds, or leave empty.' }],
    [{ kind: 'file' as const }, { body: 'Choose a file.' }],
    [
      { kind: 'form' as const, form: [{ ...pair('chart', ''), fileName: 'a.bin' }] },
      { body: 'Choose the file for “chart” again: files are not stored.' },
    ],
  ])('with %j has the problems %j', (change, problems) => {
    expect(draftProblems(draft(change), {})).toEqual(problems)
  })

  test('is copied as code with its body as a value, except forms and files', () => {
    expect(copySpec(draft({ query: [pair('a', '1')], json: '{"b":2}' }), {})).toEqual({
      method: 'POST',
      path: '/functions/v1/tide',
      query: [['a', '1']],
      headers: { 'content-type': 'application/json' },
      body: { b: 2 },
    })
    expect([canCopy(draft({})), canCopy(draft({ kind: 'file' })), canCopy(draft({ name: '' }))]).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('JSON', () => {
  test('that is invalid is reported with the error position', () => {
    expect(jsonProblem('{\n  "a": tru\n}')).toEqual({
      message: 'This is not valid JSON: unexpected “tru” at line 2, column 8.',
      line: 2,
      column: 8,
    })
    expect(jsonProblem('[1,]')).toMatchObject({ line: 1, column: 4 })
    expect(jsonProblem('{"a": 01}')).toMatchObject({ column: 7 })
    expect(jsonProblem('[1] 2')).toMatchObject({ column: 5 })
    expect(jsonProblem('['.repeat(100_000))).toEqual({ message: 'This is not valid JSON.' })
    expect(jsonProblem('{"a":')?.message).toBe('This is not valid JSON: unexpected end at line 1, column 6.')
    expect(jsonProblem('[1]')).toBe(undefined)
  })

  test('is indented without changing its numbers; invalid JSON stays unchanged', () => {
    expect(indented('{"a":[1,{}],"n":12345678901234567890.10,"s":"x,{\\"y"}')).toBe(
      '{\n  "a": [\n    1,\n    {}\n  ],\n  "n": 12345678901234567890.10,\n  "s": "x,{\\"y"\n}',
    )
    expect(indented('{"a":1')).toBe(undefined)
  })
})

describe('a response', () => {
  test('is classified by its type', () => {
    expect(
      [
        'text/event-stream',
        'application/x-ndjson',
        'Application/JSON; charset=utf-8',
        'application/problem+json',
        'image/svg+xml',
        'text/html',
        'application/octet-stream',
        null,
      ].map(responseKind),
    ).toEqual(['events', 'lines', 'json', 'json', 'image', 'text', 'binary', 'text'])
  })

  test('is saved under its own name, never a path', () => {
    expect(fileNameOf('tide', 'text/csv', 'attachment; filename="../../tide.csv"')).toBe('tide.csv')
    expect(fileNameOf('tide', '', "attachment; filename*=UTF-8''gr%C3%B6%C3%9Fe.txt")).toBe('größe.txt')
    expect(fileNameOf('tide/high', 'image/png', null)).toBe('tide-high.png')
    expect(fileNameOf('', 'application/wasm', null)).toBe('answer.bin')
  })

  test('with server-sent events is parsed however it is split', () => {
    const text =
      '\uFEFF: hello\r\nid: 7\r\nevent: sighting\r\ndata: a\r\ndata:b\r\n\r\ndata: c\n\nevent: none\n\n'
    const read = (pieces: readonly Uint8Array[]) => {
      const receiver = createReceiver('events')
      for (const piece of pieces) receiver.push(piece, 1)
      receiver.end(1)
      return receiver.body().parts
    }
    const bytes = utf8(text)
    const whole = read([bytes])
    expect(whole).toEqual([
      { at: 1, event: 'sighting', text: 'a\nb', id: '7' },
      { at: 1, event: 'message', text: 'c', id: '7' },
    ])
    expect(read([...bytes].map(byte => Uint8Array.of(byte)))).toEqual(whole)
  })

  test('with an event that never ends is bounded; later events are shown', () => {
    const receiver = createReceiver('events')
    receiver.push(utf8('data: '), 1)
    for (let n = 0; n < 5; n++) receiver.push(utf8('x'.repeat(1_000_000)), 2)
    receiver.push(utf8('\n\ndata: later\n\n'), 3)
    expect(receiver.body().parts).toEqual([{ at: 3, event: 'message', text: 'later' }])
  })

  test('is collected as bytes, text and chunks, split anywhere', () => {
    const receiver = createReceiver('lines')
    const bytes = utf8('{"n":1}\n{"s":"ä"}\n{"n":3}')
    const umlaut = bytes.indexOf(0xc3) + 1
    receiver.push(bytes.subarray(0, umlaut), 5)
    receiver.push(bytes.subarray(umlaut), 9)
    receiver.end(10)
    expect(receiver.body()).toEqual({
      size: bytes.byteLength,
      text: '{"n":1}\n{"s":"ä"}\n{"n":3}',
      parts: [
        { at: 5, text: '{"n":1}' },
        { at: 9, text: '{"s":"ä"}' },
        { at: 10, text: '{"n":3}' },
      ],
      dropped: 0,
      unkept: 0,
    })
  })

  test('without an end is bounded, and shows what was dropped', async () => {
    const receiver = createReceiver('lines')
    const lines = utf8('x\n'.repeat(500))
    for (let n = 0; n < 40; n++) receiver.push(lines, n)
    const { parts, dropped } = receiver.body()
    expect(parts.length + dropped).toBe(20_000)
    expect(parts.length).toBeLessThanOrEqual(MOST_PARTS + 1_000)
    expect((await receiver.blob('text/plain').text()).length).toBe(40_000)
  })

  test('bytes are shown in hexadecimal, and read back', () => {
    expect(hexLines(utf8('Ahoy, skipper! 1\0'))).toEqual([
      '000000  41 68 6f 79 2c 20 73 6b 69 70 70 65 72 21 20 31  Ahoy, skipper! 1',
      '000010  00                                               .',
    ])
    expect([bytesOfHex('0a FF,0x1c'), bytesOfHex('abc'), bytesOfHex('zz')]).toEqual([
      Uint8Array.from([10, 255, 28]),
      undefined,
      undefined,
    ])
  })
})

const sent = { id: 1, draft: draft({}), path: '/functions/v1/tide', sentAt: 'now' }
const head: Head = {
  status: 200,
  statusText: 'OK',
  headers: [],
  kind: 'json',
  type: 'application/json',
  at: 3,
}
const machine = (phase: FunctionCallState['phase'], known: Partial<FunctionCallState> = {}) => ({
  method: 'POST',
  name: 'tide',
  as: 'user' as const,
  request: undefined,
  status: undefined,
  kind: undefined,
  size: 0,
  duration: 9,
  failure: undefined,
  timings: undefined,
  ...known,
  phase,
})
const at = (
  phase: FunctionCallState['phase'],
  come: ReceivedResponse = {},
  known: Partial<FunctionCallState> = {},
) => callState(sent, machine(phase, known), come)

describe('a call', () => {
  const body = { ...NO_BODY, size: 2, text: '{}' }
  const failure = { message: 'The backend cannot be reached.', kind: 'network' } as const

  test("is shown in its machine's state, with the data received", () => {
    const timings = { waiting: 3, download: 2, transferred: 0, protocol: 'h2' }
    expect(at('sending', {}, { request: 'r7' })).toEqual({ phase: 'sending', ...sent, request: 'r7' })
    expect(at('receiving', { head })).toEqual({ phase: 'receiving', ...sent, head, body: NO_BODY })
    expect(at('done', { head, body })).toEqual({ phase: 'done', ...sent, head, body, duration: 9 })
    expect(at('done', { head, body }, { timings })).toMatchObject({ phase: 'done', timings })
    expect(at('canceled', { head, body })).toEqual({ phase: 'canceled', ...sent, head, body, duration: 9 })
    expect(at('failed', {}, { failure })).toEqual({ phase: 'failed', ...sent, failure, duration: 9 })
  })

  test('that broke off keeps the data received, and shows the failure', () => {
    const broken = at('failed', { head, body }, { failure })
    expect(broken).toMatchObject({ phase: 'failed', head, body, failure })
    expect(describeResponse(broken)?.text).toBe(
      'The connection was lost before the response was complete. Partial response below.',
    )
  })

  test('with a Retry-After shows the wait', () => {
    const limited = at('done', { head: { ...head, status: 429, headers: [['Retry-After', '7']] }, body })
    expect([waitOf(limited), waitOf(at('sending'))]).toEqual([7, undefined])
    expect(describeResponse(limited)).toEqual({ tone: 'fail', text: 'Too many calls.' })
  })
})

test('a stored call contains no secret, and keeps long numbers as they were written', () => {
  const kept = withoutSecrets(
    draft({
      headers: [
        pair('Authorization', 'Bearer abcdefgh12345678'),
        pair('Prefer', 'return=minimal'),
        pair('X-Watch', 'kept-by-nobody'),
        pair('x-webhook-secret', 'kept-by-nobody'),
      ],
      query: [
        pair('apikey', 'very-secret-key'),
        pair('port', 'a'),
        ...['key', 'sig', 'signature', 'auth', 'session', 'session_key'].map(name =>
          pair(name, 'kept-by-nobody'),
        ),
      ],
      json: '{ "password": "hunter2hunter2", "n": 1 }',
      text: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl',
    }),
  )
  expect(JSON.stringify(kept)).not.toMatch(/abcdefgh|very-secret|kept-by-nobody|hunter2|c2lnbmF0dXJl/)
  expect(kept.headers[1]).toEqual(pair('Prefer', 'return=minimal'))
  expect(kept.query[1]).toEqual(pair('port', 'a'))
  expect(withoutSecrets(draft({ json: '{"n": 12345678901234567890}' })).json).toBe(
    '{"n": 12345678901234567890}',
  )
})

test('the history finds calls by name, status and body', () => {
  const call = at('canceled', { head })
  if (call.phase !== 'canceled') throw new Error('not canceled')
  const entry = entryOf(call)
  expect(entry).toMatchObject({ id: 'now#1', status: 200, outcome: 'canceled', duration: 9, size: 0 })
  expect([findEntries([entry], 'TIDE'), findEntries([entry], '404')]).toEqual([[entry], []])
})

describe('a kept response', () => {
  const textOf = (kind: Head['kind'], text: string) => {
    const body = { ...NO_BODY, size: text.length, text }
    const headers = [
      ['content-type', 'application/json'],
      ['x-session', 'kept-by-nobody'],
    ] as const
    return keptResponse(at('canceled', { head: { ...head, kind, headers }, body }))
  }

  test('contains no secret, in whatever form the body has it', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl'
    const secret = '{"password":"hunter2hunter2","n":12345678901234567890}'
    const kept = [
      textOf('json', secret),
      textOf('lines', `${secret}\n{"n":1}\n`),
      textOf('events', `event: a\ndata: ${secret}\n\ndata: ${token}\n\n`),
      textOf('text', `Bearer ${token}`),
    ]
    expect(JSON.stringify(kept)).not.toMatch(/hunter2|c2lnbmF0dXJl|kept-by-nobody/)
    expect(kept[1]?.text?.split('\n')).toHaveLength(3)
    expect(kept[0]?.headers[0]).toEqual(['content-type', 'application/json'])
    expect(textOf('json', '{"n": 12345678901234567890}')?.text).toBe('{"n": 12345678901234567890}')
  })

  test('has no body when it is binary or too long, and there is none without a response', () => {
    expect([textOf('binary', ''), textOf('text', 'x'.repeat(1_000_001))].map(kept => kept?.text)).toEqual([
      undefined,
      undefined,
    ])
    expect(keptResponse(at('failed', {}))).toBe(undefined)
  })

  test('is found by its text, and shown at the match', () => {
    const kept = textOf('text', `${'a'.repeat(60)} High Water\n at noon ${'b'.repeat(60)}`)
    if (kept === undefined) throw new Error('not kept')
    expect(matchIn(kept, 'high water')).toBe(`…${'a'.repeat(39)} High Water at noon ${'b'.repeat(30)}…`)
    expect([matchIn(kept, ' '), matchIn(kept, 'ebb'), matchIn(kept, 'JSON')]).toEqual([
      undefined,
      undefined,
      'content-type: application/json',
    ])
  })

  test('leaves with its call, and the oldest leave when there is no room', () => {
    const kept = textOf('text', 'x'.repeat(900_000))
    if (kept === undefined) throw new Error('not kept')
    const ids = Array.from({ length: 14 }, (_, id) => `${id}`)
    const all = new Map(ids.map(id => [id, kept]))
    expect([...keptWith(all, ids).keys()]).toEqual(ids.slice(0, 11))
    expect([...keptWith(all, ['3']).keys()]).toEqual(['3'])
  })
})
