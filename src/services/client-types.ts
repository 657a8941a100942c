// The public types of the client: what an app, the hooks and the workbench may rely on.
import type { GoTrueClient as AuthClient, SupabaseClient } from '@supabase/supabase-js'
import type { PostgresChange, PresenceState, RowChange } from '../machines/channel-events.ts'
import type { ChartroomUser } from '../machines/expiry.ts'
import type { Failure, SignedOutReason } from '../machines/failure.ts'
import type { Access } from '../machines/gate.ts'
import type { Priority } from '../machines/request-info.ts'
import type {
  ChannelPhase,
  ChannelStatus,
  ClientStatus,
  ConnectionPhase,
  SessionStatus,
  TokenStatus,
} from '../machines/status.ts'
import type { Timings } from '../machines/timings.ts'
import type { TraceSource } from '../trace/format.ts'
import type {
  ChannelEvents,
  ChannelHandle,
  ChannelOptions,
  PresenceChange,
} from './realtime/channel-types.ts'
import type { ClientControl } from './control/seat.ts'
import type { RunClient } from './runner.ts'
import type { Segments } from './store/segments.ts'
import type { UploadsApi } from './uploads/upload-types.ts'

export type {
  AuthClient,
  ChannelEvents,
  ChannelHandle,
  ChannelOptions,
  ChannelPhase,
  ChannelStatus,
  ChartroomUser,
  ClientStatus,
  ConnectionPhase,
  Failure,
  PostgresChange,
  PresenceChange,
  PresenceState,
  RowChange,
  SessionStatus,
  SignedOutReason,
  Timings,
  TokenStatus,
}

export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

export interface AuthApi {
  signInWithPassword(credentials: { email: string; password: string }): Promise<Result<ChartroomUser>>
  /** `confirmationRequired`: the account exists, but a mailed link must be followed first. */
  signUp(credentials: {
    email: string
    password: string
  }): Promise<Result<{ readonly user: ChartroomUser; readonly confirmationRequired: boolean }>>
  /** Ends the local session whatever the server says, which `failure` tells; `others` ends those elsewhere alone. */
  signOut(options?: { scope?: 'local' | 'global' | 'others' }): Promise<Result<void>>
  /** Asks the server who is signed in: what the storage has of the user may be old, or somebody else's work. */
  verifyUser(): Promise<Result<ChartroomUser>>
  /** Asks for a new token now; joins a refresh that is under way. */
  refresh(): Promise<Result<void>>
}

/** The part of supabase-js that works on data; auth and realtime are the machines' own. */
export type DataClient<Database> = Omit<
  SupabaseClient<Database>,
  'auth' | 'realtime' | 'channel' | 'getChannels' | 'removeChannel' | 'removeAllChannels'
>

/** Records the running client, from the first event on. The live view never stops. */
export interface Recording {
  /** The records as they come; the same shape as an opened file. */
  readonly trace: TraceSource
  /** The same in pieces, for a store that writes them as they come: `store.write(client.recording)`. */
  readonly segments: Segments
  isRecording(): boolean
  /** Begins a new recording; the one before is dropped. */
  start(): void
  stop(): void
  /**
   * Puts a note on a step, the last one unless told; it is saved with the recording. Another note on the same step takes
   * its place, and an empty one takes it away.
   */
  bookmark(note: string, view?: number): void
  /** The recording so far as a gzipped trace file. */
  download(): Promise<Blob>
}

export interface ChartroomClient<Database = unknown> {
  /** Origin of the backend, e.g. `http://127.0.0.1:4411`. */
  readonly url: string
  readonly auth: AuthApi
  /**
   * The ordinary client of supabase-js, whose calls are request actors, and whose auth and realtime are driven by
   * the machines: what takes the place of the one that `createClient` made.
   */
  readonly supabase: SupabaseClient<Database>
  /** The same for data with options of its own, e.g. `client.with({ priority: 'low' }).from('log')`. */
  with(options: RequestOptions): DataClient<Database>
  /**
   * Calls the backend as `supabase` does, for what supabase-js has no method for: `path` begins with a slash. The
   * answer is a `Response` of any status; it rejects where there was none. @throws TypeError for another path.
   */
  fetch(path: string, init?: RequestInit, options?: RequestOptions): Promise<Response>
  channel(topic: string, options?: ChannelOptions): ChannelHandle
  /** Files on their way into buckets: queued, resumable, and told by their bytes. */
  readonly uploads: UploadsApi
  status(): ClientStatus
  /** Calls back after the status changed, never inside a transition. */
  onStatus(listener: (status: ClientStatus) => void): () => void
  /** Milliseconds on the client's monotonic clock. */
  now(): number
  /** Absent unless the client was made with `recording`. */
  readonly recording: Recording | undefined
  /** Ends every actor and aborts what is in flight; resolves when nothing is left. */
  dispose(): Promise<void>
}

/** A client that was made with `recording`. */
export interface RecordedClient<Database = unknown> extends ChartroomClient<Database> {
  readonly recording: Recording
}

/** How the calls of a client that `with` gave are made. */
export interface RequestOptions {
  /**
   * `user`: never without a session, and failed at once when nobody is signed in. `public`: with the API key
   * alone, waiting for no token. Unset: as whoever is signed in once the stored session has been read.
   */
  readonly access?: Access
  /** Who goes first when as many as may be are under way; `normal` unless told. */
  readonly priority?: Priority
  /** Milliseconds for one attempt, up to the end of a plain answer or the headers of a streaming one. */
  readonly timeout?: number
  /** Milliseconds for everything: waits, queue, pauses, attempts, and a streaming answer. */
  readonly deadline?: number
  /**
   * Sent as `Idempotency-Key`, and the word that these calls may be sent twice: writes are then repeated like
   * reads. Something must honour it at the other end.
   */
  readonly idempotencyKey?: string
  /** A newer call of the same key aborts the older, as a search does with what was typed before. */
  readonly supersede?: string
  /** Aborts these calls, also those that take no signal of their own, as when a component goes away. */
  readonly signal?: AbortSignal
  /** Told the id of each call as it starts: in a recording its actor is `client/requests/request.<id>`. */
  readonly onStart?: (id: string) => void
}

export interface ChartroomOptions {
  /** Base URL of the backend, without a path. */
  readonly url: string
  /** Publishable (or legacy anon) key. Never a secret key. */
  readonly key: string
  /** Where the session is kept; `localStorage` in browsers, memory elsewhere. */
  readonly storage?: SessionStorage
  readonly storageKey?: string
  /**
   * Whether a link or provider that leads back to the page signs in; true unless told otherwise. A function
   * says of each address whether it is for this client.
   */
  readonly detectSessionInUrl?: boolean | ((url: URL, params: Readonly<Record<string, string>>) => boolean)
  /** How links and providers lead back; `implicit` unless told otherwise, as in the official client. */
  readonly flowType?: 'implicit' | 'pkce'
  /** Methods of `supabase.auth` throw their errors, as with the official option of this name. */
  readonly throwOnError?: boolean
  readonly timings?: Partial<Timings>
  /** How many requests at most wait for their answer at once; the others queue by priority. 24 unless told. */
  readonly maxConcurrent?: number
  /** `recordEverything()` of `chartroom/recording`; nothing is recorded without it. */
  readonly recording?: RunClient
  /** `createControl()` of `chartroom/control`, through which the running client can be driven. */
  readonly control?: ClientControl
  readonly fetch?: typeof globalThis.fetch
  readonly WebSocket?: typeof globalThis.WebSocket
}

export interface SessionStorage {
  getItem(key: string): string | null | Promise<string | null>
  setItem(key: string, value: string): void | Promise<void>
  removeItem(key: string): void | Promise<void>
}
