// The options of a client, and the settings that follow from them.
import type { RealtimeClientOptions } from '@supabase/supabase-js'
import { DEFAULT_TIMINGS, type Timings } from '../../machines/index.ts'
import type { ClientControl, SessionStorage } from '../runtime/index.ts'
import { defaultStorageKey, memoryStorage } from './auth/session-store.ts'
import type { RunClient } from './runner.ts'
import { checkedUrl } from './url-and-key.ts'

export { checkPublicKey } from './url-and-key.ts'

/** Options of `createChartroomClient`: those of the official `createClient`, and our own. */
export interface ChartroomOptions {
  /** Base URL of the backend, without a path. */
  readonly url: string
  /** Publishable (or legacy anon) key. In browsers, secret keys are refused. */
  readonly key: string
  readonly db?: DatabaseOptions
  readonly auth?: AuthOptions
  readonly global?: GlobalOptions
  readonly realtime?: RealtimeOptions
  readonly storage?: {
    /** Uses the storage host of a hosted project, which accepts larger files. */
    readonly useNewHostname?: boolean
  }
  /**
   * Returns the token of a third-party auth service (Clerk, Auth0, Firebase), or null if no user is signed in.
   * Requests and channels use it instead of a session, and `supabase.auth` cannot be used.
   */
  readonly accessToken?: () => Promise<string | null>
  /** Adds the current OpenTelemetry trace to requests, like the supabase-js option with this name. */
  readonly tracePropagation?:
    boolean | { readonly enabled?: boolean; readonly respectSamplingDecision?: boolean }
  readonly timings?: Partial<Timings>
  /** Maximum number of concurrent requests; others are queued by priority. Defaults to 24. */
  readonly maxConcurrent?: number
  /** `recordEverything()` of `@chartroom/devtools/recording`. Without it, nothing is recorded. */
  readonly recording?: RunClient
  /** `createControl()` of `@chartroom/devtools/control`, which makes the running client controllable. */
  readonly control?: ClientControl
}

/** Options of queries, with the names of supabase-js. */
export interface DatabaseOptions {
  /** Schema of queries and functions. Defaults to `public`. */
  readonly schema?: string
  /** Milliseconds for a query. */
  readonly timeout?: number
  /** Length of a URL from which supabase-js warns. */
  readonly urlLengthLimit?: number
  /** Whether failed reads are repeated. Defaults to true. */
  readonly retry?: boolean
}

/** Options of the session, with the names of supabase-js. */
export interface AuthOptions {
  /** Where the session is stored. Defaults to `localStorage` in browsers and to memory elsewhere. */
  readonly storage?: SessionStorage | undefined
  /** Defaults to the official client's key, so that its session is taken over. */
  readonly storageKey?: string
  /** False refreshes tokens only when something needs one, until `startAutoRefresh`. Defaults to true. */
  readonly autoRefreshToken?: boolean
  /** False keeps the session in memory only. */
  readonly persistSession?: boolean
  /**
   * Whether to sign in from redirect URLs of email links and OAuth providers. Defaults to true. A function
   * decides for each URL whether it belongs to this client.
   */
  readonly detectSessionInUrl?: boolean | ((url: URL, params: Readonly<Record<string, string>>) => boolean)
  /** Flow for email links and OAuth providers. Defaults to `implicit`, like supabase-js. */
  readonly flowType?: 'implicit' | 'pkce'
  /** Makes methods of `supabase.auth` throw their errors. */
  readonly throwOnError?: boolean
  /** Features of auth-js that are off by default. */
  readonly experimental?: Readonly<Record<string, boolean>>
  /** Not needed: the machines coordinate tabs. */
  readonly lock?: (...args: never[]) => Promise<unknown>
  /** Not needed, like `lock`. */
  readonly lockAcquireTimeout?: number
}

/** Options of every request, with the names of supabase-js. */
export interface GlobalOptions {
  readonly fetch?: typeof globalThis.fetch
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Options of the socket, passed to the official `RealtimeClient`. */
export interface SocketOptions {
  /** Parameters of the socket's address. */
  readonly params?: Readonly<Record<string, string | number>>
  readonly vsn?: string
  readonly logger?: (kind: string, message: string, data?: unknown) => void
  readonly logLevel?: string
  readonly encode?: NonNullable<RealtimeClientOptions['encode']>
  readonly decode?: NonNullable<RealtimeClientOptions['decode']>
}

/** Options of the connection and its channels, with the names of supabase-js. */
export interface RealtimeOptions extends SocketOptions {
  readonly transport?: typeof globalThis.WebSocket
  /** Milliseconds for joining a channel, and for responses on it. */
  readonly timeout?: number
  readonly heartbeatIntervalMs?: number
  /** Milliseconds that the socket stays open after the last channel was left. */
  readonly disconnectOnEmptyChannelsAfterMs?: number
  /** Without effect, as in the official client: a socket has no headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Not needed: a worker keeps the heartbeat of hidden pages. */
  readonly worker?: boolean
}

export type ClientSettings = ReturnType<typeof readOptions>

/** Fills in the defaults. @throws TypeError for a wrong URL or key */
export function readOptions(options: ChartroomOptions) {
  const { db = {}, auth = {}, realtime = {}, accessToken } = options
  const url = checkedUrl(options.url, options.key)
  const { persistSession = true, storage, flowType = 'implicit' } = auth
  const { transport, timeout, heartbeatIntervalMs, disconnectOnEmptyChannelsAfterMs, ...socket } = realtime
  const settings = {
    maxConcurrent: options.maxConcurrent,
    joinTimeout: timeout,
    heartbeatEvery: heartbeatIntervalMs,
    lingerFor: disconnectOnEmptyChannelsAfterMs,
    ...options.timings,
  }
  return {
    url,
    key: options.key.trim(),
    accessToken,
    auth,
    flowType,
    /** Undefined for the one of the platform. */
    storage: persistSession && !accessToken ? storage : memoryStorage(),
    storageKey: auth.storageKey ?? defaultStorageKey(url),
    global: options.global ?? {},
    transport,
    socket,
    db,
    /** Passed on to supabase-js. */
    data: {
      db,
      headers: options.global?.headers ?? {},
      storage: options.storage ?? {},
      tracePropagation: options.tracePropagation ?? false,
    },
    timings: { ...DEFAULT_TIMINGS, ...defined(settings) } satisfies Timings,
    /** The app set the time limits of requests itself. */
    isBounded: options.timings?.requestTimeout !== undefined,
    recording: options.recording,
    control: options.control,
  }
}

/** Without the names whose value is undefined. */
const defined = (timings: { readonly [Name in keyof Timings]?: number | undefined }): Partial<Timings> =>
  Object.fromEntries(Object.entries(timings).filter(([, value]) => value !== undefined))
