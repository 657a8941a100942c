// Calls of the official client whose code cannot be loaded.
import { FunctionsFetchError, StorageApiError, type SupabaseClient } from '@supabase/supabase-js'
import { describe, expect, type Mock, test, vi } from 'vitest'
import { describeFailure } from '../../../src/public/index.ts'
import { createLazyFunctions } from '../../../src/services/client/official/lazy-functions.ts'
import { createLazyStorage } from '../../../src/services/client/official/lazy-storage.ts'
import { type LoadOfficial, officialClient } from '../../../src/services/client/official/official-calls.ts'
import { KEY, URL_BASE } from '../../harness/fake-backend.ts'

const load = () => import('../../../src/services/client/official/supabase-official.ts')

interface Failing extends Pick<SupabaseClient, 'functions' | 'storage'> {
  readonly loading: Mock<LoadOfficial>
  readonly fetch: Mock<typeof globalThis.fetch>
}

/** Functions and files whose code cannot be loaded the first times. */
function failing(times: number): Failing {
  let left = times
  const loading = vi.fn<LoadOfficial>(() =>
    left-- > 0 ? Promise.reject(new TypeError('Failed to fetch')) : load(),
  )
  const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(Response.json([])))
  const settings = { storage: {}, tracePropagation: false }
  const official = officialClient({ url: URL_BASE, key: KEY, headers: {}, fetch, settings }, loading)
  const functions = createLazyFunctions(`${URL_BASE}/functions/v1`, {}, official)
  const storage = createLazyStorage(new URL(`${URL_BASE}/storage/v1`), {}, false, official)
  return { functions, storage, loading, fetch } as unknown as Failing
}

const NOT_LOADED = { kind: 'network', code: 'part_not_loaded' }

test('nothing loads before a request', () => {
  const { functions, storage, loading } = failing(0)
  functions.setAuth('a-token')
  const files = storage.setHeader('a', 'b').from('charts').throwOnError()
  files.getPublicUrl('a.png')
  files.download('a.png')
  storage.vectors.from('a').index('b')
  storage.analytics.from('a')
  expect(loading).not.toHaveBeenCalled()
})

test('a function: the error of a request that was not sent, and the next call loads the code again', async () => {
  const { functions, fetch } = failing(1)
  const { data, error, response } = await functions.invoke<unknown>('tide')
  const official = new FunctionsFetchError(undefined)
  expect([data, response]).toEqual([null, undefined])
  expect(error).toMatchObject({ name: official.name, message: 'A part of this app could not be loaded.' })
  expect(await describeFailure(error)).toMatchObject(NOT_LOADED)
  expect(fetch).not.toHaveBeenCalled()
  expect(await functions.invoke('tide')).toMatchObject({ data: [], error: null })
})

describe('files', () => {
  test.each<[call: string, run: (storage: SupabaseClient['storage']) => PromiseLike<{ error: unknown }>]>([
    ['listBuckets', storage => storage.listBuckets()],
    ['list', storage => storage.from('charts').list()],
    ['download', storage => storage.from('charts').download('a')],
    ['download as a stream', storage => storage.from('charts').download('a').asStream()],
    ['vectors', storage => storage.vectors.from('a').index('b').listVectors()],
    ['analytics', storage => storage.analytics.from('a').listNamespaces()],
  ])('%s: an error, and the next call loads the code again', async (_, run) => {
    const { storage } = failing(1)
    const failed = await run(storage)
    expect(failed).toEqual({ data: null, error: expect.any(Error) as Error })
    expect(failed.error).toMatchObject({
      name: 'StorageUnknownError',
      message: 'A part of this app could not be loaded.',
    })
    // What `isStorageError` asks.
    for (const error of [failed.error, new StorageApiError('', 0, '')])
      expect(error).toHaveProperty('__isStorageError', true)
    expect(await describeFailure(failed.error)).toMatchObject(NOT_LOADED)
    expect((await run(storage)).error).not.toMatchObject({ name: 'StorageUnknownError' })
  })

  test('throwOnError throws it, and `exists` does like the official one', async () => {
    const { storage } = failing(3)
    const files = storage.from('charts')
    await expect(files.exists('a')).rejects.toMatchObject({ name: 'StorageUnknownError' })
    await expect(files.throwOnError().list()).rejects.toMatchObject({ name: 'StorageUnknownError' })
    await expect(files.download('a').asStream()).rejects.toMatchObject({ name: 'StorageUnknownError' })
  })
})

test('a method that the official client does not have is named', async () => {
  const { storage, functions } = failing(0)
  const files = storage.from('charts') as unknown as { missing(): Promise<unknown> }
  await expect(files.missing()).rejects.toThrow('supabase.storage.missing is not a function')
  const others = functions as unknown as { missing(): Promise<unknown> }
  await expect(others.missing()).rejects.toThrow('supabase.functions.missing is not a function')
})

test('what frameworks and tools ask an object for is absent', async () => {
  const { storage, functions } = failing(0)
  for (const part of [storage, functions, storage.from('a'), storage.analytics.from('a')]) {
    expect(await Promise.resolve(part)).toBe(part)
    for (const name of ['then', 'toJSON', '$$typeof', '__v_isRef', Symbol.iterator, Symbol.toPrimitive])
      expect(Reflect.get(part, name)).toBeUndefined()
  }
})

test('a method can be replaced, as tests of apps do', async () => {
  const { storage, functions } = failing(9)
  const files = storage.from('charts')
  vi.spyOn(files, 'list').mockResolvedValue({ data: [], error: null })
  vi.spyOn(functions, 'invoke').mockResolvedValue({ data: 1, error: null })
  vi.spyOn(storage, 'from').mockReturnValue(files)
  expect(await storage.from('other').list()).toEqual({ data: [], error: null })
  expect(await functions.invoke('tide')).toEqual({ data: 1, error: null })
})
