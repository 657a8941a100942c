// Resumable uploads as in the protocol: offsets, owners, limits and names.
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startBackend } from '../../backend/index.ts'
import { CHEAP, signedIn, startTestBackend } from '../harness/backend.ts'

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

const PART_TYPE = 'application/offset+octet-stream'
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
    headers: { 'upload-offset': String(offset), 'content-type': PART_TYPE },
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
  expect((await part(skipper, url, 5, 'too much of it')).status).toBe(413)
  // Another user's upload is not found.
  expect((await part(mate, url, 5, 'world')).status).toBe(404)
  expect((await part(skipper, url, 5, 'world')).status).toBe(204)
  const { data } = await skipper.storage.from('charts').download(`${uid}/ship's log.txt`)
  expect([await data?.text(), data?.type]).toEqual(['Helloworld', 'text/plain'])
  expect((await call(skipper, 'HEAD', url)).headers.get('upload-offset')).toBe('10')
})

test('rejects forbidden uploads before any byte is sent', async () => {
  // In the words of the protocol: text, with the status of the reason.
  const refusal = async (response: Response) => [response.status, (await response.text()).trim()]
  expect(await refusal(await begin(mate, `${uid}/graffiti.txt`, 5))).toEqual([
    403,
    'new row violates row-level security policy',
  ])
  expect(await refusal(await begin(skipper, `${uid}/pilot-notes.txt`, 5))).toEqual([
    409,
    'The resource already exists',
  ])
  expect(await refusal(await begin(skipper, `${uid}/../x`, 5))).toEqual([400, `Invalid key: ${uid}/../x`])
  expect(await refusal(await begin(skipper, `${uid}/huge`, 600 * 1024 * 1024))).toEqual([
    413,
    'Maximum size exceeded',
  ])
  expect(await refusal(await begin(skipper, `${uid}/none`, Number.NaN))).toEqual([
    400,
    'Invalid upload-length',
  ])
})

test('the first part may come with the creation', async () => {
  const metadata = `bucketName ${base64('charts')},objectName ${base64(`${uid}/with-part.txt`)}`
  const headers = { 'upload-length': '10', 'upload-metadata': metadata, 'content-type': PART_TYPE }
  const begun = await call(skipper, 'POST', PARTS, { headers, body: 'Hello' })
  expect([begun.status, begun.headers.get('upload-offset')]).toEqual([201, '5'])
  expect((await part(skipper, begun.headers.get('location') ?? '', 5, 'world')).status).toBe(204)
  const { data } = await skipper.storage.from('charts').download(`${uid}/with-part.txt`)
  expect(await data?.text()).toBe('Helloworld')
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
  expect([first.status, refused.status]).toEqual([201, 429])
  expect(await refused.text()).toBe('Too many unfinished uploads. Finish or delete some.')
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

test('an unfinished upload on disk resumes after a restart, with a digest of all bytes', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'chartroom-resumable-'))
  const start = () => startBackend({ data: { dir }, port: 0, auth: CHEAP })
  let running = await start()
  onTestFinished(async () => {
    await running.stop()
    rmSync(dir, { recursive: true, force: true })
  })
  let who = await signedIn(running, 'skipper')
  const send = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
    const token = (await who.auth.getSession()).data.session?.access_token ?? ''
    const all = { apikey: running.publishableKey, authorization: `Bearer ${token}`, ...headers }
    return fetch(new URL(path, running.url), { method, headers: all, ...(body !== undefined && { body }) })
  }
  const own = (await who.auth.getUser()).data.user?.id ?? ''
  const names = `bucketName ${base64('charts')},objectName ${base64(`${own}/log.txt`)}`
  const metadata = `${names},metadata ${base64('{"watch":"first"}')}`
  const begun = await send('POST', new URL(PARTS).pathname, {
    'upload-length': '10',
    'upload-metadata': metadata,
  })
  const url = begun.headers.get('location') ?? ''
  const type = { 'content-type': PART_TYPE }
  expect((await send('PATCH', url, { ...type, 'upload-offset': '0' }, 'Hello')).status).toBe(204)

  await running.stop()
  running = await start()
  who = await signedIn(running, 'mate')
  expect((await send('HEAD', url, {})).status).toBe(404)
  who = await signedIn(running, 'skipper')
  const asked = await send('HEAD', url, {})
  expect([asked.headers.get('upload-offset'), asked.headers.get('upload-length')]).toEqual(['5', '10'])
  expect((await send('PATCH', url, { ...type, 'upload-offset': '5' }, 'world')).status).toBe(204)
  const files = who.storage.from('charts')
  const { data: info } = await files.info(`${own}/log.txt`)
  expect(info).toMatchObject({ metadata: { watch: 'first' } })
  expect(info?.etag).toBe(`"${createHash('md5').update('Helloworld').digest('hex')}"`)
  expect(await (await files.download(`${own}/log.txt`)).data?.text()).toBe('Helloworld')
  expect(readdirSync(join(dir, 'objects/unfinished'))).toEqual([])
})
