// Details of the official storage server: parts of files, pages of listings, sizes, types and times.
import { expect, test } from 'vitest'
import { officialClient, signedIn, startTestBackend } from '../harness/backend.ts'

const backend = await startTestBackend()
const skipper = await signedIn(backend, 'skipper')
const admin = officialClient(backend, backend.secretKey)
const uid = (await skipper.auth.getUser()).data.user?.id ?? ''
const charts = skipper.storage.from('charts')

const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => (index * 7) % 256)
const path = `${uid}/parity/film.mp4`
await charts.upload(path, bytes, { contentType: 'video/mp4' })
const { data: signed } = await charts.createSignedUrl(path, 60)

const part = async (range: string, headers: Record<string, string> = {}) => {
  const response = await fetch(signed?.signedUrl ?? '', { headers: { range, ...headers } })
  return { response, body: new Uint8Array(await response.arrayBuffer()) }
}

test.each([
  ['bytes=0-99', 0, 100],
  ['bytes=100000-', 100_000, 200_000],
  ['bytes=-10', 199_990, 200_000],
  ['bytes=65530-131080', 65_530, 131_081],
  ['bytes=199999-999999', 199_999, 200_000],
])('%s of a file', async (range, from, to) => {
  const { response, body } = await part(range)
  expect([
    response.status,
    response.headers.get('content-range'),
    response.headers.get('content-length'),
  ]).toEqual([206, `bytes ${from}-${to - 1}/200000`, String(to - from)])
  expect(Buffer.compare(body, bytes.subarray(from, to))).toBe(0)
})

test('ranges that the file does not have, and those that are ignored', async () => {
  const beyond = await part('bytes=200000-')
  expect([beyond.response.status, beyond.response.headers.get('content-range')]).toEqual([
    416,
    'bytes */200000',
  ])
  for (const range of ['bytes=5-1', 'lines=1-2', 'bytes=0-1,4-5', 'bytes=-']) {
    const { response, body } = await part(range)
    expect([range, response.status, body.length]).toEqual([range, 200, 200_000])
  }
  const { response } = await part('bytes=0-1')
  const same = await part('bytes=0-1', { 'if-range': response.headers.get('etag') ?? '' })
  const other = await part('bytes=0-1', { 'if-range': '"other"' })
  expect([same.response.status, other.response.status]).toEqual([206, 200])
  const whole = await fetch(signed?.signedUrl ?? '')
  expect(whole.headers.get('accept-ranges')).toBe('bytes')
  await whole.body?.cancel()
})

test('sizes and types of a bucket', async () => {
  await admin.storage.createBucket('limited', {
    public: false,
    fileSizeLimit: '20mb',
    allowedMimeTypes: ['image/*'],
  })
  const { data } = await admin.storage.getBucket('limited')
  expect(data?.file_size_limit).toBe(20_000_000)
  const { error } = await admin.storage.from('limited').upload('a.txt', 'text', { contentType: 'text/plain' })
  expect(error).toMatchObject({ message: 'mime type text/plain is not supported', statusCode: '415' })
})

test('the fields of a bucket and of a file', async () => {
  const fields = (record: unknown) => Object.keys(Object(record)).sort()
  const bucket = await admin.storage.getBucket('charts')
  const expected = ['allowed_mime_types', 'created_at', 'file_size_limit', 'id', 'name', 'owner', 'public']
  expect(fields(bucket.data)).toEqual([...expected, 'updated_at'])
  const listed = await admin.storage.listBuckets()
  expect(fields(listed.data?.[0])).toEqual([...expected, 'type', 'updated_at'])
  expect((await charts.info(path)).data).not.toHaveProperty('updatedAt')
})

test('times are in ISO format', async () => {
  const [item] = (await charts.list(`${uid}/parity`)).data ?? []
  for (const time of [item?.created_at, item?.updated_at])
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const { data } = await charts.info(path)
  expect(data?.createdAt).toMatch(/\.\d{3}Z$/)
})

test('listings in pages', async () => {
  const place = `${uid}/pages/`
  for (const name of ['a.txt', 'b/one.txt', 'b/two.txt', 'c.txt', 'd/three.txt'])
    await charts.upload(place + name, name)
  const flat = await charts.listV2({ prefix: place })
  expect(flat.data?.objects.map(({ name }) => name)).toEqual(
    ['a.txt', 'b/one.txt', 'b/two.txt', 'c.txt', 'd/three.txt'].map(name => place + name),
  )
  expect([flat.data?.folders, flat.data?.hasNext, flat.data?.nextCursor]).toEqual([[], false, undefined])
  const seen: string[] = []
  let cursor: string | undefined
  for (let page = 0; page < 9; page++) {
    const { data, error } = await charts.listV2({
      prefix: place,
      with_delimiter: true,
      limit: 2,
      ...(cursor !== undefined && { cursor }),
    })
    expect(error).toBe(null)
    seen.push(...[...(data?.folders ?? []), ...(data?.objects ?? [])].map(({ name }) => name))
    cursor = data?.nextCursor
    if (data?.hasNext !== true) break
  }
  expect(seen.sort()).toEqual(['a.txt', 'b/', 'c.txt', 'd/'].map(name => place + name))
  const [folder] = (await charts.listV2({ prefix: place, with_delimiter: true })).data?.folders ?? []
  expect(folder).toMatchObject({ key: 'b', name: `${place}b/` })
  const newest = await charts.listV2({
    prefix: place,
    limit: 1,
    sortBy: { column: 'created_at', order: 'desc' },
  })
  expect(newest.data?.objects.map(({ name }) => name)).toEqual([`${place}d/three.txt`])
})
