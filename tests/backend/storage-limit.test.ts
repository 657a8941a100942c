// `[storage] file_size_limit` holds for every way to store a file, together with the limit of a bucket.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../backend/project/config.ts'
import { officialClient, startTestBackend } from '../harness/backend.ts'

const dir = mkdtempSync(join(tmpdir(), 'chartroom-limit-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
mkdirSync(join(dir, 'supabase'))
writeFileSync(
  join(dir, 'supabase/config.toml'),
  '[storage]\nfile_size_limit = "1KiB"\n[storage.buckets.open]\npublic = true\n[storage.buckets.small]\nfile_size_limit = "100"\n',
)
const backend = await startTestBackend({ project: dir })
const admin = officialClient(backend, backend.secretKey)
const headers = { apikey: backend.secretKey, authorization: `Bearer ${backend.secretKey}` }
const url = `${backend.url}/storage/v1`
const bytes = (size: number) => new Uint8Array(size).fill(65)

// supabase/storage: src/internal/errors/codes.ts:305-312 and storage-error.ts:23, src/storage/uploader.ts:447-594.
const TOO_LARGE = {
  status: 400,
  body: {
    statusCode: '413',
    error: 'Payload too large',
    code: 'EntityTooLarge',
    message: 'The object exceeded the maximum allowed size',
  },
}

async function answerOf(response: Response) {
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text }
}

const formOf = (size: number) => {
  const form = new FormData()
  form.append('cacheControl', '3600')
  form.append('', new Blob([bytes(size)], { type: 'text/plain' }), 'a.txt')
  return form
}

/** A body without an announced length. */
async function* chunks(size: number) {
  for (let at = 0; at < size; at += 50) yield bytes(Math.min(50, size - at))
}

const stream = (size: number) =>
  new Response(Readable.toWeb(Readable.from(chunks(size))) as ReadableStream).body ?? new ReadableStream()
let next = 0
const send = (method: string, bucket: string, body: BodyInit, more: Record<string, string> = {}) =>
  fetch(`${url}/object/${bucket}/file-${(next += 1)}`, {
    method,
    headers: { ...headers, ...more },
    body,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  } as RequestInit)

async function signedUpload(bucket: string, body: BodyInit) {
  const { data } = await admin.storage.from(bucket).createSignedUploadUrl(`signed-${(next += 1)}`)
  return fetch(data?.signedUrl ?? '', { method: 'PUT', headers: { 'x-upsert': 'true' }, body })
}

const WAYS: Record<string, (bucket: string, size: number) => Promise<Response>> = {
  plain: (bucket, size) => send('POST', bucket, bytes(size)),
  'in a form': (bucket, size) => send('POST', bucket, formOf(size)),
  'as an upsert': (bucket, size) => send('POST', bucket, bytes(size), { 'x-upsert': 'true' }),
  'as a replacement': (bucket, size) => send('PUT', bucket, bytes(size)),
  'without a length': (bucket, size) => send('POST', bucket, stream(size)),
  'by a signed URL': (bucket, size) => signedUpload(bucket, bytes(size)),
  'by a signed URL, in a form': (bucket, size) => signedUpload(bucket, formOf(size)),
}

describe.each(Object.keys(WAYS))('a file that is sent %s', name => {
  const way = WAYS[name] ?? (() => Promise.reject(new Error(name)))
  test.each([
    ['open', 1024, 1025],
    ['open', 0, 5_000],
    ['small', 100, 101],
    ['small', 99, 1025],
  ])('in %s: %i bytes are stored, %i are not', async (bucket, fits, exceeds) => {
    expect((await way(bucket, fits)).status).toBe(200)
    expect(await answerOf(await way(bucket, exceeds))).toEqual(TOO_LARGE)
  })
})

const tus = (more: Record<string, string>, body?: BodyInit) =>
  fetch(`${url}/upload/resumable`, {
    method: 'POST',
    headers: { ...headers, 'tus-resumable': '1.0.0', ...more },
    ...(body === undefined ? {} : { body }),
  })
const metadata = (bucket: string) =>
  [
    ['bucketName', bucket],
    ['objectName', `tus-${(next += 1)}`],
    ['contentType', 'text/plain'],
  ]
    .map(([key, value = '']) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')

// The server for resumable uploads answers 413 with a text: @tus/server, constants.ts, ERRORS.ERR_MAX_SIZE_EXCEEDED.
test.each([
  ['open', 1024, 1025],
  ['small', 100, 101],
])('a resumable upload in %s: %i bytes are announced, not %i', async (bucket, fits, exceeds) => {
  const begin = (size: number) => tus({ 'upload-length': `${size}`, 'upload-metadata': metadata(bucket) })
  expect((await begin(fits)).status).toBe(201)
  expect(await answerOf(await begin(exceeds))).toEqual({ status: 413, body: 'Maximum size exceeded\n' })
})

test('a part beyond the announced length is not stored, with a length or without', async () => {
  const begun = await tus({ 'upload-length': '100', 'upload-metadata': metadata('open') })
  const location = new URL(begun.headers.get('location') ?? '', backend.url)
  const part = (body: BodyInit, offset: number) =>
    fetch(location, {
      method: 'PATCH',
      headers: {
        ...headers,
        'tus-resumable': '1.0.0',
        'upload-offset': `${offset}`,
        'content-type': 'application/offset+octet-stream',
      },
      body,
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    } as RequestInit)
  expect((await part(bytes(101), 0)).status).toBe(413)
  expect(await answerOf(await part(stream(2_000), 0))).toEqual({
    status: 413,
    body: 'Maximum size exceeded\n',
  })
  const { data } = await admin.storage.from('open').list('', { search: `tus-${next}` })
  expect(data).toEqual([])
})

test('an upload of unknown length is not begun', async () => {
  const answer = await tus({ 'upload-defer-length': '1', 'upload-metadata': metadata('open') })
  expect(answer.status).toBe(400)
})

test('a copy into a bucket with a smaller limit is refused, and the placeholder of a folder is empty', async () => {
  await admin.storage.from('open').upload('large.txt', bytes(500))
  const { error } = await admin.storage
    .from('open')
    .copy('large.txt', 'copy.txt', { destinationBucket: 'small' })
  expect(error).toMatchObject({ statusCode: '413' })
  const placed = await send('POST', 'open', bytes(1))
  expect(placed.status).toBe(200)
  const keeper = await fetch(`${url}/object/open/folder/.emptyFolderPlaceholder`, {
    method: 'POST',
    headers,
    body: bytes(1),
  })
  expect(await answerOf(keeper)).toEqual(TOO_LARGE)
})

// supabase/storage, src/storage/storage.ts:372-384.
test('a bucket cannot have a larger limit', async () => {
  for (const fileSizeLimit of [1025, '2KB', '1gb']) {
    expect((await admin.storage.createBucket('wide', { public: false, fileSizeLimit })).error).toMatchObject({
      statusCode: '413',
      message: 'The object exceeded the maximum allowed size',
    })
    expect((await admin.storage.updateBucket('small', { public: false, fileSizeLimit })).error).toMatchObject(
      {
        statusCode: '413',
      },
    )
  }
  expect((await admin.storage.createBucket('fit', { public: false, fileSizeLimit: 1024 })).error).toBeNull()
})

test('the setting is honored', () => expect(backend.project?.notHonored).toEqual([]))

describe('config.toml', () => {
  const read = (size: string) => readConfig('config.toml', `[storage]\nfile_size_limit = ${size}`, {})

  // Written by a Go program with RAMInBytes of docker/go-units 0.5.0, which the CLI uses (pkg/config/config.go:41-47).
  test.each([
    ['50MiB', 52_428_800],
    ['1MiB', 1_048_576],
    ['5GB', 5_368_709_120],
    ['500KB', 512_000],
    ['1kb', 1024],
    ['1k', 1024],
    ['1K', 1024],
    ['1000', 1000],
    ['0', 0],
    ['1.5MiB', 1_572_864],
    ['1.5m', 1_572_864],
    ['50 MB', 52_428_800],
    ['50MIB', 52_428_800],
    ['1TB', 1_099_511_627_776],
    ['1TiB', 1_099_511_627_776],
    ['1PB', 1_125_899_906_842_624],
    ['1b', 1],
    ['1B', 1],
    ['1kib', 1024],
    ['1mb', 1_048_576],
    ['1e3', 1000],
    ['1e3MB', 1_048_576_000],
    ['.5MB', 524_288],
    ['5.MB', 5_242_880],
    ['+5MB', 5_242_880],
    ['1 ', 1],
    ['1gib', 1_073_741_824],
    ['0.1KB', 102],
    ['1.0005k', 1024],
  ])('"%s" is %i bytes', (text, size) => {
    expect(read(`"${text}"`).fileSizeLimit).toBe(size)
  })

  test.each([
    '50  MB',
    '1bb',
    '1ki',
    '1x',
    'MB',
    '',
    ' 1MB',
    '1MB ',
    '-1',
    '-1MB',
    '0x10',
    '1.2.3MB',
    'inf',
    'NaN',
    '1kbb',
    '1EB',
    '9999999PB',
  ])('"%s" is no size', text => {
    expect(() => read(`"${text}"`)).toThrow('must be a size like "50MiB" or "1000"')
  })

  test('a number is bytes, and the default is that of the CLI', () => {
    expect(read('1000').fileSizeLimit).toBe(1000)
    expect(() => read('-1')).toThrow('must be a size')
    expect(() => read('1.5')).toThrow('must be a size')
    expect(readConfig('config.toml', '', {}).fileSizeLimit).toBe(52_428_800)
  })

  test('a bucket with a larger limit stops the start', () => {
    const source = '[storage]\nfile_size_limit = "1MiB"\n[storage.buckets.a]\nfile_size_limit = "2MiB"\n'
    expect(() => readConfig('config.toml', source, {})).toThrow(
      'config.toml:4: storage.buckets.a.file_size_limit must not be larger than storage.file_size_limit (1048576 bytes).',
    )
  })
})
