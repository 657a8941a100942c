// `supabase.storage` and `supabase.functions`, which load with their first request, beside those of the official
// client: the same members, the same results, the same requests.
import type { SupabaseClient } from '@supabase/supabase-js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clients, sentByBoth } from '../../harness/option-wire.ts'

/** Of both clients, so that their headers are equal. */
const GLOBAL = { headers: { 'X-Client-Info': 'a-test', 'X-App': 'harbour' } }

type Part = (supabase: SupabaseClient) => object

const PARTS = {
  functions: ({ functions }) => functions,
  storage: ({ storage }) => storage,
  files: ({ storage }) => storage.from('charts'),
  vectors: ({ storage }) => storage.vectors,
  vectorBucket: ({ storage }) => storage.vectors.from('soundings'),
  vectorIndex: ({ storage }) => storage.vectors.from('soundings').index('depths'),
  analytics: ({ storage }) => storage.analytics,
} satisfies Record<string, Part>

type PartName = keyof typeof PARTS
const NAMES = Object.keys(PARTS) as readonly PartName[]

type Calls = Readonly<Record<string, readonly unknown[]>>

const SETTINGS = { throwOnError: [], setHeader: ['X-Watch', 'first'] }

/** Every public method that returns something else than a promise, with arguments. */
const IMMEDIATE: Readonly<Record<PartName, Calls>> = {
  functions: { setAuth: ['a-token'] },
  storage: { ...SETTINGS, from: ['charts'], vectors: [], analytics: [] },
  files: { ...SETTINGS, getPublicUrl: ['a.png'], toBase64: ['Tidetåbel'], download: ['a.png'] },
  vectors: { ...SETTINGS, from: ['soundings'] },
  vectorBucket: { ...SETTINGS, index: ['depths'] },
  vectorIndex: SETTINGS,
  analytics: { ...SETTINGS, from: ['catches'] },
}

const vector = { key: 'k', data: { float32: [1] } }
const VECTOR_BUCKETS = { createBucket: ['b'], getBucket: ['b'], listBuckets: [], deleteBucket: ['b'] }
const INDEX = { indexName: 'i', dataType: 'float32', dimension: 1, distanceMetric: 'cosine' }

/** Every method that sends a request, with arguments. */
const SENDING: Readonly<Record<PartName, Calls>> = {
  functions: { invoke: ['tide', { body: { at: 'noon' }, method: 'PUT', headers: { 'x-a': 'b' } }] },
  storage: {
    listBuckets: [{ limit: 3, search: 'c' }],
    getBucket: ['charts'],
    createBucket: ['charts', { public: true }],
    updateBucket: ['charts', { public: false }],
    emptyBucket: ['charts'],
    deleteBucket: ['charts'],
    getBucketLifecycle: ['charts'],
    updateBucketLifecycle: ['charts', { rules: [] }],
    deleteBucketLifecycle: ['charts'],
    purgeBucketCache: ['charts'],
  },
  files: {
    upload: ['a.txt', 'text', { upsert: true, metadata: { by: 'skipper' } }],
    update: ['a.txt', 'text'],
    uploadToSignedUrl: ['a.txt', 'token', 'text'],
    createSignedUploadUrl: ['a.txt', { upsert: true }],
    createSignedUrl: ['a.txt', 60, { download: 'b.txt', cacheNonce: '1' }],
    createSignedUrls: [['a.txt'], 60],
    move: ['a.txt', 'b.txt', { destinationBucket: 'other' }],
    copy: ['a.txt', 'b.txt'],
    info: ['a.txt'],
    exists: ['a.txt'],
    remove: [['a.txt']],
    purgeCache: ['a.txt', { transformations: true }],
    list: ['folder', { limit: 3, sortBy: { column: 'created_at' } }],
    listV2: [{ prefix: 'a', limit: 2 }],
  },
  vectors: VECTOR_BUCKETS,
  vectorBucket: {
    createIndex: [INDEX],
    getIndex: ['i'],
    listIndexes: [{ maxResults: 2 }],
    deleteIndex: ['i'],
  },
  vectorIndex: {
    putVectors: [{ vectors: [vector] }],
    getVectors: [{ keys: ['k'] }],
    listVectors: [],
    queryVectors: [{ queryVector: vector.data, topK: 2 }],
    deleteVectors: [{ keys: ['k'] }],
  },
  analytics: { createBucket: ['b'], listBuckets: [{ limit: 2 }], deleteBucket: ['b'] },
}

/** Private and protected parts of other methods. */
const INTERNAL = [
  'handleOperation',
  'uploadOrUpdate',
  'prepareUploadFormData',
  'encodeMetadata',
  '_getFinalPath',
  '_removeEmptyFolders',
  'applyTransformOptsToQuery',
  'listBucketOptionsToQueryString',
  'bucketLifecycleUrl',
]

/** The methods and getters of all classes of an object. */
function membersOf(part: object): Record<string, PropertyDescriptor> {
  const above = Object.getPrototypeOf(part) as object | null
  if (above === null || part === Object.prototype) return {}
  return {
    ...membersOf(above),
    ...(above === Object.prototype ? {} : Object.getOwnPropertyDescriptors(above)),
  }
}

const isAsync = ({ value }: PropertyDescriptor) => /^async |__awaiter/.test(String(value))

function namesOf(part: object) {
  const members = Object.entries(membersOf(part)).filter(
    ([name]) => name !== 'constructor' && !INTERNAL.includes(name),
  )
  const found = (sends: boolean) => members.filter(([, member]) => isAsync(member) === sends)
  return {
    sending: found(true).map(([name]) => name),
    immediate: found(false).map(([name]) => name),
  }
}

describe.each(NAMES)('%s', name => {
  const part: Part = PARTS[name]

  test('every member of the official class is known here', () => {
    const { sending, immediate } = namesOf(part(clients({}).official))
    expect(sending.sort()).toEqual(Object.keys(SENDING[name]).sort())
    expect(immediate.sort()).toEqual(Object.keys(IMMEDIATE[name]).sort())
  })

  test('has the official properties', () => {
    const { official, ours } = clients({ global: GLOBAL })
    // Only methods of the official classes use these.
    const inner = ['fetch', 'namespace', 'vectorBucketName', 'indexName']
    const names = Object.keys(part(official)).filter(field => !inner.includes(field))
    expect(names).toEqual(expect.arrayContaining(['url', 'headers']))
    const fieldsOf = (supabase: SupabaseClient) =>
      Object.fromEntries(names.map(field => [field, Reflect.get(part(supabase), field) as unknown]))
    expect(fieldsOf(ours)).toEqual(fieldsOf(official))
  })

  test.each(Object.entries(SENDING[name]))('%s sends and returns the same', async (method, given) => {
    const { official, ours, results } = await sentByBoth(
      { global: GLOBAL },
      supabase => outcome(() => call(part(supabase), method, given)),
      {
        headers: [
          'authorization',
          'apikey',
          'content-type',
          'x-client-info',
          'x-app',
          'x-upsert',
          'x-metadata',
        ],
        answer: () =>
          Response.json({ Id: 'id', Key: 'charts/a.txt', url: '/object?token=t', signedURL: '/s?t=1' }),
      },
    )
    expect(ours).toEqual(official)
    expect(official).toHaveLength(1)
    expect(withoutBody(results[1])).toEqual(withoutBody(results[0]))
  })
})

/** What a call returned or threw. */
async function outcome(run: () => unknown): Promise<unknown> {
  try {
    return { returned: await run() }
  } catch (thrown) {
    return { thrown }
  }
}

const call = (part: object, method: string, given: readonly unknown[]): unknown =>
  Reflect.apply(Reflect.get(part, method) as () => unknown, part, given)

/** The answer of a function has its response, which was read once. */
const withoutBody = (result: unknown) =>
  JSON.parse(
    JSON.stringify(result, (name, value: unknown) => (name === 'response' ? undefined : value)),
  ) as unknown

const upTo = (max: number) => fc.option(fc.nat(max), { nil: undefined })
const text = fc.option(fc.string({ unit: 'binary' }), { nil: undefined })
const publicUrlOptions = fc.option(
  fc.record(
    {
      download: fc.oneof(text, fc.boolean()),
      cacheNonce: fc.oneof(text, fc.constant(null)),
      versionId: fc.oneof(text, fc.constant(null)),
      transform: fc.option(
        fc.record(
          {
            width: upTo(9),
            height: upTo(9),
            quality: upTo(9),
            resize: fc.constantFrom('cover', 'contain'),
            format: fc.constantFrom('origin', ''),
          },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined },
)

test.each(['https://harbour.supabase.co', 'https://harbour.supabase.in', 'http://127.0.0.1:54321/sub'])(
  'public addresses are the official ones at %s',
  url => {
    for (const useNewHostname of [false, true]) {
      const { official, ours } = clients({ storage: { useNewHostname } }, url)
      const address = (supabase: SupabaseClient, bucket: string, path: string, options: unknown) => {
        try {
          return supabase.storage.from(bucket).getPublicUrl(path, options as object)
        } catch (error) {
          return (error as Error).name
        }
      }
      fc.assert(
        fc.property(fc.string(), fc.string({ unit: 'binary' }), publicUrlOptions, (bucket, path, options) => {
          expect(address(ours, bucket, path, options)).toEqual(address(official, bucket, path, options))
        }),
      )
    }
  },
)

test('the client has the addresses of the official one', () => {
  const names = ['supabaseUrl', 'supabaseKey', 'realtimeUrl', 'authUrl', 'storageUrl', 'functionsUrl']
  for (const url of ['https://harbour.supabase.co', 'http://127.0.0.1:54321/sub']) {
    const { official, ours } = clients({ storage: { useNewHostname: true } }, url)
    for (const name of names)
      expect([name, Reflect.get(ours, name)]).toEqual([name, Reflect.get(official, name)])
  }
})

test('every option of public addresses has an effect', () => {
  const { ours } = clients({})
  const files = ours.storage.from('charts')
  const transform = { width: 1, height: 2, quality: 3, resize: 'fill', format: 'origin' } as const
  const options = { download: 'b c.png', transform, cacheNonce: 'n', versionId: 'v' }
  const { pathname, searchParams } = new URL(files.getPublicUrl('//a b.png', options).data.publicUrl)
  expect(pathname).toBe('/storage/v1/render/image/public/charts/a%20b.png')
  expect(Object.fromEntries(searchParams)).toEqual({
    download: 'b c.png',
    cacheNonce: 'n',
    versionId: 'v',
    width: '1',
    height: '2',
    quality: '3',
    resize: 'fill',
    format: 'origin',
  })
})

test('text is encoded as by the official client', () => {
  const { official, ours } = clients({})
  const encode = (supabase: SupabaseClient, given: string) => supabase.storage.from('a').toBase64(given)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), given => {
      expect(encode(ours, given)).toBe(encode(official, given))
    }),
  )
  const long = 'Tidetåbel '.repeat(100_000)
  expect(encode(ours, long)).toBe(encode(official, long))
})

describe('settings', () => {
  const HEADERS = ['x-watch', 'x-mate', 'authorization', 'content-type']
  const answer = () => Response.json([])

  test('headers apply to later requests of the part, and to parts that are made from it later', async () => {
    const { official, ours } = await sentByBoth(
      {},
      async ({ storage }) => {
        const before = storage.from('a')
        const { vectors } = storage
        storage.setHeader('X-Watch', 'first').setHeader('x-watch', 'second')
        await storage.listBuckets()
        await before.list()
        const files = storage.from('b').setHeader('X-Mate', 'none')
        await files.list()
        await storage.from('b').list()
        await vectors.listBuckets()
        await storage.vectors.from('v').index('i').setHeader('content-type', 'text/plain').listVectors()
        await storage.analytics.setHeader('X-Mate', 'one').from('catches').listNamespaces()
        await storage.listBuckets()
      },
      { headers: HEADERS, answer },
    )
    expect(ours).toEqual(official)
    expect(official).toHaveLength(8)
  })

  test('settings of calls that run at the same time', async () => {
    const { official, ours } = await sentByBoth(
      {},
      ({ storage, functions }) => {
        const files = storage.from('a')
        const calls: unknown[] = [files.list(), files.setHeader('x-watch', '1').list()]
        calls.push(files.setHeader('x-watch', '2').list(), functions.invoke('a'))
        functions.setAuth('first')
        calls.push(functions.invoke('b'))
        functions.setAuth('second')
        calls.push(functions.invoke('c'))
        return Promise.all(calls)
      },
      { headers: HEADERS, answer },
    )
    const byCall = (requests: readonly unknown[]) => requests.map(request => JSON.stringify(request)).sort()
    expect(byCall(ours)).toEqual(byCall(official))
  })

  test('a token for functions stays, also when they are read again', async () => {
    const { official, ours } = await sentByBoth(
      {},
      async supabase => {
        supabase.functions.setAuth('a-token')
        await supabase.functions.invoke('a')
        await supabase.from('vessels').select()
        await supabase.storage.listBuckets()
      },
      { headers: HEADERS, answer },
    )
    expect(ours).toEqual(official)
    expect(ours[0]).toMatchObject({ authorization: 'Bearer a-token' })
  })

  test('throwOnError applies to the part alone', async () => {
    const { results } = await sentByBoth(
      {},
      async ({ storage }) => {
        const files = storage.from('a').throwOnError()
        const tried = [files.list(), files.download('b'), files.download('b').asStream()]
        const others = [storage.from('a').list(), storage.throwOnError().listBuckets()]
        const all = await Promise.allSettled([...tried, ...others, storage.from('a').list()])
        return all.map(result => (result.status === 'fulfilled' ? result.value : result))
      },
      { answer: () => Response.json({ error: 'Not found', message: 'No such bucket' }, { status: 404 }) },
    )
    expect(results[1]).toEqual(results[0])
    expect(results[0]).toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
      { status: 'rejected' },
      { data: null },
      { status: 'rejected' },
      { data: null },
    ])
  })

  test('a bucket whose name is not valid', async () => {
    const { results } = await sentByBoth({}, async ({ storage }) =>
      outcome(async () => storage.analytics.from('a/b').listNamespaces()),
    )
    expect(results[1]).toEqual(results[0])
    expect(results[0]).toMatchObject({ thrown: { name: 'StorageError' } })
  })
})
