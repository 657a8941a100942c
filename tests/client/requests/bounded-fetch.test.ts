// Buffered responses are read up to a limit, so a hostile backend cannot fill the page's memory.
import { expect, test } from 'vitest'
import { readAnswer } from '../../../src/services/client/requests/gated-fetch.ts'
import { boundedFetch } from '../../../src/services/client/index.ts'

/** As browsers make it. */
function withoutBody(status: number): Response {
  const response = new Response(new ReadableStream({ start: controller => controller.close() }))
  Object.defineProperty(response, 'status', { value: status })
  return response
}

const KB = new Uint8Array(1_000)

/** An endless response, and how much of it was read. */
const endless = (headers: HeadersInit = {}, status = 200) => {
  const stats = { bytes: 0, isCancelled: false }
  const body = new ReadableStream<Uint8Array>({
    pull: controller => {
      stats.bytes += KB.byteLength
      controller.enqueue(KB)
    },
    cancel: () => {
      stats.isCancelled = true
    },
  })
  return { stats, response: new Response(body, { headers, status }) }
}
const answering = (response: Response) => boundedFetch(() => Promise.resolve(response), { maxBytes: 5_000 })

test.each([
  ['rows', 'https://a.example/rest/v1/boats?select=*', {}, 200],
  ['the list of tables', 'https://a.example/rest/v1/', {}, 200],
  ['a session', 'https://a.example/auth/v1/token', {}, 200],
  [
    'a JSON function response',
    'https://a.example/functions/v1/f',
    { 'content-type': 'application/json' },
    200,
  ],
  [
    'a list of files',
    'https://a.example/storage/v1/object/list/b',
    { 'content-type': 'application/json' },
    200,
  ],
  ['a file error', 'https://a.example/storage/v1/object/b/f', {}, 500],
] as const)('a buffered response (%s) is bounded', async (_what, address, headers, status) => {
  const { stats, response } = endless(headers, status)
  const answer = await answering(response)(address)
  expect([answer.status, await answer.json()]).toEqual([
    413,
    {
      code: 'answer_too_large',
      message:
        'The response is larger than 0 MB, so it was not read completely. Request fewer rows, columns or names.',
    },
  ])
  expect([stats.bytes < 10_000, stats.isCancelled]).toEqual([true, true])
})

test.each([
  ['a file', 'https://a.example/storage/v1/object/b/f', { 'content-type': 'application/json' }],
  ['a function stream', 'https://a.example/functions/v1/f', { 'content-type': 'text/event-stream' }],
] as const)('a streamed response (%s) is passed through unbounded', async (_what, address, headers) => {
  const { response } = endless(headers)
  expect(await answering(response)(address)).toBe(response)
  await response.body?.cancel()
})

test('all responses are bounded for a caller that buffers all of them', async () => {
  const { response } = endless({ 'content-type': 'text/html' })
  const fetch = boundedFetch(() => Promise.resolve(response), { maxBytes: 5_000, all: true })
  expect((await fetch('https://a.example/')).status).toBe(413)
})

test('a response whose Content-Length exceeds the limit is canceled unread', async () => {
  const { stats, response } = endless({ 'content-length': '5001' })
  const answer = await answering(response)('https://a.example/rest/v1/boats')
  expect([answer.status, stats.isCancelled]).toEqual([413, true])
})

test('a response within the limit is returned unchanged', async () => {
  const given = new Response('[1]', { status: 206, headers: { 'content-range': '0-0/9' } })
  Object.defineProperty(given, 'url', { value: 'https://a.example/rest/v1/boats' })
  const answer = await answering(given)(new Request('https://a.example/rest/v1/boats'))
  expect([answer.status, answer.headers.get('content-range'), answer.url, await answer.text()]).toEqual([
    206,
    '0-0/9',
    'https://a.example/rest/v1/boats',
    '[1]',
  ])
})

test('a response that breaks off rejects while its body is read', async () => {
  const body = new ReadableStream<Uint8Array>({ pull: controller => controller.error(new TypeError('gone')) })
  const answer = await answering(new Response(body))('https://a.example/rest/v1/boats')
  expect(answer.status).toBe(200)
  await expect(answer.text()).rejects.toThrow('gone')
})

test.each([204, 205, 304])(
  'a response of status %s has no body, even if the browser exposes an empty one',
  async status => {
    const answer = await answering(withoutBody(status))('https://a.example/auth/v1/logout')
    expect([answer.status, await answer.text()]).toEqual([status, ''])
  },
)

test.each([204, 205, 304])(
  'a request is answered by a response of status %s without a body',
  async status => {
    const { response, event } = await readAnswer(
      withoutBody(status),
      { family: 'rest', path: '/rest/v1/vessels', isOwn: false, isOwnKey: false, isWithToken: true },
      () => 0,
      () => undefined,
    )
    expect([response?.status, await response?.text(), event.type]).toEqual([status, '', 'send.answered'])
  },
)
