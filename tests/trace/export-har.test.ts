// A run's network as HAR, checked against the schema of HAR 1.2.
import { createRequire } from 'node:module'
import { Ajv, type ValidateFunction } from 'ajv'
import { beforeAll, expect, test } from 'vitest'
import { exportTrace } from '../../src/trace/index.ts'
import { stormyTrace } from '../harness/exported-runs.ts'

const load = createRequire(import.meta.url)
let isHar: ValidateFunction

beforeAll(() => {
  const ajv = new Ajv({ strict: false, validateFormats: false })
  ajv.addMetaSchema(load('ajv/dist/refs/json-schema-draft-06.json') as object)
  ajv.addSchema(Object.values(load('har-schema') as Record<string, object>))
  const found = ajv.getSchema('har.json#')
  if (!found) throw new Error('the HAR schema is missing')
  isHar = found
})

interface Log {
  readonly log: { readonly entries: readonly Readonly<Record<string, unknown>>[] }
}

test('every request that was sent and every socket, with status and times', () => {
  const trace = stormyTrace()
  const text = exportTrace(trace, 'har', { baseUrl: 'https://harbour.example/' })
  expect(exportTrace(stormyTrace(), 'har', { baseUrl: 'https://harbour.example/' })).toBe(text)
  const har = JSON.parse(text) as Log
  expect([isHar(har), isHar.errors]).toEqual([true, null])
  // The user is loaded, and other sessions are revoked, by requests. Ports of earlier versions do not report their calls,
  // so that two sign-ins that ended without a response are not known to have called.
  const sent = trace.actors.filter(({ src }) =>
    ['send', 'socket', 'refreshToken', 'probeSocket'].includes(src),
  )
  expect(har.log.entries).toHaveLength(sent.length + 5)
  const none = { httpVersion: 'unknown', cookies: [], headers: [], headersSize: -1, bodySize: -1 }
  expect(har.log.entries[0]).toEqual({
    startedDateTime: '2026-01-01T00:00:00.215Z',
    time: 212,
    request: { method: 'POST', url: 'https://harbour.example/rest/v1/x', queryString: [], ...none },
    response: {
      status: 404,
      statusText: '',
      ...none,
      content: { size: -1, mimeType: 'x-unknown' },
      redirectURL: '',
    },
    cache: {},
    timings: { send: 0, wait: 212, receive: 0 },
  })
  expect(har.log.entries.find(entry => entry['_resourceType'])).toMatchObject({
    request: { url: 'wss://harbour.example/realtime/v1/websocket' },
    response: { status: 101 },
  })
})

test("the session's own requests, with the status of their responses; nothing of other systems", () => {
  const trace = stormyTrace()
  const entriesOf = (of: typeof trace) => (JSON.parse(exportTrace(of, 'har')) as Log).log.entries
  const calls = entriesOf(trace).map(entry => {
    const { method, url } = entry['request'] as { method: string; url: string }
    return [
      method,
      url.slice(url.indexOf('/', 10)),
      (entry['response'] as { status: number }).status,
      entry['_error'],
    ]
  })
  expect(calls.filter(([, path]) => String(path).startsWith('/auth/v1/'))).toEqual([
    ['POST', '/auth/v1/', 200, undefined],
    ['POST', '/auth/v1/logout?scope=local', 0, 'The backend cannot be reached.'],
    ['POST', '/auth/v1/', 200, undefined],
    ['POST', '/auth/v1/', 200, undefined],
    ['POST', '/auth/v1/token?grant_type=refresh_token', 503, 'The backend failed with status 503.'],
    ['POST', '/auth/v1/', 200, undefined],
  ])
  expect(entriesOf({ ...trace, header: { ...trace.header, system: 'shop' } })).toEqual([])
})

test('the schema rejects invalid files', () => {
  expect(
    isHar({ log: { version: '1.2', creator: { name: 'chartroom', version: '1' }, entries: [{}] } }),
  ).toBe(false)
})
