// The storage service, used through the official client.
import { expect, test } from 'vitest'
import { officialClient, signedIn, startTestBackend } from '../harness/backend.ts'

const backend = await startTestBackend()
const skipper = await signedIn(backend, 'skipper')
const mate = await signedIn(backend, 'mate')
const uid = (await skipper.auth.getUser()).data.user?.id ?? ''
const charts = skipper.storage.from('charts')

/** Every byte value, and sequences that a text decoder would corrupt. */
const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 31 + (index >> 8)) % 256)

async function bytesOf(blob: Blob | null | undefined): Promise<Uint8Array> {
  return new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0))
}

test.each([
  ['a Blob', new Blob([bytes], { type: 'image/png' })],
  ['bytes', bytes],
  ['a File in a form', formWith(new File([bytes], 'chart.png', { type: 'image/png' }))],
])('%s round-trips byte for byte', async (name, body) => {
  const path = `${uid}/round trip/${name}.png`
  const uploaded = await charts.upload(path, body, { contentType: 'image/png' })
  expect(uploaded.error).toBeNull()
  expect(uploaded.data).toMatchObject({ path, fullPath: `charts/${path}` })
  const { data } = await charts.download(path)
  expect(data?.type).toBe('image/png')
  expect(Buffer.compare(await bytesOf(data), bytes)).toBe(0)
})

function formWith(file: File): FormData {
  const form = new FormData()
  form.append('cacheControl', '60')
  form.append('', file)
  return form
}

test('the seeded files exist in their folders', async () => {
  const top = await charts.list(uid)
  expect(top.data?.map(item => [item.name, item.id === null])).toContainEqual(['approaches', true])
  expect(top.data?.map(item => item.name)).toContain('pilot-notes.txt')
  const folder = await charts.list(`${uid}/approaches`)
  expect(folder.data?.map(item => [item.name, item.metadata?.mimetype])).toEqual([
    ['gullhaven.svg', 'image/svg+xml'],
  ])
})

test('a missing bucket and a missing file have different errors', async () => {
  const missing = (bucket: string) => skipper.storage.from(bucket).download('.emptyFolderPlaceholder')
  expect((await missing('charts')).error).toMatchObject({ message: 'Object not found', statusCode: '404' })
  expect((await missing('Charts')).error).toMatchObject({ message: 'Bucket not found', statusCode: '404' })
})

test('all signed-in users read, only the owner writes', async () => {
  const path = `${uid}/pilot-notes.txt`
  expect((await (await mate.storage.from('charts').download(path)).data?.text())?.slice(0, 9)).toBe(
    'GULLHAVEN',
  )
  const { error } = await mate.storage.from('charts').upload(`${uid}/graffiti.txt`, 'Kilroy')
  expect(error).toMatchObject({
    message: 'new row violates row-level security policy',
    status: 400,
    statusCode: '403',
  })
  const overwritten = await mate.storage.from('charts').upload(path, 'Kilroy', { upsert: true })
  expect(overwritten.error).toMatchObject({ statusCode: '403' })
  const removed = await mate.storage.from('charts').remove([path])
  expect(removed.data).toEqual([])
  expect((await officialClient(backend).storage.from('charts').download(path)).error).not.toBeNull()
})

test('rejects an existing name unless upsert is set', async () => {
  const path = `${uid}/once.txt`
  await charts.upload(path, 'one', { contentType: 'text/plain' })
  expect((await charts.upload(path, 'two')).error).toMatchObject({
    statusCode: '409',
    message: 'The resource already exists',
  })
  expect((await charts.update(path, 'three', { contentType: 'text/plain' })).error).toBeNull()
  expect(await (await charts.download(path)).data?.text()).toBe('three')
})

test('files are moved, copied and removed', async () => {
  await charts.upload(`${uid}/a.txt`, 'log', { contentType: 'text/plain' })
  expect((await charts.move(`${uid}/a.txt`, `${uid}/b.txt`)).error).toBeNull()
  expect((await charts.copy(`${uid}/b.txt`, `${uid}/c.txt`)).data).toEqual({ path: `charts/${uid}/c.txt` })
  expect((await charts.download(`${uid}/a.txt`)).error).toMatchObject({ name: 'StorageApiError' })
  expect((await charts.exists(`${uid}/a.txt`)).data).toBe(false)
  const removed = await charts.remove([`${uid}/b.txt`, `${uid}/c.txt`])
  expect(removed.data?.map(item => item.name)).toEqual([`${uid}/b.txt`, `${uid}/c.txt`])
})

test('a signed URL needs no session and cannot be redirected to another file', async () => {
  const { data } = await charts.createSignedUrl(`${uid}/pilot-notes.txt`, 60)
  const response = await fetch(data?.signedUrl ?? '')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-security-policy')).toContain('sandbox')
  const bent = await fetch((data?.signedUrl ?? '').replace('pilot-notes.txt', 'approaches/gullhaven.svg'))
  expect(bent.status).toBe(400)
  expect(await bent.json()).toMatchObject({ statusCode: '400', code: 'InvalidSignature' })
})

test('a signed upload runs as the signer', async () => {
  const { data } = await charts.createSignedUploadUrl(`${uid}/signed.bin`)
  const client = officialClient(backend)
  const uploaded = await client.storage
    .from('charts')
    .uploadToSignedUrl(data?.path ?? '', data?.token ?? '', new Blob([bytes]))
  expect(uploaded.error).toBeNull()
  expect(Buffer.compare(await bytesOf((await charts.download(`${uid}/signed.bin`)).data), bytes)).toBe(0)
})

test('a public bucket is readable without a session; only the secret key creates buckets', async () => {
  expect((await skipper.storage.createBucket('photos', { public: true })).error).toMatchObject({
    statusCode: '403',
  })
  const admin = officialClient(backend, backend.secretKey)
  expect((await admin.storage.createBucket('photos', { public: true, fileSizeLimit: 10 })).error).toBeNull()
  await admin.storage.from('photos').upload('buoy.txt', 'red can', { contentType: 'text/plain' })
  const tooLarge = await admin.storage.from('photos').upload('big.txt', 'eleven byte')
  expect(tooLarge.error).toMatchObject({ statusCode: '413' })
  const address = skipper.storage.from('photos').getPublicUrl('buoy.txt').data.publicUrl
  expect(await (await fetch(address)).text()).toBe('red can')
  expect((await skipper.storage.listBuckets()).data?.map(bucket => bucket.id)).toEqual(['charts', 'photos'])
})

test.each(['../secrets.json', 'a\\b', 'a/./b', 'é', 'a\nb'])('the name %s is refused', async name => {
  const response = await fetch(`${backend.url}/storage/v1/object/charts/x%2F${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { apikey: backend.secretKey },
    body: 'x',
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ code: 'InvalidKey', message: `Invalid key: x/${name}` })
})

test.each([
  ['GET', 'object/public/a.txt'],
  ['GET', 'object/sign/a.txt'],
  ['PUT', 'object/public/a.txt'],
  ['PUT', 'object/public/charts/a.txt'],
  ['PUT', 'object/sign/charts/a.txt'],
  ['PUT', 'object/upload/sign/a.txt'],
  ['POST', 'object/upload/sign/charts/a.txt'],
  ['DELETE', 'object/public/a.txt'],
])('%s %s needs a key', async (method, path) => {
  const response = await fetch(`${backend.url}/storage/v1/${path}`, { method })
  expect([response.status, (await response.json()).message]).toEqual([401, 'No API key found in request'])
})

test('a signed upload only needs its token', async () => {
  const { data } = await skipper.storage.from('charts').createSignedUploadUrl(`${uid}/keyless.txt`)
  const put = (url: string) => fetch(url, { method: 'PUT', body: 'x' })
  expect((await put(data?.signedUrl ?? '')).status).toBe(200)
  expect((await put(`${backend.url}/storage/v1/object/upload/sign/charts/a.txt`)).status).toBe(400)
})
