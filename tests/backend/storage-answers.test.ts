// Answers of the original storage server, as `npm run compatibility -- compare --storage` found them: refusals of
// bodies, names and callers, folders whose names differ in case, public files, and headers.
import { beforeAll, expect, test } from 'vitest'
import { officialClient, signedIn, startTestBackend } from '../harness/backend.ts'

const backend = await startTestBackend()
const skipper = await signedIn(backend, 'skipper')
const admin = officialClient(backend, backend.secretKey)
const token = (await skipper.auth.getSession()).data.session?.access_token ?? ''

const KEYS = { service: backend.secretKey, user: token, broken: `${token}x`, anyone: undefined }

interface Asked {
  readonly as?: keyof typeof KEYS
  /** Text, or an object to send as JSON. */
  readonly body?: string | object | undefined
  readonly headers?: Readonly<Record<string, string>>
}

async function ask(line: string, { as = 'service', body, headers = {} }: Asked = {}) {
  const [method = '', path = ''] = line.split(' ')
  const key = KEYS[as]
  const isJson = typeof body === 'object'
  return fetch(`${backend.url}/storage/v1${path}`, {
    method,
    headers: {
      apikey: as === 'service' ? backend.secretKey : backend.publishableKey,
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(isJson ? { 'content-type': 'application/json' } : { 'content-type': 'text/plain' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

beforeAll(async () => {
  await admin.storage.createBucket('open', { public: true })
  await admin.storage.createBucket('shut')
  for (const bucket of ['open', 'shut']) {
    await admin.storage.from(bucket).upload('a.txt', 'letters')
    await admin.storage.from(bucket).upload('page.html', '<b>', { contentType: 'text/html' })
  }
  for (const name of ['b.txt', 'a b.txt', 'a/one.txt', 'folder/two.txt', 'Folder/one.txt'])
    await admin.storage.from('shut').upload(name, name)
})

test.each<[string, object | undefined, string]>([
  ['POST /bucket', {}, "body must have required property 'name'"],
  ['POST /bucket', undefined, 'body must be object'],
  ['POST /bucket', { name: 'x', public: 'yes' }, 'body/public must be boolean'],
  ['PUT /bucket/shut', { allowed_mime_types: ['image'] }, 'mime type image is not supported'],
  ['POST /bucket', { name: ' x' }, 'Bucket name invalid'],
  ['POST /bucket', { name: 'x--table-s3' }, 'Bucket name invalid'],
  ['DELETE /bucket/shut', undefined, 'The bucket you tried to delete is not empty'],
  ['POST /bucket/none/empty', undefined, 'Bucket not found'],
  ['GET /bucket?limit=0', undefined, 'querystring/limit must be >= 1'],
  ['POST /object/list/shut', {}, "body must have required property 'prefix'"],
  [
    'POST /object/list/shut',
    { prefix: '', sortBy: { column: 'size' } },
    'body/sortBy/column must be equal to one of the allowed values',
  ],
  ['POST /object/list-v2/shut', { cursor: 'nonsense' }, 'Invalid Parameter continuation token'],
  ['DELETE /object/shut', { prefixes: [] }, 'body/prefixes must NOT have fewer than 1 items'],
  ['DELETE /object/shut/none.txt', undefined, 'Object not found'],
  ['POST /object/sign/shut/a.txt', { expiresIn: 0 }, 'body/expiresIn must be >= 1'],
  ['GET /object/sign/shut/a.txt?token=a.b.c', undefined, 'JWS Protected Header is invalid'],
  ['GET /object/sign/shut/a.txt', undefined, "querystring must have required property 'token'"],
  [
    'POST /object/move',
    { bucketId: 'shut', sourceKey: 'a.txt', destinationKey: 'b', destinationBucket: 'none' },
    'The related resource does not exist',
  ],
  [
    'POST /object/copy',
    { bucketId: 'shut', sourceKey: 'a.txt' },
    "body must have required property 'destinationKey'",
  ],
  ['GET /unknown', undefined, 'Route GET:/unknown not found'],
])('%s of %j: %s', async (line, body, message) => {
  const response = await ask(line, { body })
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await response.json()).toMatchObject({ message })
})

test('values of other types are converted, and null removes a limit', async () => {
  const limits = { public: 'true', file_size_limit: '1.5kb', allowed_mime_types: 'image/*' }
  await ask('PUT /bucket/shut', { body: limits })
  const { data } = await admin.storage.getBucket('shut')
  expect(data).toMatchObject({ public: true, file_size_limit: 1500, allowed_mime_types: ['image/*'] })
  await ask('PUT /bucket/shut', { body: { public: false, file_size_limit: null, allowed_mime_types: null } })
  const after = await admin.storage.getBucket('shut')
  expect(after.data).toMatchObject({ public: false, file_size_limit: null, allowed_mime_types: null })
})

test('a public file needs no valid token, except where the path asks for a user', async () => {
  const status = async (path: string, as: keyof typeof KEYS) => (await ask(`GET ${path}`, { as })).status
  expect(await status('/object/open/a.txt', 'broken')).toBe(200)
  expect(await status('/object/open/a.txt', 'user')).toBe(200)
  expect(await status('/object/info/open/a.txt', 'broken')).toBe(200)
  expect(await status('/object/authenticated/open/a.txt', 'broken')).toBe(400)
  const shut = await ask('GET /object/shut/a.txt', { as: 'broken' })
  expect(await shut.json()).toMatchObject({ message: 'Bucket not found', statusCode: '404' })
  const listed = await ask('GET /bucket', { as: 'broken' })
  expect(await listed.json()).toMatchObject({ message: 'signature verification failed', statusCode: '403' })
})

test('removing a file without permission is refused; reading it says that there is none', async () => {
  const removed = await ask('DELETE /object/shut/a.txt', { as: 'user' })
  expect(await removed.json()).toMatchObject({ statusCode: '403', message: 'Access denied' })
  const read = await ask('GET /object/shut/a.txt', { as: 'user' })
  expect(await read.json()).toMatchObject({ statusCode: '404', message: 'Object not found' })
})

test('a page is sent as its source, and no robot keeps a file', async () => {
  const { headers } = await ask('GET /object/public/open/page.html?download=é.txt', { as: 'anyone' })
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/plain',
    'x-robots-tag': 'none',
    'content-disposition': "attachment; filename=%C3%A9.txt; filename*=UTF-8''%C3%A9.txt",
  })
})

test('what a client has is not sent again', async () => {
  const path = 'GET /object/open/a.txt'
  const etag = (await ask(path)).headers.get('etag') ?? ''
  const status = async (headers: Record<string, string>) => (await ask(path, { headers })).status
  expect(await status({ 'if-none-match': etag })).toBe(304)
  expect(await status({ 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' })).toBe(304)
  expect(await status({ 'if-modified-since': 'Fri, 01 Jan 2010 00:00:00 GMT' })).toBe(200)
  const stale = await ask(path, { headers: { 'if-none-match': '"other"' } })
  expect([stale.status, stale.headers.get('cache-control')]).toEqual([
    200,
    'max-age=3600, stale-while-revalidate=30',
  ])
})

test('the response to a signed URL may be kept until it expires', async () => {
  const { data } = await admin.storage.from('shut').createSignedUrl('a.txt', 60)
  const { headers } = await fetch(data?.signedUrl ?? '')
  const left = Date.parse(headers.get('expires') ?? '') - Date.now()
  expect(headers.has('cache-control')).toBe(false)
  expect(left > 50_000 && left <= 60_000).toBe(true)
})

test('folders whose names differ in case are one in a listing by name; by time, folders come first', async () => {
  const names = async (body: object) => {
    const response = await ask('POST /object/list/shut', { body: { prefix: '', ...body } })
    return ((await response.json()) as { name: string }[]).map(({ name }) => name)
  }
  expect(await names({})).toEqual(['a b.txt', 'a.txt', 'a', 'b.txt', 'Folder', 'page.html'])
  expect(await names({ sortBy: { column: 'name', order: 'desc' } })).toEqual([
    'page.html',
    'folder',
    'b.txt',
    'a',
    'a.txt',
    'a b.txt',
  ])
  const byTime = await names({ sortBy: { column: 'created_at', order: 'asc' } })
  expect(byTime.slice(0, 4)).toEqual(['Folder', 'a', 'folder', 'a.txt'])
  expect(await names({ search: 'A', limit: 2 })).toEqual(['a b.txt', 'a.txt'])
})

test('a copy has the metadata that the request names', async () => {
  const places = { bucketId: 'shut', sourceKey: 'a.txt', destinationKey: 'copy.txt' }
  const response = await ask('POST /object/copy', {
    body: { ...places, copyMetadata: false, metadata: { mimetype: 'text/css' } },
    headers: { 'x-metadata': Buffer.from('{"by":"me"}').toString('base64') },
  })
  expect(await response.json()).toMatchObject({
    Key: 'shut/copy.txt',
    name: 'copy.txt',
    bucket_id: 'shut',
    user_metadata: { by: 'me' },
  })
  const { data } = await admin.storage.from('shut').info('copy.txt')
  expect(data).toMatchObject({ contentType: 'text/css', cacheControl: 'max-age=3600' })
})
