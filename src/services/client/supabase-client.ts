// A client with the interface of supabase-js whose calls are request actors and whose auth and realtime are driven
// by the machines. Queries and channels are made by the parts of supabase-js that make them; the rest is supabase-js itself
// and loads when it is used. Creating it reads and starts nothing.
import { PostgrestClient } from '@supabase/postgrest-js'
import type { SupabaseClient } from '@supabase/supabase-js'
import type { AuthFacadeHost } from './auth/supabase-auth-facade.ts'
import { APP_VERSION } from './app-version.ts'
import { createLazyAuth } from './official/lazy-auth.ts'
import { createLazyFunctions } from './official/lazy-functions.ts'
import { createLazyStorage } from './official/lazy-storage.ts'
import { officialClient } from './official/official-calls.ts'
import { withOfficialErrors } from './official/official-errors.ts'
import type { ClientSettings } from './options.ts'
import { RealtimeFacade, type RealtimeFacadeHost } from './realtime/supabase-channel-facade.ts'
import { tracedFetch } from './requests/traced-fetch.ts'

type Fetch = typeof globalThis.fetch
type DataSettings = ClientSettings['data']

export interface SupabaseHost extends AuthFacadeHost {
  readonly data: DataSettings
  /** The tokens are those of `accessToken`. */
  readonly isThirdParty: boolean
}

/** The parts of supabase-js's client that belong to the machines. */
interface Parts {
  readonly auth: () => object
  readonly realtime: (fetch: Fetch) => RealtimeFacade
}

/** Client for data only: stores and refreshes no token, and opens no socket. */
export function createDataClient<Database>(
  url: string,
  key: string,
  fetch: Fetch,
  settings: DataSettings,
): SupabaseClient<Database> {
  return new SupabaseFacade(url, key, fetch, settings) as unknown as SupabaseClient<Database>
}

export function createSupabase<Database>(
  host: SupabaseHost,
  channels: Pick<RealtimeFacadeHost, 'options' | 'open' | 'connect' | 'disconnect'>,
): SupabaseClient<Database> {
  const { url, key, status } = host
  const parts: Parts = {
    auth: () => (host.isThirdParty ? withoutAuth : createLazyAuth(host, load)),
    realtime: fetch => new RealtimeFacade({ url, key, fetch, status, ...channels }),
  }
  return new SupabaseFacade(url, key, host.fetch, host.data, parts) as unknown as SupabaseClient<Database>
}

const load = () => import('./official/supabase-official.ts')

class SupabaseFacade {
  /** As in the official client, where they are protected, but known to many apps. */
  readonly supabaseUrl: string
  readonly supabaseKey: string
  readonly realtimeUrl: URL
  readonly authUrl: URL
  readonly storageUrl: URL
  readonly functionsUrl: URL
  readonly rest: PostgrestClient
  readonly storage: object
  readonly functions: object
  readonly headers: Record<string, string>
  readonly fetch: Fetch
  /** Both are missing in clients from `with`. */
  declare readonly auth?: object
  declare readonly realtime?: RealtimeFacade

  constructor(url: string, key: string, fetch: Fetch, settings: DataSettings, parts?: Parts) {
    const { db, tracePropagation } = settings
    this.supabaseUrl = url
    this.supabaseKey = key
    this.realtimeUrl = new URL(`${url.replace(/^http/, 'ws')}/realtime/v1`)
    this.authUrl = new URL(`${url}/auth/v1`)
    this.storageUrl = new URL(`${url}/storage/v1`)
    this.functionsUrl = new URL(`${url}/functions/v1`)
    this.headers = { 'X-Client-Info': `chartroom/${APP_VERSION}`, ...settings.headers }
    const wrapFetch = (send: Fetch): Fetch => tracedFetch(url, keyedFetch(key, send), tracePropagation)
    this.fetch = wrapFetch(fetch)
    const { headers } = this
    // Whether the database has the schema is checked by the types of `createChartroomClient`.
    const database: object = { schema: 'public', ...db }
    const rest = new PostgrestClient(`${url}/rest/v1`, {
      ...database,
      headers,
      fetch: this.fetch,
      // For queries that pass another `fetch`.
      wrapFetch,
      // The request machine owns retries.
      retry: false,
    })
    this.rest = withOfficialErrors(rest, async () => (await load()).PostgrestError)
    const official = officialClient({ url, key, fetch, headers, settings }, load)
    this.functions = createLazyFunctions(this.functionsUrl.href, headers, official)
    const { useNewHostname = false } = settings.storage
    this.storage = createLazyStorage(this.storageUrl, headers, useNewHostname, official)
    if (!parts) return
    onFirstUse(this, 'auth', parts.auth)
    onFirstUse(this, 'realtime', () => parts.realtime(this.fetch))
  }

  from(...args: Parameters<PostgrestClient['from']>) {
    return this.rest.from(...args)
  }
  schema(schema: string) {
    return this.rest.schema(schema)
  }
  rpc(...args: Parameters<PostgrestClient['rpc']>) {
    return this.rest.rpc(...args)
  }
  getOpenApiSpec(...args: Parameters<PostgrestClient['getOpenApiSpec']>) {
    return this.rest.getOpenApiSpec(...args)
  }
  channel(...args: Parameters<RealtimeFacade['channel']>) {
    return realtimeOf(this).channel(...args)
  }
  getChannels() {
    return realtimeOf(this).getChannels()
  }
  removeChannel(...args: Parameters<RealtimeFacade['removeChannel']>) {
    return realtimeOf(this).removeChannel(...args)
  }
  removeAllChannels() {
    return realtimeOf(this).removeAllChannels()
  }
}

/** A property whose value is created when it is first read. */
function onFirstUse(owner: object, name: string, make: () => unknown): void {
  const define = (value: unknown) =>
    void Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable: true })
  const get = (): unknown => {
    const value = make()
    define(value)
    return value
  }
  Object.defineProperty(owner, name, { get, set: define, configurable: true, enumerable: true })
}

/** Adds the API key as supabase-js does; the request actor replaces it by the user's token. */
const keyedFetch =
  (key: string, fetch: Fetch): Fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers)
    if (!headers.has('apikey')) headers.set('apikey', key)
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${key}`)
    return fetch(input, { ...init, headers })
  }

/** As in the official client with `accessToken`. */
const withoutAuth: object = new Proxy(
  {},
  {
    get(_, name) {
      throw new Error(
        `@supabase/supabase-js: Supabase Client is configured with the accessToken option, accessing supabase.auth.${String(name)} is not possible`,
      )
    },
  },
)

function realtimeOf({ realtime }: SupabaseFacade): RealtimeFacade {
  if (realtime) return realtime
  throw new Error('A client from `with` has no channels: use `client.supabase.channel(…)`.')
}
