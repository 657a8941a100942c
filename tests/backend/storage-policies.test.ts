// Another user's files: no operation of the official client changes them.
import { beforeEach, expect, test } from 'vitest'
import { officialClient, signedIn, startTestBackend } from '../harness/backend.ts'

const backend = await startTestBackend()
const skipper = await signedIn(backend, 'skipper')
const mate = await signedIn(backend, 'mate')
const nobody = officialClient(backend)
const admin = officialClient(backend, backend.secretKey)
const hers = (await skipper.auth.getUser()).data.user?.id ?? ''
const his = (await mate.auth.getUser()).data.user?.id ?? ''
const log = `${hers}/log.txt`
const own = `${his}/own.txt`
const text = { contentType: 'text/plain' }

const intruders = [
  { who: 'another user', from: (bucket: string) => mate.storage.from(bucket) },
  { who: 'someone signed out', from: (bucket: string) => nobody.storage.from(bucket) },
]

/** Names and contents of all files, read with the secret key. */
async function everything(): Promise<Record<string, string | undefined>> {
  const found: Record<string, string | undefined> = {}
  for (const folder of [hers, his]) {
    for (const { name, id } of (await admin.storage.from('charts').list(folder)).data ?? []) {
      const path = `${folder}/${name}`
      if (id) found[path] = await (await admin.storage.from('charts').download(path)).data?.text()
    }
  }
  return found
}

beforeEach(async () => {
  await skipper.storage.from('charts').upload(log, 'her log', { ...text, upsert: true })
  await mate.storage.from('charts').upload(own, 'his own', { ...text, upsert: true })
})

for (const { who, from } of intruders) {
  test.each([
    ['write next to it', () => from('charts').upload(`${hers}/new.txt`, 'x', text)],
    ['write over it', () => from('charts').upload(log, 'x', text)],
    ['replace it', () => from('charts').upload(log, 'x', { ...text, upsert: true })],
    ['update it', () => from('charts').update(log, 'x', text)],
    ['move it away', () => from('charts').move(log, `${his}/stolen.txt`)],
    ['move onto it', () => from('charts').move(own, log)],
    ['move next to it', () => from('charts').move(own, `${hers}/planted.txt`)],
    ['copy onto it', () => from('charts').copy(own, log)],
    ['copy next to it', () => from('charts').copy(own, `${hers}/planted.txt`)],
    ['sign an upload next to it', () => from('charts').createSignedUploadUrl(`${hers}/signed.txt`)],
    ['sign an upload over it', () => from('charts').createSignedUploadUrl(log, { upsert: true })],
  ])(`${who} can't %s`, async (_verb, attempt) => {
    const before = await everything()
    const { data, error } = await attempt()
    expect({ data, name: error?.name }).toEqual({ data: null, name: 'StorageApiError' })
    expect(await everything()).toEqual(before)
  })

  test(`${who} can't delete it, nor empty, change or delete the bucket`, async () => {
    const before = await everything()
    expect((await from('charts').remove([log])).data).toEqual([])
    const client = who === 'another user' ? mate : nobody
    const error = expect.objectContaining({ name: 'StorageApiError' })
    expect(await client.storage.updateBucket('charts', { public: true })).toEqual({ data: null, error })
    expect(await client.storage.deleteBucket('charts')).toEqual({ data: null, error })
    expect(await client.storage.emptyBucket('charts')).toMatchObject({
      error: { message: 'Access denied: Invalid role', statusCode: '403' },
    })
    expect(await everything()).toEqual(before)
  })
}

test('an anonymous user can neither read nor sign', async () => {
  const charts = nobody.storage.from('charts')
  const refused = { data: null, error: expect.objectContaining({ name: 'StorageApiError' }) }
  expect(await charts.download(log)).toEqual(refused)
  expect(await charts.info(log)).toEqual(refused)
  expect(await charts.createSignedUrl(log, 60)).toEqual(refused)
  expect((await charts.list(hers)).data).toEqual([])
  const [signed] = (await charts.createSignedUrls([log], 60)).data ?? []
  expect([signed?.error, signed?.signedUrl]).toEqual([
    'Either the object does not exist or you do not have access to it',
    null,
  ])
})

test('a signed upload cannot be redirected to another name', async () => {
  const { data } = await mate.storage.from('charts').createSignedUploadUrl(`${his}/signed.txt`)
  const { error } = await nobody.storage.from('charts').uploadToSignedUrl(log, data?.token ?? '', 'x')
  expect(error).toMatchObject({ statusCode: '400', message: 'Invalid signature' })
  expect((await everything())[log]).toBe('her log')
})

test('a removal with tx=rollback names the files it would remove, and removes none', async () => {
  const attempt = async (client: typeof mate) => {
    const token = (await client.auth.getSession()).data.session?.access_token ?? ''
    const response = await fetch(`${backend.url}/storage/v1/object/charts`, {
      method: 'DELETE',
      headers: {
        apikey: backend.publishableKey,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        prefer: 'tx=rollback',
      },
      body: JSON.stringify({ prefixes: [log, own] }),
    })
    const removed = (await response.json()) as { readonly name: string }[]
    return [response.headers.get('preference-applied'), removed.map(({ name }) => name)]
  }
  const before = await everything()
  expect(await attempt(mate)).toEqual(['tx=rollback', [own]])
  expect(await attempt(skipper)).toEqual(['tx=rollback', [log]])
  expect(await everything()).toEqual(before)
})
