// Rendered images: sizes, formats, refusals, signed URLs and the bounded cache.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBackend, type Backend } from '../../backend/index.ts'
import { createImages } from '../../backend/storage/images.ts'
import { createRenderedImages } from '../../backend/storage/rendered.ts'
import { createMemoryBlobs, ObjectStore } from '../../backend/storage/index.ts'
import type { ObjectRow } from '../../backend/storage/rows.ts'
import type { Database } from '../../backend/database/index.ts'
import { CHEAP, officialClient } from '../harness/backend.ts'

const dir = mkdtempSync(join(tmpdir(), 'chartroom-images-'))
const create = { width: 400, height: 200, channels: 3, background: '#336699' } as const
let backend: Backend

const rendered = () => (existsSync(join(dir, 'rendered')) ? readdirSync(join(dir, 'rendered')) : [])
const admin = () => officialClient(backend, backend.secretKey).storage
const photos = () => admin().from('photos')

beforeAll(async () => {
  backend = await startBackend({ data: { dir }, auth: CHEAP })
  await admin().createBucket('photos', { public: true })
  await admin().createBucket('private', { public: false })
  const photo = sharp({ create })
  await photos().upload('wide.jpg', await photo.jpeg().toBuffer(), { contentType: 'image/jpeg' })
  await admin()
    .from('private')
    .upload('wide.png', await photo.png().toBuffer(), { contentType: 'image/png' })
  const turned = await photo.jpeg().withMetadata({ orientation: 6 }).toBuffer()
  await photos().upload('turned.jpg', turned, { contentType: 'image/jpeg' })
  await photos().upload('text.txt', 'not an image', { contentType: 'image/png' })
  await photos().upload('drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', {
    contentType: 'image/svg+xml',
  })
})
afterAll(async () => {
  await backend.stop()
  rmSync(dir, { recursive: true, force: true })
})

async function render(path: string, init: RequestInit = {}) {
  const response = await fetch(`${backend.url}/storage/v1/render/image/${path}`, init)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { response, bytes, json: () => JSON.parse(bytes.toString()) }
}

const sizeOf = async (bytes: Buffer) => {
  const { width, height, format } = await sharp(bytes).metadata()
  return `${width} × ${height} ${format}`
}

test.each([
  ['wide.jpg?width=100&height=100', '100 × 100 jpeg'],
  ['wide.jpg?width=100', '100 × 50 jpeg'],
  ['wide.jpg?height=100', '200 × 100 jpeg'],
  ['wide.jpg?width=100&height=100&resize=contain', '100 × 50 jpeg'],
  ['wide.jpg?width=100&height=100&resize=fill', '100 × 100 jpeg'],
  ['wide.jpg?width=100&resize=fill', '100 × 200 jpeg'],
  ['wide.jpg?width=100&height=100&format=webp', '100 × 100 webp'],
  ['wide.jpg?width=100&format=origin', '100 × 50 jpeg'],
  // Not enlarged.
  ['wide.jpg?width=3000', '400 × 200 jpeg'],
  ['wide.jpg?width=800&height=100', '400 × 100 jpeg'],
  ['wide.jpg?width=800&height=100&resize=fill', '400 × 100 jpeg'],
  // 0 keeps the proportions.
  ['wide.jpg?width=0&height=50', '100 × 50 jpeg'],
  ['wide.jpg', '400 × 200 jpeg'],
  // The orientation of a camera is applied.
  ['turned.jpg?width=100', '100 × 200 jpeg'],
])('%s is rendered as %s', async (path, expected) => {
  const { response, bytes } = await render(`public/photos/${path}`)
  expect([response.status, await sizeOf(bytes)]).toEqual([200, expected])
  expect(response.headers.get('content-type')).toBe(`image/${expected.split(' ').at(-1)}`)
  expect(response.headers.get('content-length')).toBe(String(bytes.length))
})

test('AVIF on request', async () => {
  const { response } = await render('public/photos/wide.jpg?width=64&format=avif')
  expect(response.headers.get('content-type')).toBe('image/avif')
})

test('WebP for browsers that accept it, unless the original format is requested', async () => {
  const headers = { accept: 'image/avif,image/webp,*/*' }
  const types = ['?width=50', '?width=50&format=origin'].map(async query => {
    const { response } = await render(`public/photos/wide.jpg${query}`, { headers })
    return response.headers.get('content-type')
  })
  expect(await Promise.all(types)).toEqual(['image/webp', 'image/jpeg'])
})

test('SVG is served unchanged', async () => {
  const { response, bytes } = await render('public/photos/drawing.svg?width=5', {
    headers: { accept: 'image/webp' },
  })
  expect([response.headers.get('content-type'), bytes.toString().slice(0, 4)]).toEqual([
    'image/svg+xml',
    '<svg',
  ])
  expect(response.headers.get('content-security-policy')).toContain('sandbox')
})

test('a lower quality gives a smaller file', async () => {
  const noise = {
    width: 300,
    height: 300,
    channels: 3,
    noise: { type: 'gaussian', mean: 128, sigma: 60 },
  } as const
  const image = await sharp({ create: { ...noise, background: '#000' } })
    .jpeg()
    .toBuffer()
  await photos().upload('noise.jpg', image, { contentType: 'image/jpeg' })
  const lengths = [20, 80, undefined, 100].map(async quality => {
    const query = quality === undefined ? '' : `&quality=${quality}`
    return (await render(`public/photos/noise.jpg?width=200${query}`)).bytes.length
  })
  const [low = 0, normal = 0, unset = 0, high = 0] = await Promise.all(lengths)
  expect([low < normal, normal === unset, normal < high]).toEqual([true, true, true])
})

test.each([
  ['text.txt?width=10', 'The source image is invalid or unsupported for rendering'],
  ['wide.jpg?width=ten', 'querystring/width must be an integer'],
  ['wide.jpg?width=-1', 'querystring/width must be >= 0'],
  ['wide.jpg?height=1.5', 'querystring/height must be an integer'],
  ['wide.jpg?quality=10', 'querystring/quality must be >= 20'],
  ['wide.jpg?quality=101', 'querystring/quality must be <= 100'],
  ['wide.jpg?resize=stretch', 'querystring/resize must be one of cover, contain, fill'],
  ['wide.jpg?format=bmp', 'querystring/format must be one of origin, avif, webp'],
  ['wide.jpg?gravity=sm', 'querystring/gravity is not supported by this backend'],
])('%s is refused', async (path, message) => {
  const { response, json } = await render(`public/photos/${path}`)
  expect([response.status, json()]).toMatchObject([400, { statusCode: '400', message }])
})

test('files that are too large for rendering are refused', async () => {
  const pixels = await sharp({ create: { ...create, width: 8_000, height: 7_000 } })
    .png()
    .toBuffer()
  await photos().upload('pixels.png', pixels, { contentType: 'image/png' })
  await photos().upload('bytes.png', Buffer.alloc(26 * 1024 ** 2), { contentType: 'image/png' })
  const messages = ['pixels.png', 'bytes.png'].map(
    async name => (await render(`public/photos/${name}?width=10`)).json().message,
  )
  expect(await Promise.all(messages)).toEqual([
    'The source image resolution is too large to process',
    'The source image file is too large to process',
  ])
})

test('private images need a user who may read them, or a signed URL', async () => {
  expect((await render('authenticated/private/wide.png?width=10')).response.status).toBe(401)
  expect((await render('public/private/wide.png?width=10')).response.status).toBe(400)
  const anonymous = await officialClient(backend)
    .storage.from('private')
    .download('wide.png', { transform: { width: 10 } })
  expect(anonymous.error).toMatchObject({ statusCode: '404' })
  const { data } = await admin()
    .from('private')
    .download('wide.png', { transform: { width: 10, height: 10 } })
  expect(data?.type).toBe('image/png')
  const { data: signed } = await admin()
    .from('private')
    .createSignedUrl('wide.png', 60, { transform: { width: 200, height: 200, quality: 60 } })
  expect(signed?.signedUrl).toContain('/render/image/sign/private/wide.png?token=')
  const response = await fetch(signed?.signedUrl ?? '')
  expect(response.headers.get('x-transformations')).toBe('height:200,width:200,resizing_type:fill,quality:60')
  expect(await sizeOf(Buffer.from(await response.arrayBuffer()))).toBe('200 × 200 png')
  // The token decides, not the query.
  const other = await fetch(`${signed?.signedUrl}&width=20`)
  expect(await sizeOf(Buffer.from(await other.arrayBuffer()))).toBe('200 × 200 png')
  const forged = await fetch(`${signed?.signedUrl}`.replace('wide.png', 'wide2.png'))
  expect(forged.status).toBe(400)
  const plain = await admin().from('private').createSignedUrl('wide.png', 60)
  expect(plain.data?.signedUrl).toContain('/object/sign/private/')
  const empty = await admin().from('private').createSignedUrl('wide.png', 60, { transform: {} })
  expect(empty.data?.signedUrl).toContain('/object/sign/private/')
})

test('rendered images are cached until their file is replaced or removed', async () => {
  const image = await sharp({ create }).png().toBuffer()
  const path = 'cached.png'
  await photos().upload(path, image, { contentType: 'image/png' })
  const version = (await photos().info(path)).data?.version ?? ''
  const ofVersion = () => rendered().filter(name => name.startsWith(version))
  const [first, second] = await Promise.all([
    render(`public/photos/${path}?width=40`),
    render(`public/photos/${path}?width=40`),
  ])
  expect(Buffer.compare(first.bytes, second.bytes)).toBe(0)
  expect(ofVersion()).toHaveLength(1)
  const again = await render(`public/photos/${path}?width=40`)
  expect(Buffer.compare(first.bytes, again.bytes)).toBe(0)
  const tall = await sharp({ create: { ...create, width: 100, height: 400 } })
    .png()
    .toBuffer()
  await photos().update(path, tall, { contentType: 'image/png' })
  expect(ofVersion()).toEqual([])
  expect(await sizeOf((await render(`public/photos/${path}?width=40`)).bytes)).toBe('40 × 160 png')
  await photos().remove([path])
  expect((await render(`public/photos/${path}?width=40`)).response.status).toBe(400)
})

test.each([
  ['in memory', undefined],
  ['on disk', join(dir, 'bounded')],
])('the cache %s drops what was not used for longest', async (_where, folder) => {
  const cache = createRenderedImages(folder, 25)
  const image = Buffer.alloc(10)
  await cache.put('a', 'width:1', image)
  await cache.put('b', 'width:1', image)
  await cache.get('a', 'width:1')
  await cache.put('c', 'width:1', image)
  await cache.put('d', 'width:1', Buffer.alloc(26))
  const found = await Promise.all(['a', 'b', 'c', 'd'].map(async name => cache.get(name, 'width:1')))
  expect(found.map(bytes => bytes?.length)).toEqual([10, undefined, 10, undefined])
  if (folder === undefined) return
  // A later process finds them, and knows their sizes.
  const later = createRenderedImages(folder, 25)
  expect((await later.get('a', 'width:1'))?.length).toBe(10)
  await later.put('e', 'width:1', image)
  expect(readdirSync(folder)).toHaveLength(2)
  await later.remove(['a', 'c', 'e'])
  expect(readdirSync(folder)).toEqual([])
})

test('without sharp, the error names the package and what to do', async () => {
  const row = (await photos().info('wide.jpg')).data
  const blobs = createMemoryBlobs()
  await blobs.put(row?.version ?? '', [Buffer.alloc(1)])
  const objects = new ObjectStore({} as Partial<Database> as Database, blobs)
  const images = createImages(objects, createRenderedImages(undefined), () =>
    Promise.reject(new Error("Cannot find package 'sharp'")),
  )
  const stored = { version: row?.version ?? '' } as Partial<ObjectRow> as ObjectRow
  await expect(images.render(stored, { width: 10 }, null)).rejects.toMatchObject({
    status: 501,
    message: expect.stringContaining('npm install sharp'),
  })
})
