// `supabase.storage` before its official code has loaded, which the first request does. Addresses and settings need
// none of it.
import type { SupabaseClient } from '@supabase/supabase-js'
import { unloaded } from '../auth/supabase-auth.ts'
import { follow, type OfficialClient, plainError, type Step, withCalls } from './official-calls.ts'

type Headers = Readonly<Record<string, string>>
type GetPublicUrl = ReturnType<SupabaseClient['storage']['from']>['getPublicUrl']

/** @param useNewHostname sends files of hosted projects to their storage host */
export function createLazyStorage(
  url: URL,
  headers: Headers,
  useNewHostname: boolean,
  official: OfficialClient,
) {
  const address = new URL(url)
  const { hostname } = address
  if (useNewHostname && /supabase\.(co|in|red)$/.test(hostname) && !hostname.includes('storage.supabase.'))
    address.hostname = hostname.replace('supabase.', 'storage.supabase.')
  const headerPairs = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  return lazily(new LazyStorage(official, [['storage']], address.href, Object.fromEntries(headerPairs)))
}

/** A part with its settings. The `own…` members have no name of an official one. */
class LazyPart {
  url: string
  headers: Headers
  shouldThrowOnError = false
  private readonly ownClient: OfficialClient
  /** The steps from the official client to the official part. */
  private readonly ownSteps: readonly Step[]

  constructor(client: OfficialClient, steps: readonly Step[], url: string, headers: Headers) {
    this.ownClient = client
    this.ownSteps = steps
    this.url = url
    this.headers = headers
  }

  throwOnError() {
    this.shouldThrowOnError = true
    return this
  }

  setHeader(name: string, value: string) {
    this.headers = { ...this.headers, [name.toLowerCase()]: value }
    return this
  }

  /** Returns a function that calls the official part with the settings of this moment. */
  ownCall(): (steps: readonly Step[]) => Promise<unknown> {
    const { url, headers, shouldThrowOnError, ownClient, ownSteps } = this
    return async steps => {
      const client = await ownClient()
      if (client) {
        const part = follow(client, 'supabase', ownSteps) as object
        return follow(Object.assign(part, { url, headers, shouldThrowOnError }), 'supabase.storage', steps)
      }
      const error = plainError(unloaded, { name: 'StorageUnknownError', __isStorageError: true })
      // Like the official `exists`, which returns no error but that the file is missing.
      if (shouldThrowOnError || steps[0]?.[0] === 'exists') throw error
      return { data: null, error }
    }
  }

  protected ownPart<Part extends LazyPart>(
    Kind: new (...args: ConstructorParameters<typeof LazyPart>) => Part,
    step: Step,
    url = this.url,
    headers = this.headers,
  ): Part {
    return lazily(new Kind(this.ownClient, [...this.ownSteps, step], url, headers))
  }
}

const lazily = <Part extends LazyPart>(part: Part): Part => withCalls(part, steps => part.ownCall()(steps))

class LazyStorage extends LazyPart {
  from(bucketId: string) {
    return Object.assign(this.ownPart(LazyFiles, ['from', [bucketId]]), { bucketId })
  }

  get vectors() {
    const headers = { 'content-type': 'application/json', ...this.headers }
    return this.ownPart(LazyVectors, ['vectors'], `${this.url}/vector`, headers)
  }

  get analytics() {
    return this.ownPart(LazyAnalytics, ['analytics'], `${this.url}/iceberg`)
  }
}

const TRANSFORMS = ['width', 'height', 'resize', 'format', 'quality'] as const

class LazyFiles extends LazyPart {
  bucketId = ''

  getPublicUrl(path: string, options?: Parameters<GetPublicUrl>[1]): ReturnType<GetPublicUrl> {
    const { download, transform, ...rest } = options ?? {}
    const query = new URLSearchParams()
    if (download) query.set('download', download === true ? '' : download)
    for (const name of TRANSFORMS) if (transform?.[name]) query.set(name, String(transform[name]))
    for (const name of ['cacheNonce', 'versionId'] as const)
      if ((rest[name] ?? undefined) !== undefined) query.set(name, String(rest[name]))
    const family = Object.keys(transform ?? {}).length > 0 ? 'render/image' : 'object'
    const address = `${this.url}/${family}/public/${this.bucketId}/${path.replace(/^\/+/, '')}`
    const search = String(query)
    return { data: { publicUrl: encodeURI(address) + (search && `?${search}`) } }
  }

  toBase64(text: string): string {
    return btoa(Array.from(new TextEncoder().encode(text), byte => String.fromCodePoint(byte)).join(''))
  }

  download(...args: readonly unknown[]) {
    const call = this.ownCall()
    const steps: readonly Step[] = [['download', args]]
    return Object.assign(
      promiseOf('BlobDownloadBuilder', () => call(steps)),
      { asStream: () => promiseOf('StreamDownloadBuilder', () => call([...steps, ['asStream', []]])) },
    )
  }
}

/** A promise whose work starts when it is first awaited. */
function promiseOf(name: string, run: () => Promise<unknown>): Promise<unknown> {
  let running: Promise<unknown> | undefined
  const started = () => (running ??= run())
  return {
    [Symbol.toStringTag]: name,
    // oxlint-disable-next-line unicorn/no-thenable -- the official download is sent when it is awaited
    then: (...args) => started().then(...args),
    catch: (...args) => started().catch(...args),
    finally: (...args) => started().finally(...args),
  }
}

class LazyVectors extends LazyPart {
  from(bucket: string) {
    return this.ownPart(LazyVectorBucket, ['from', [bucket]])
  }
}

class LazyVectorBucket extends LazyPart {
  index(name: string) {
    return this.ownPart(LazyPart, ['index', [name]])
  }
}

class LazyAnalytics extends LazyPart {
  /** A catalog, whose methods are all requests. A wrong name of the bucket is refused by the first of them. */
  from(bucket: string) {
    const call = this.ownCall()
    return withCalls({}, steps => call([['from', [bucket]], ...steps]))
  }
}
