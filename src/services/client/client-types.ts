// Public types of the client, for apps, hooks and the workbench.
import type { GoTrueClient as AuthClient, SupabaseClient } from '@supabase/supabase-js'
import type { Access, ChartroomUser, ClientStatus, Failure, Priority } from '../../machines/index.ts'
import type { TraceSource, Violation } from '../../trace/index.ts'
import type { ChannelHandle, ChannelOptions } from './realtime/channel-types.ts'
import type { FileContext, Segments } from '../recording/index.ts'
import type { UploadsApi } from './uploads/uploads-api.ts'

export type { AuthClient }
export type {
  ChannelPhase,
  ChannelStatus,
  ChartroomUser,
  ClientStatus,
  ConnectionPhase,
  Failure,
  KeyFamily,
  KeyRefusal,
  KeyStatus,
  PostgresChange,
  PresenceState,
  RowChange,
  SessionStatus,
  SignedOutReason,
  TokenStatus,
} from '../../machines/index.ts'
export type {
  ChannelEvents,
  ChannelHandle,
  ChannelOptions,
  PresenceChange,
} from './realtime/channel-types.ts'

/** Outcome of a call: a value, or the failure that explains why there is none. */
export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

/** Signs users in and out and manages the session; methods resolve to a `Result` instead of throwing. */
export interface AuthApi {
  signInWithPassword(credentials: { email: string; password: string }): Promise<Result<ChartroomUser>>
  /** `confirmationRequired`: the account exists, but its email address must be confirmed by a link first. */
  signUp(credentials: {
    email: string
    password: string
  }): Promise<Result<{ readonly user: ChartroomUser; readonly confirmationRequired: boolean }>>
  /**
   * Ends the local session even if the server request fails, which `failure` reports. `others` ends only the
   * user's other sessions.
   */
  signOut(options?: { scope?: 'local' | 'global' | 'others' }): Promise<Result<void>>
  /** Loads the user from the server. User data in the storage may be outdated or modified. */
  verifyUser(): Promise<Result<ChartroomUser>>
  /** Requests a new token now; joins a running refresh. */
  refresh(): Promise<Result<void>>
}

/** Names of a database's schemas. */
export type SchemaOf<Database> = string & keyof Omit<Database, '__InternalSupabase'>

/** The official client: without a `Database` type, rows are `any`, as there. */
export type OfficialOf<Database> = unknown extends Database ? SupabaseClient : SupabaseClient<Database>

/** The data part of supabase-js; auth and realtime belong to the machines. */
export type DataClient<Database, Official = OfficialOf<Database>> = Omit<
  Official,
  'auth' | 'realtime' | 'channel' | 'getChannels' | 'removeChannel' | 'removeAllChannels'
>

/** Records the running client from the first event. The live view never stops. */
export interface ClientRecording {
  /** All records, updated live; the same shape as an opened file. */
  readonly trace: TraceSource
  /** The same in segments, for a store that writes them continuously: `store.write(client.recording)`. */
  readonly segments: Segments
  isRecording(): boolean
  /** Milliseconds since the recording began, on the clock of its records. */
  elapsed(): number
  /** Starts a new recording and drops the previous one. */
  start(): void
  stop(): void
  /**
   * Adds a note to a step, by default the last one. It is saved with the recording. A new note on the same
   * step replaces the old one; an empty note removes it.
   */
  bookmark(note: string, step?: number): void
  /** Returns the recording as a gzipped trace file. It is written in slices, between which the page can draw. */
  download(context?: FileContext): Promise<Blob>
  /**
   * Calls the listener for each failed invariant, from now on. Returns an unsubscribe function. Without steps
   * (`steps: false`), invariants are checked when the file is opened, and never here.
   */
  onViolation(listener: (violation: Violation) => void): () => void
}

/** Client of one backend: auth, data, realtime, uploads and their observable status. */
export interface ChartroomClient<Database = unknown, Official = OfficialOf<Database>> {
  /** Base URL of the backend, e.g. `http://127.0.0.1:4411`. */
  readonly url: string
  readonly auth: AuthApi
  /**
   * A supabase-js client that replaces the one from `createClient`. Its calls are request actors, and its
   * auth and realtime are driven by the machines.
   */
  readonly supabase: Official
  /** A data client with its own options, e.g. `client.with({ priority: 'low' }).from('log')`. */
  with(options: RequestOptions): DataClient<Database, Official>
  /**
   * Sends a request like `supabase` does, for APIs that supabase-js has no method for. `path` begins with a
   * slash. Resolves with a `Response` of any status and rejects if there is none. @throws TypeError for
   * another path
   */
  fetch(path: string, init?: RequestInit, options?: RequestOptions): Promise<Response>
  channel(topic: string, options?: ChannelOptions): ChannelHandle
  /** Uploads to buckets: queued, resumable, with progress in bytes. */
  readonly uploads: UploadsApi
  /**
   * Sends another API key from now on, such as after a rotation. The session, its channels and everything that
   * waits are kept. @throws TypeError for an empty key, and in browsers for a secret one
   */
  replaceKey(key: string): void
  /** Checks now whether the backend accepts the API key again; see `status().key`. */
  checkKey(): void
  status(): ClientStatus
  /** Subscribes to status changes. Listeners never run inside a transition. */
  onStatus(listener: (status: ClientStatus) => void): () => void
  /** Milliseconds on the client's monotonic clock. */
  now(): number
  /** Absent unless the client was created with `recording`. */
  readonly recording: ClientRecording | undefined
  /** Stops every actor and aborts all requests. Resolves when everything has stopped. */
  dispose(): Promise<void>
}

/** A client that was created with `recording`. */
export interface RecordedClient<Database = unknown, Official = OfficialOf<Database>> extends ChartroomClient<
  Database,
  Official
> {
  readonly recording: ClientRecording
}

/** Options for the calls of a client from `with`. */
export interface RequestOptions {
  /**
   * `user`: requires a session and fails immediately if no user is signed in. `public`: uses only the API key
   * and waits for no token. Unset: uses the identity at the time when the stored session has loaded.
   */
  readonly access?: Access
  /** Order in the queue when the concurrency limit is reached. Defaults to `normal`. */
  readonly priority?: Priority
  /** Milliseconds for one attempt, up to the end of a plain response or the headers of a streaming one. */
  readonly timeout?: number
  /** Milliseconds for everything: waits, queue, pauses, attempts, and a streaming response. */
  readonly deadline?: number
  /**
   * Sent as `Idempotency-Key`. Declares that these calls may be sent twice, so writes are retried like reads.
   * The server must support the header. Has no effect on calls of functions from a page of another origin,
   * where most functions' CORS would refuse it; set the header there once the function allows it.
   */
  readonly idempotencyKey?: string
  /** A newer call with the same key aborts the older one, e.g. for search as you type. */
  readonly supersede?: string
  /** Aborts these calls, e.g. when a component unmounts, including calls that accept no signal. */
  readonly signal?: AbortSignal
  /**
   * Called with the id of each call when it starts. In a recording its actor is
   * `client/requests/request.<id>`.
   */
  readonly onStart?: (id: string) => void
}
