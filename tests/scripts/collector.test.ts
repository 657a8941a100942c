// `npm run collector` against a scripted collector: what it sends, and how it reports what was not accepted.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { ranFile } from '../harness/command.ts'

const RECORDING = 'tests/traces/session-af32746f9a2a69bd.jsonl.gz'

async function collector(answer: (path: string) => readonly [status: number, body: unknown]) {
  const seen: (readonly [path: string | undefined, type: string | undefined, keys: string[]])[] = []
  const server = createServer((request, response) => {
    void json(request).then(body => {
      const { url = '', headers } = request
      seen.push([url, headers['content-type'], Object.keys(body as object)])
      const [status, text] = answer(url)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(text))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

const send = (...args: readonly string[]) => ranFile('collector.ts', ...args)

test('spans and log records are sent as OTLP, and counted when they are accepted', async () => {
  const { url, seen } = await collector(() => [200, { partialSuccess: {} }])
  const { code, out } = await send('--url', url, RECORDING)
  expect(out).toMatch(/: [1-9]\d* spans accepted\n.*: [1-9]\d* log records accepted\n$/)
  expect(code).toBe(0)
  expect(seen).toEqual([
    ['/v1/traces', 'application/json', ['resourceSpans']],
    ['/v1/logs', 'application/json', ['resourceLogs']],
  ])
})

test('rejected records and refused requests are named, and the exit code is 1', async () => {
  const { url } = await collector(path =>
    path === '/v1/logs'
      ? [200, { partialSuccess: { rejectedLogRecords: '2', errorMessage: 'too old' } }]
      : [400, { message: 'no' }],
  )
  const { code, out } = await send('--url', url, RECORDING)
  expect(out).toContain('traces not accepted: 400 {"message":"no"}')
  expect(out).toMatch(/logs not accepted: 2 of \d+ rejected: too old/)
  expect(code).toBe(1)
})

test('a collector that is not running is named with the reason', async () => {
  const { code, out } = await send('--url', 'http://127.0.0.1:1', RECORDING)
  expect(out).toMatch(/traces not accepted: http:\/\/127\.0\.0\.1:1: .+/)
  expect(code).toBe(1)
})

test('wrong usage is explained', async () => {
  expect(await send('--url', 'collector:4318', RECORDING)).toMatchObject({ code: 2 })
  expect(await send('--url', 'http://127.0.0.1:1')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Name at least one recording') as unknown,
  })
})
