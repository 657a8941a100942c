// Uploads are written as they arrive: limits on the way, and nothing left of a broken one.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { request as httpRequest, type ClientRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBackend, type Backend } from '../../backend/index.ts'
import { CHEAP, officialClient } from '../harness/backend.ts'

const dir = mkdtempSync(join(tmpdir(), 'chartroom-streams-'))
let backend: Backend
beforeAll(async () => {
  backend = await startBackend({ data: { dir }, auth: CHEAP })
  await officialClient(backend, backend.secretKey).storage.createBucket('small', {
    public: false,
    fileSizeLimit: 300_000,
    allowedMimeTypes: ['image/*'],
  })
})
afterAll(async () => {
  await backend.stop()
  rmSync(dir, { recursive: true, force: true })
})

const storedFiles = () =>
  readdirSync(join(dir, 'objects'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => entry.name)
    .sort()
const OBJECT = '/storage/v1/object'
const RESUMABLE = '/storage/v1/upload/resumable'
const encode = (text: string) => Buffer.from(text).toString('base64')

/** A request whose body is sent by the test. */
function send(method: string, path: string, headers: Record<string, string | number>): ClientRequest {
  const request = httpRequest(new URL(path, backend.url), {
    method,
    headers: { apikey: backend.secretKey, ...headers },
  })
  request.on('error', () => undefined)
  return request
}

async function answerTo(request: ClientRequest): Promise<{ status: number; body: unknown }> {
  const [response] = await once(request, 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, body: text === '' ? undefined : JSON.parse(text) }
}

const bytesOf = async (data: Blob | null) => Buffer.from(await new Response(data).arrayBuffer())
const form = (parts: string) => Buffer.from(parts.replaceAll('\n', '\r\n'))
const FORM_TYPE = { 'content-type': 'multipart/form-data; boundary=xx' }

test.each([
  ['a raw body', { 'content-type': 'image/png', 'content-length': 1_000_000 }, ''],
  ['a body without a length', { 'content-type': 'image/png', 'transfer-encoding': 'chunked' }, ''],
  [
    'a form',
    { ...FORM_TYPE, 'content-length': 1_000_000 },
    '--xx\nContent-Disposition: form-data; name=""; filename="a"\nContent-Type: image/png\n\n',
  ],
])('a connection that breaks within %s leaves nothing', async (_what, headers, start) => {
  const before = storedFiles()
  const request = send('POST', `${OBJECT}/charts/broken.png`, headers)
  request.write(form(start))
  request.write(randomBytes(200_000))
  // It is being written.
  await expect.poll(() => storedFiles().length).toBe(before.length + 1)
  request.destroy()
  await expect.poll(storedFiles).toEqual(before)
  const { data } = await officialClient(backend, backend.secretKey).storage.from('charts').list()
  expect(data?.some(({ name }) => name === 'broken.png')).toBe(false)
})

test.each([
  ['ends early', '--xx\nContent-Disposition: form-data; name=""; filename="a"\n\nhalf of a file'],
  ['has no file', '--xx\nContent-Disposition: form-data; name="cacheControl"\n\n60\n--xx--\n'],
  ['is empty', ''],
  ['is not a form', 'plain text'],
])('a form that %s is refused and leaves nothing', async (_what, text) => {
  const before = storedFiles()
  const request = send('POST', `${OBJECT}/charts/form.bin`, FORM_TYPE)
  request.end(form(text))
  const { status, body } = await answerTo(request)
  expect([status, body]).toMatchObject([400, { statusCode: '400', code: 'InvalidRequest' }])
  expect(storedFiles()).toEqual(before)
})

test('a form without a boundary is refused', async () => {
  const request = send('POST', `${OBJECT}/charts/form.bin`, { 'content-type': 'multipart/form-data' })
  request.end('text')
  expect(await answerTo(request)).toMatchObject({
    status: 400,
    body: { message: 'Multipart: Boundary not found' },
  })
})

test('the fields before the file count, and its bytes are exact', async () => {
  const bytes = randomBytes(700_000)
  const start =
    '--xx\nContent-Disposition: form-data; name="cacheControl"\n\n60\n' +
    '--xx\nContent-Disposition: form-data; name="metadata"\n\n{"a":"é"}\n' +
    '--xx\nContent-Disposition: form-data; name=""; filename="a"\nContent-Type: image/png\n\n'
  const request = send('POST', `${OBJECT}/charts/exact.png`, FORM_TYPE)
  request.write(form(start))
  request.write(bytes)
  request.end(
    form(
      '\n--xx\nContent-Disposition: form-data; name="b"; filename="b"\n\nanother file\n' +
        '--xx\nContent-Disposition: form-data; name="contentType"\n\ntext/plain\n--xx--\n',
    ),
  )
  expect((await answerTo(request)).status).toBe(200)
  const files = officialClient(backend, backend.secretKey).storage.from('charts')
  const info = await files.info('exact.png')
  expect(info.data).toMatchObject({
    contentType: 'image/png',
    cacheControl: 'max-age=60',
    metadata: { a: 'é' },
  })
  const { data } = await files.download('exact.png')
  expect(Buffer.compare(await bytesOf(data), bytes)).toBe(0)
})

test('a file that exceeds its limit on the way is refused and leaves nothing', async () => {
  const before = storedFiles()
  const request = send('POST', `${OBJECT}/small/large.png`, { 'content-type': 'image/png' })
  request.end(randomBytes(2_000_000))
  expect(await answerTo(request)).toMatchObject({ status: 400, body: { statusCode: '413' } })
  const endless = send('POST', `${OBJECT}/charts/endless.bin`, { 'content-type': 'image/png' })
  const answer = answerTo(endless)
  pipeline(Readable.from(megabytes(60)), endless).catch(() => undefined)
  expect(await answer).toMatchObject({ status: 413, body: { code: 'EntityTooLarge' } })
  expect(storedFiles()).toEqual(before)
})

function* megabytes(count: number): Generator<Uint8Array> {
  for (let sent = 0; sent < count; sent += 1) yield randomBytes(1024 * 1024)
}

test('a refusal arrives after a large body, and the connection stays usable', async () => {
  const before = storedFiles()
  const request = send('POST', `${OBJECT}/small/text.txt`, { 'content-type': 'text/plain' })
  request.end(randomBytes(20_000_000))
  expect(await answerTo(request)).toMatchObject({ status: 400, body: { statusCode: '415' } })
  const unknown = send('POST', `${OBJECT}/nowhere/text.txt`, { ...FORM_TYPE })
  unknown.write(form('--xx\nContent-Disposition: form-data; name=""; filename="a"\n\n'))
  unknown.end(randomBytes(20_000_000))
  expect(await answerTo(unknown)).toMatchObject({ status: 400, body: { error: 'Bucket not found' } })
  expect(storedFiles()).toEqual(before)
})

test('a copy is independent of its source', async () => {
  const files = officialClient(backend, backend.secretKey).storage.from('charts')
  const bytes = randomBytes(300_000)
  await files.upload('source.bin', bytes)
  expect((await files.copy('source.bin', 'copy.bin')).error).toBe(null)
  await files.remove(['source.bin'])
  const { data } = await files.download('copy.bin')
  expect(Buffer.compare(await bytesOf(data), bytes)).toBe(0)
})

async function begin(name: string, length: number): Promise<string> {
  const request = send('POST', RESUMABLE, {
    'upload-length': length,
    'upload-metadata': `bucketName ${encode('charts')},objectName ${encode(name)}`,
  })
  request.end()
  const [response] = await once(request, 'response')
  response.resume()
  return response.headers.location
}

async function offsetOf(url: string): Promise<number> {
  const request = send('HEAD', url, {})
  request.end()
  const [response] = await once(request, 'response')
  response.resume()
  return Number(response.headers['upload-offset'])
}

const part = (url: string, offset: number, length: number) =>
  send('PATCH', url, {
    'upload-offset': offset,
    'content-length': length,
    'content-type': 'application/offset+octet-stream',
  })

test.each([
  ['breaks', (request: ClientRequest) => request.destroy()],
  ['stalls', () => undefined],
])('of a part whose connection %s, what has arrived is kept', async (_what, interrupt) => {
  const bytes = randomBytes(900_000)
  const name = `resumed-${_what}.bin`
  const url = await begin(name, bytes.length)
  const first = part(url, 0, bytes.length)
  first.write(bytes.subarray(0, 300_000))
  const unfinished = join(dir, 'objects/unfinished')
  await expect
    .poll(() => Math.max(0, ...readdirSync(unfinished).map(one => statSync(join(unfinished, one)).size)))
    .toBe(300_000)
  interrupt(first)
  const offset = await offsetOf(url)
  expect(offset).toBe(300_000)
  const rest = part(url, offset, bytes.length - offset)
  rest.end(bytes.subarray(offset))
  expect((await answerTo(rest)).status).toBe(204)
  first.destroy()
  const { data } = await officialClient(backend, backend.secretKey).storage.from('charts').download(name)
  expect(Buffer.compare(await bytesOf(data), bytes)).toBe(0)
  expect(readdirSync(join(dir, 'objects/unfinished'))).toEqual([])
})

test('a canceled resumable upload leaves nothing, even while a part arrives', async () => {
  const before = storedFiles()
  const url = await begin('canceled.bin', 500_000)
  const first = part(url, 0, 500_000)
  first.write(randomBytes(200_000))
  await expect.poll(() => storedFiles().length).toBe(before.length + 1)
  const cancel = send('DELETE', url, {})
  cancel.end()
  expect((await answerTo(cancel)).status).toBe(204)
  expect(storedFiles()).toEqual(before)
  first.destroy()
})
