// Files and functions on the embedded backend: ours and the official client get the same.
import { FunctionsHttpError, StorageApiError, type SupabaseClient } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { officialClient, startTestBackend } from '../../harness/backend.ts'
import { watchedClient } from '../../harness/client.ts'

const backend = await startTestBackend()
const { url, secretKey: key } = backend
const official = officialClient(backend, key)
const ours = () => watchedClient({ url, key }).supabase as SupabaseClient

/** Runs the same with both clients. */
const byBoth = async <Result>(run: (supabase: SupabaseClient) => Promise<Result>) =>
  [await run(official), await run(ours())] as const

/** Runs the same with both clients, each in a new bucket. */
const inBucket = <Result>(run: (supabase: SupabaseClient, bucket: string) => Promise<Result>) =>
  byBoth(async supabase => {
    const { storage } = supabase
    expect((await storage.createBucket('logs', { public: true })).error).toBeNull()
    const result = await run(supabase, 'logs')
    await storage.emptyBucket('logs')
    expect((await storage.deleteBucket('logs')).error).toBeNull()
    return result
  })

const textOf = async (content: Blob | ReadableStream | null) => new Response(content).text()

test('files: upload, list, download as a blob and as a stream, remove', async () => {
  const [expected, found] = await inBucket(async ({ storage }, bucket) => {
    const files = storage.from(bucket)
    const results: unknown[] = []
    const { data: uploaded } = await files.upload('log/a.txt', new Blob(['noon'], { type: 'text/plain' }))
    results.push(
      uploaded?.path,
      (await files.list('log')).data?.map(({ name }) => name),
    )
    const { data: blob, error } = await files.download('log/a.txt')
    results.push(error, blob?.type, await textOf(blob))
    const stream = await files.download('log/a.txt').asStream()
    results.push(stream.error, stream.data instanceof ReadableStream, await textOf(stream.data))
    const sliced = await files.download('log/a.txt', { transform: {} }, { cache: 'no-store' })
    results.push(await textOf(sliced.data))
    results.push((await files.info('log/a.txt')).data?.size, (await files.exists('log/a.txt')).data)
    const { data: signed } = await files.createSignedUrl('log/a.txt', 60)
    results.push(await (await fetch(signed?.signedUrl ?? '')).text())
    results.push(await (await fetch(files.getPublicUrl('log/a.txt').data.publicUrl)).text())
    const { data: place } = await files.createSignedUploadUrl('log/b.txt')
    results.push((await files.uploadToSignedUrl('log/b.txt', place?.token ?? '', 'dusk')).error)
    results.push((await files.remove(['log/a.txt', 'log/b.txt'])).data?.map(({ name }) => name).sort())
    return results
  })
  expect(found).toEqual(expected)
  expect(expected).toContain('noon')
})

test('a download is sent once it is awaited, and only once', async () => {
  const [expected, found] = await inBucket(async ({ storage }, bucket) => {
    const files = storage.from(bucket)
    const early = files.download('later.txt')
    await files.upload('later.txt', 'noon')
    const first = await early
    await files.remove(['later.txt'])
    const again = await early
    const names = await early.then(({ data }) => data?.size).finally(() => undefined)
    const caught = await files.download('later.txt').catch(() => undefined)
    return [
      await textOf(first.data),
      first.data === again.data,
      names,
      caught?.error?.message,
      Object.prototype.toString.call(early),
      Object.prototype.toString.call(early.asStream()),
      'asStream' in early.asStream(),
    ]
  })
  expect(found).toEqual(expected)
})

test('errors: of buckets, files, vectors, catalogs and functions', async () => {
  const [expected, found] = await byBoth(async ({ storage, functions }) => {
    const files = storage.from('missing')
    const index = storage.vectors.from('missing').index('depths')
    const thrown = await Promise.all(
      [files.exists('a.txt'), files.throwOnError().list()].map(asked =>
        asked.catch((error: unknown) => error),
      ),
    )
    const answers = [
      await storage.getBucket('missing'),
      await storage.from('missing').info('a.txt'),
      await storage.from('missing').download('a.txt'),
      await storage.from('missing').download('a.txt').asStream(),
      await storage.vectors.listBuckets(),
      await index.listVectors(),
      await storage.analytics.listBuckets(),
      await storage.analytics.from('missing').listNamespaces(),
      await functions.invoke('missing'),
    ]
    const errors = answers.map(({ error }) => error as Error)
    return [...(thrown as readonly Error[]), ...errors].map(error => [
      error.constructor,
      error.name,
      Object.entries(error).filter(([field]) => field !== 'context'),
    ])
  })
  expect(found).toEqual(expected)
  const classes = expected.map(([type]) => type)
  expect(classes).toEqual(expect.arrayContaining([StorageApiError, FunctionsHttpError]))
})

test('functions return what the official client returns', async () => {
  const [expected, found] = await byBoth(async ({ functions }) => {
    const { data, error, response } = await functions.invoke<{ readonly port: string }>('tide', { body: {} })
    return [data?.port, error, response?.status]
  })
  expect(found).toEqual(expected)
  expect(expected).toEqual(['Gullhaven', null, 200])
})

test('a function that is aborted', async () => {
  const [expected, found] = await byBoth(async ({ functions }) => {
    const { data, error } = await functions.invoke('tide', { signal: AbortSignal.abort() })
    return [data, (error as Error).name]
  })
  expect(found).toEqual(expected)
})
