// Resumable uploads as in the protocol: offsets, owners, limits and names.
import { expect, test } from 'vitest'
import { signedIn, startTestBackend } from '../harness/backend.ts'

const backend = await startTestBackend()
const skipper = await signedIn(backend, 'skipper')
const mate = await signedIn(backend, 'mate')
const uid = (await skipper.auth.getUser()).data.user?.id ?? ''
const PARTS = `${backend.url}/storage/v1/upload/resumable`

interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

async function call(who: typeof skipper, method: string, url: string, init: Sent = {}) {
  const token = (await who.auth.getSession()).data.session?.access_token ?? ''
  const headers = { apikey: backend.publishableKey, authorization: `Bearer ${token}`, ...init.headers }
  return fetch(new URL(url, backend.url), { ...init, method, headers })
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const begin = (who: typeof skipper, name: string, length: number, headers: Record<string, string> = {}) =>
  call(who, 'POST', PARTS, {
    headers: {
      'upload-length': String(length),
      'upload-metadata': `bucketName ${base64('charts')},objectName ${base64(name)},contentType ${base64('text/plain')}`,
      ...headers,
    },
  })
const part = (who: typeof skipper, url: string, offset: number, body: string) =>
  call(who, 'PATCH', url, {
    headers: { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
    body,
  })

test('parts are combined; a client that lost a response can request the offset', async () => {
  const begun = await begin(skipper, `${uid}/ship's log.txt`, 10)
  const url = begun.headers.get('location') ?? ''
  expect([begun.status, (await part(skipper, url, 0, 'Hello')).headers.get('upload-offset')]).toEqual([
    201,
    '5',
  ])
  const asked = await call(skipper, 'HEAD', url)
  expect([asked.headers.get('upload-offset'), asked.headers.get('upload-length')]).toEqual(['5', '10'])
  // A duplicate, out-of-order or oversized part.
  expect((await part(skipper, url, 0, 'Hello')).status).toBe(409)
  expect((await part(skipper, url, 5, 'too much of it')).status).toBe(409)
  // Another user's upload is not found.
  expect((await part(mate, url, 5, 'world')).status).toBe(404)
  expect((await part(skipper, url, 5, 'world')).status).toBe(204)
  const { data } = await skipper.storage.from('charts').download(`${uid}/ship's log.txt`)
  expect([await data?.text(), data?.type]).toEqual(['Helloworld', 'text/plain'])
  expect((await call(skipper, 'HEAD', url)).headers.get('upload-offset')).toBe('10')
})

test('rejects forbidden uploads before any byte is sent', async () => {
  const refusal = async (response: Response) => ((await response.json()) as { statusCode: string }).statusCode
  expect(await refusal(await begin(mate, `${uid}/graffiti.txt`, 5))).toBe('403')
  expect(await refusal(await begin(skipper, `${uid}/pilot-notes.txt`, 5))).toBe('409')
  expect(await refusal(await begin(skipper, `${uid}/../x`, 5))).toBe('400')
  expect(await refusal(await begin(skipper, `${uid}/huge`, 600 * 1024 * 1024))).toBe('413')
  expect(await refusal(await begin(skipper, `${uid}/none`, Number.NaN))).toBe('400')
})

test('an empty file is complete at once, an upsert replaces, and an upload can be canceled', async () => {
  expect((await begin(skipper, `${uid}/empty.txt`, 0)).status).toBe(201)
  const { data } = await skipper.storage.from('charts').download(`${uid}/empty.txt`)
  expect(data?.size).toBe(0)
  const again = await begin(skipper, `${uid}/empty.txt`, 3, { 'x-upsert': 'true' })
  const url = again.headers.get('location') ?? ''
  expect((await part(skipper, url, 0, 'new')).status).toBe(204)
  const given = (await begin(skipper, `${uid}/given up.txt`, 3)).headers.get('location') ?? ''
  expect((await call(skipper, 'DELETE', given)).status).toBe(204)
  expect((await part(skipper, given, 0, 'new')).status).toBe(404)
})

test('limits unfinished uploads per user, leaving room for others', async () => {
  const large = 300 * 1024 * 1024
  const first = await begin(skipper, `${uid}/large-1.bin`, large)
  const refused = await begin(skipper, `${uid}/large-2.bin`, large)
  expect([first.status, refused.status, (await refused.json()).code]).toEqual([201, 429, 'SlowDown'])
  const his = (await mate.auth.getUser()).data.user?.id ?? ''
  const other = await begin(mate, `${his}/large.bin`, large)
  expect(other.status).toBe(201)
  expect((await call(skipper, 'DELETE', first.headers.get('location') ?? '')).status).toBe(204)
  const again = await begin(skipper, `${uid}/large-2.bin`, large)
  expect(again.status).toBe(201)
  for (const [who, { headers }] of [
    [skipper, again],
    [mate, other],
  ] as const)
    await call(who, 'DELETE', headers.get('location') ?? '')
})
