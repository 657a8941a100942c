// Uploads to the embedded backend: in one request and in parts, existing names, interruptions, limits, and a
// bad connection.
import { expect, test, vi } from 'vitest'
import type { ChartroomClient, UploadStatus } from '../../../src/public/index.ts'
import { addressed } from '../../../src/services/workbench/files/index.ts'
import { isStorageAddress } from '../../../src/services/client/uploads/storage-call.ts'
import { memoryStorage } from '../../../src/services/client/index.ts'
import { signedIn, startTestBackend } from '../../harness/backend.ts'
import { watchedClient } from '../../harness/client.ts'

const backend = await startTestBackend()
const [skipper = { email: '', password: '' }] = backend.accounts
const MB = 1024 * 1024
const RESUMABLE = '/upload/resumable'

interface Asked {
  readonly method: string
  readonly path: string
}

/** A signed-in client, what it sent to storage, and a connection that can be cut. */
async function start(
  cut: (asked: Asked, at: number) => boolean | Promise<boolean> = () => false,
  backoff = 1,
) {
  const requests: Asked[] = []
  const line: typeof fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : input.toString()
    const one = { method: init?.method ?? 'GET', path: new URL(url).pathname.replace('/storage/v1', '') }
    const isStorage = url.includes('/storage/v1')
    if (isStorage) requests.push(one)
    if (isStorage && (await cut(one, requests.length))) throw new TypeError('cut')
    return fetch(input, init)
  }
  const client = watchedClient({
    url: backend.url,
    key: backend.publishableKey,
    storage: memoryStorage(),
    fetch: line,
    timings: { backoffMin: backoff, backoffMax: 2 * backoff },
  })
  const signed = await client.auth.signInWithPassword(skipper)
  const user = signed.ok ? signed.value.id : ''
  return { client, requests, pathOf: (name: string) => `${user}/${name}` }
}

const content = (size: number, seed: number) =>
  new Blob([Uint8Array.from({ length: size }, (_, at) => (at * 31 + seed) % 251)], { type: 'image/png' })

const until = (client: ChartroomClient, phases: readonly UploadStatus['phase'][]) =>
  vi.waitFor(() => expect(client.uploads.list().map(({ phase }) => phase)).toEqual(phases), {
    timeout: 8_000,
  })

const stored = async (client: ChartroomClient, path: string) => {
  const { data } = await client.supabase.storage.from('charts').download(addressed(path))
  return Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0))
}

test('a large file is sent in parts, and resumes where it was interrupted, byte for byte', async () => {
  let cuts = 0
  const { client, requests, pathOf } = await start(({ method }) => method === 'PATCH' && (cuts += 1) === 2)
  const path = pathOf("night's (1) & more.png")
  const blob = content(7 * MB, 3)
  const [id] = await client.uploads.add([{ bucket: 'charts', path, content: blob }])
  await until(client, ['done'])
  expect(client.uploads.list()[0]).toEqual({
    id,
    bucket: 'charts',
    path,
    bytes: 7 * MB,
    sent: 7 * MB,
    phase: 'done',
    resumable: false,
    attempts: 2,
  })
  expect(requests.filter(one => one.path.startsWith(RESUMABLE)).map(({ method }) => method)).toEqual([
    'POST',
    'PATCH',
    'PATCH',
    'HEAD',
    'PATCH',
  ])
  expect(Buffer.from(await blob.arrayBuffer()).equals(await stored(client, path))).toBe(true)
})

test('what a canceled upload had sent is deleted on the host, and sent again on retry', async () => {
  let cuts = 0
  const { client, requests, pathOf } = await start(
    ({ method }) => method === 'PATCH' && (cuts += 1) === 2,
    60_000,
  )
  const path = pathOf('given up.png')
  const [id = ''] = await client.uploads.add([{ bucket: 'charts', path, content: content(7 * MB, 4) }])
  await until(client, ['retrying'])
  client.uploads.cancel(id)
  const parts = () => requests.filter(one => one.path.startsWith(RESUMABLE)).map(({ method }) => method)
  await vi.waitFor(() => expect(parts()).toEqual(['POST', 'PATCH', 'PATCH', 'DELETE']))
  const address = requests.find(({ method }) => method === 'DELETE')?.path ?? ''
  await vi.waitFor(async () => {
    const left = await client.fetch(`/storage/v1${address}`, { method: 'HEAD' })
    expect(left.status).toBe(404)
  })
  client.uploads.retry(id)
  await until(client, ['done'])
  expect(parts().slice(4)).toEqual(['HEAD', 'POST', 'PATCH', 'PATCH'])
})

test('the token is sent only to addresses of the project; an upload elsewhere fails', async () => {
  const reported: [string, string | null][] = []
  const client = watchedClient({
    url: backend.url,
    key: backend.publishableKey,
    storage: memoryStorage(),
    fetch: async (input, init) => {
      const url = input instanceof Request ? input.url : input.toString()
      reported.push([new URL(url).origin, new Headers(init?.headers).get('authorization')])
      if (!url.endsWith(RESUMABLE)) return fetch(input, init)
      return new Response(null, { status: 201, headers: { location: 'https://evil.example/steal' } })
    },
  })
  await client.auth.signInWithPassword(skipper)
  await client.uploads.add([{ bucket: 'charts', path: 'x/a.png', content: content(7 * MB, 5) }])
  await until(client, ['failed'])
  expect(client.uploads.list()[0]?.failure).toEqual({
    kind: 'storage',
    code: 'foreign_upload_address',
    message:
      "The storage backend directs this upload to https://evil.example, which is not part of the project. Nothing was sent there. Check the host's public address.",
  })
  expect(reported.filter(([origin]) => origin !== backend.url)).toEqual([])
})

test.each([
  ['http://127.0.0.1:4400/storage/v1/upload/resumable/x', 'http://127.0.0.1:4400', true],
  ['http://127.0.0.1:4401/storage/v1/upload/resumable/x', 'http://127.0.0.1:4400', false],
  ['https://ref.supabase.co/storage/v1/upload/x', 'https://ref.supabase.co', true],
  ['http://ref.supabase.co/storage/v1/upload/x', 'https://ref.supabase.co', false],
  ['https://ref.storage.supabase.co/storage/v1/upload/x', 'https://ref.supabase.co', true],
  ['https://ref.storage.supabase.in/storage/v1/upload/x', 'https://ref.supabase.in', true],
  ['https://ref.storage.supabase.red/storage/v1/upload/x', 'https://ref.supabase.red', true],
  ['https://ref.storage.supabase.in/storage/v1/upload/x', 'https://ref.supabase.co', false],
  ['https://other.storage.supabase.co/storage/v1/upload/x', 'https://ref.supabase.co', false],
  ['http://ref.storage.supabase.co/storage/v1/upload/x', 'https://ref.supabase.co', false],
  ['https://ref.storage.supabase.co.evil.example/x', 'https://ref.supabase.co', false],
  ['https://ref.storage.supabase.co@evil.example/x', 'https://ref.supabase.co', false],
  ['//evil.example/x', 'https://ref.supabase.co', false],
])('%s is an address of the project at %s: %s', (address, url, isOwn) => {
  expect(isStorageAddress(address, url)).toBe(isOwn)
})

test('for an existing name the user chooses: keep both, replace, skip, and one choice for all', async () => {
  const { client, pathOf } = await start()
  const add = (seed: number, ...names: readonly string[]) =>
    client.uploads.add(
      names.map(name => ({ bucket: 'charts', path: pathOf(name), content: content(20, seed) })),
    )
  await add(1, 'a.png', 'b.png')
  await until(client, ['done', 'done'])
  client.uploads.clear()
  const [one = '', other = ''] = await add(2, 'a.png', 'b.png')
  await until(client, ['asking', 'asking'])
  client.uploads.answer(one, 'keepBoth')
  client.uploads.answer(other, 'replace')
  await until(client, ['done', 'done'])
  expect(client.uploads.list().map(({ path }) => path)).toEqual([pathOf('a (2).png'), pathOf('b.png')])
  expect((await stored(client, pathOf('a.png')))[0]).toBe(1)
  expect((await stored(client, pathOf('b.png')))[0]).toBe(2)
  client.uploads.clear()
  const [first = ''] = await add(3, 'a.png', 'b.png')
  await until(client, ['asking', 'asking'])
  client.uploads.answer(first, 'skip', true)
  await until(client, ['skipped', 'skipped'])
})

test('what the bucket is known to reject is not sent, and the reason is reported', async () => {
  const { client, requests } = await start()
  await client.uploads.add([
    { bucket: 'charts', path: 'x/a.png', content: content(2000, 1), limits: { bytes: 1000 } },
    { bucket: 'charts', path: 'x/b.png', content: content(10, 1), limits: { types: ['text/*'] } },
  ])
  await until(client, ['failed', 'failed'])
  expect(client.uploads.list().map(({ failure }) => failure?.message)).toEqual([
    'This bucket accepts files up to 1.0 kB; this file has 2.0 kB.',
    'This bucket accepts only text/*; this file is image/png.',
  ])
  expect(requests).toEqual([])
})

test('a rejection by policy is reported, and can be retried under another name', async () => {
  const { client, pathOf } = await start()
  const [id = ''] = await client.uploads.add([
    { bucket: 'charts', path: 'somebody/else.png', content: content(10, 1) },
  ])
  await until(client, ['failed'])
  expect(client.uploads.list()[0]?.failure?.message).toBe('A policy of this bucket does not allow this.')
  client.uploads.retry(id, pathOf('else.png'))
  await until(client, ['done'])
})

test('a host that refuses one large file still gets the next in parts', async () => {
  const { client, requests, pathOf } = await start()
  const large = content(7 * MB, 9)
  const [lost = ''] = await client.uploads.add([
    { bucket: 'no-such', path: pathOf('lost.png'), content: large },
  ])
  await until(client, ['failed'])
  expect(client.uploads.list()[0]?.failure).toMatchObject({ kind: 'notFound', status: 404 })
  client.uploads.cancel(lost)
  requests.length = 0
  await client.uploads.add([{ bucket: 'charts', path: pathOf('after.png'), content: large }])
  await vi.waitFor(() => expect(client.uploads.list().at(-1)?.phase).toBe('done'), { timeout: 8_000 })
  const parts = requests.filter(one => one.path.startsWith(RESUMABLE)).map(({ method }) => method)
  expect(parts).toEqual(['POST', 'PATCH', 'PATCH'])
})

test('a name that is taken while its parts are sent is a conflict', async () => {
  const other = await signedIn(backend, 'skipper')
  let path: string | undefined
  const { client, pathOf } = await start(async ({ method }) => {
    if (method !== 'PATCH' || path === undefined) return false
    // Someone else stores the file first.
    const { error } = await other.storage.from('charts').upload(path, 'first')
    path = undefined
    expect(error).toBeNull()
    return true
  })
  path = pathOf('raced.png')
  await client.uploads.add([{ bucket: 'charts', path, content: content(7 * MB, 11) }])
  await until(client, ['asking'])
})

test('three at a time; a paused upload releases its slot, and a canceled one ends', async () => {
  const held = Promise.withResolvers<void>()
  const { client, pathOf } = await start()
  // The backend responds when the test allows it: until then all three slots are taken.
  const slow = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    await held.promise
    return Response.json({ Id: 'x', Key: 'y' })
  })
  const ids = await client.uploads.add(
    ['1', '2', '3', '4', '5'].map(name => ({ bucket: 'charts', path: pathOf(name), content: content(5, 1) })),
  )
  await until(client, ['sending', 'sending', 'sending', 'waiting', 'waiting'])
  client.uploads.pause(ids[0] ?? '')
  await until(client, ['paused', 'sending', 'sending', 'sending', 'waiting'])
  client.uploads.cancel(ids[1] ?? '')
  await until(client, ['paused', 'canceled', 'sending', 'sending', 'sending'])
  client.uploads.resume(ids[0] ?? '')
  await until(client, ['waiting', 'canceled', 'sending', 'sending', 'sending'])
  held.resolve()
  await until(client, ['done', 'canceled', 'done', 'done', 'done'])
  slow.mockRestore()
  client.uploads.clear()
  expect(client.uploads.list()).toEqual([])
})

test('an unchanged list is the same array, and listeners are notified of each change', async () => {
  const { client, pathOf } = await start()
  const received: number[] = []
  const stop = client.uploads.onChange(() => received.push(client.uploads.list().length))
  await client.uploads.add([{ bucket: 'charts', path: pathOf('same.png'), content: content(5, 1) }])
  await until(client, ['done'])
  expect(client.uploads.list()).toBe(client.uploads.list())
  // The list is visible before listeners are notified at the end of the task.
  await vi.waitFor(() => expect(received.length).toBeGreaterThan(1))
  stop()
})
