// The gated fetch: a `fetch` for supabase-js whose calls are request actors that wait, send and settle. It reads
// a call before it becomes a request, and completes it when it is sent.
import { fromCallback } from 'xstate'
import {
  aborted,
  type AccessRefusal,
  bug,
  disposed,
  type Failure,
  isKeyRefusal,
  type RequestInfo,
  type RequestOutput,
  type SendCommand,
  type SendEvent,
  brokenOff,
  SAFE_METHODS,
} from '../../../machines/index.ts'
import type { RequestOptions } from '../client-types.ts'
import { abortReason, anySignal, type KeepAlive, RequestError } from '../../runtime/index.ts'
import { readRefusal } from './read-refusal.ts'
import { bodyOf, faultIdOf, retryAfterOf, withBody } from './responses.ts'
import type { WatchedBody } from './watched-body.ts'

export interface GatedFetchOptions {
  readonly url: string
  readonly key: string
  readonly fetch: typeof globalThis.fetch
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number
  /** Returns the access token for a handle. */
  readonly accessToken: (tokenId: string) => string | undefined
  /** Resolves when the identity of requests is known. @throws RequestError with the failure of the request */
  readonly ready?: (() => Promise<void>) | undefined
  /** Whether failed queries are repeated. Defaults to true. */
  readonly retriesReads?: boolean
  readonly start: (info: RequestInfo) => void
  readonly abort: (id: string) => void
  readonly redactUrl: (url: string) => string
  /** The app set the time limits itself, so they apply to all requests. */
  readonly isBounded?: boolean
  /** A process runs until its requests have settled. */
  readonly keepAlive: KeepAlive
}

interface PendingCall extends Call {
  readonly since: number
  readonly family: RequestInfo['family']
  readonly path: string
  readonly resolve: (response: Response) => void
  readonly reject: (error: unknown) => void
  readonly release: () => void
  answer?: ParsedResponse
  /** Why the identity of the request is unknown; without a token, it is not sent. */
  refusal?: Failure
}

interface SendInput {
  readonly id: string
  readonly tokenId: string | undefined
  readonly attempt: number
}

export function createGatedFetch(options: GatedFetchOptions) {
  const calls = new Map<string, PendingCall>()
  let count = 0
  let isDisposed = false

  const begin = (requestOptions: RequestOptions, input: FetchInput, init: RequestInit = {}) =>
    new Promise<Response>((resolve, reject) => {
      if (isDisposed) return reject(new RequestError(disposed))
      const call = readCall(options, requestOptions, input, init)
      const { signal } = call
      if (signal?.aborted) return reject(abortReason(signal) as Error)
      const id = String(++count)
      const info = describeCall(call, id, options)
      const onAbort = () => options.abort(id)
      const startCall = () => {
        if (!calls.has(id)) return
        if (signal?.aborted) return settle({ id, failure: aborted() })
        const isOnce = options.retriesReads === false && info.family === 'rest'
        options.start(isOnce ? { repeatable: false, ...info } : info)
        requestOptions.onStart?.(id)
      }
      const letEnd = options.keepAlive()
      const release = () => {
        letEnd()
        signal?.removeEventListener('abort', onAbort)
      }
      const pendingCall: PendingCall = {
        ...call,
        since: options.now(),
        family: info.family,
        path: info.path,
        resolve,
        reject,
        release,
      }
      calls.set(id, pendingCall)
      signal?.addEventListener('abort', onAbort, { once: true })
      if (!options.ready || info.access === 'public') return startCall()
      options
        .ready()
        .catch((error: unknown) => {
          pendingCall.refusal = error instanceof RequestError ? error.failure : bug(error)
        })
        .finally(startCall)
    })

  const send = fromCallback<SendCommand, SendInput, SendEvent>(({ input, sendBack, receive }) => {
    const controller = new AbortController()
    let isOver = false
    let answer: ParsedResponse | undefined
    const report = (event: SendEvent) => {
      if (isOver || controller.signal.aborted) return
      isOver = !('streaming' in event)
      sendBack(event)
    }
    const run = async (): Promise<void> => {
      const call = calls.get(input.id)
      if (!call) throw new Error(`request ${input.id} has no pending call`)
      if (call.refusal && input.tokenId === undefined)
        return report({ type: 'send.failed', failure: call.refusal })
      const token = input.tokenId === undefined ? undefined : options.accessToken(input.tokenId)
      const target = call.input instanceof Request ? call.input.clone() : call.input
      let failure = unreachable
      const response = await options
        .fetch(target, outgoing(call, token, controller.signal))
        .catch((error: FaultError | undefined) => {
          // The failure was injected.
          if (error?.faultId) failure = { ...failure, faultId: error.faultId }
        })
      if (!response) return report({ type: 'send.failed', failure })
      answer = await readAnswer(
        response,
        { ...call, isWithToken: token !== undefined },
        () => options.now() - call.since,
        report,
      )
      if (answer.response) call.answer = answer
      report(answer.event)
    }
    receive(() => answer?.body?.check())
    run().catch((error: unknown) => report({ type: 'port.broken', failure: bug(error) }))
    return () => {
      if (!isOver) controller.abort()
    }
  })

  /** Resolves the call while the body is still streaming. */
  const answer = (id: string) => {
    const call = calls.get(id)
    if (call?.answer?.response) call.resolve(call.answer.response)
  }

  const settle = (output: RequestOutput) => {
    const call = calls.get(output.id)
    if (!call) return
    calls.delete(output.id)
    call.release()
    const response = call.answer?.response
    if (response && 'status' in output) return call.resolve(response)
    const failure = 'failure' in output ? output.failure : unreachable
    const reason: unknown = call.signal?.aborted ? abortReason(call.signal) : new RequestError(failure)
    call.answer?.body?.fail(reason)
    call.reject(reason)
  }

  /** Rejects all pending and future calls. */
  const dispose = () => {
    isDisposed = true
    for (const id of calls.keys()) settle({ id, failure: disposed })
  }

  /** Returns the same `fetch` with its own options. */
  const boundSignal =
    (options: RequestOptions): typeof globalThis.fetch =>
    (input, init) =>
      begin(options, input, init)

  /** For the app's own calls: only to the backend, with the API key. */
  const call = (path: string, init: RequestInit = {}, asked: RequestOptions = {}) => {
    // Any other first character would become a part of the hostname.
    if (!path.startsWith('/')) throw new TypeError('The path must begin with a slash')
    const headers = new Headers({ apikey: options.key })
    if (!isRefusedAsBearer(options.key, path)) headers.set('authorization', `Bearer ${options.key}`)
    new Headers(init.headers).forEach((value, name) => headers.set(name, value))
    return begin(asked, options.url + path, { ...init, headers })
  }

  return { fetch: boundSignal({}), with: boundSignal, call, send, answer, settle, dispose }
}

type FaultError = { readonly faultId?: string }
const unreachable: Failure = { kind: 'network', message: 'The backend cannot be reached.' }

type Family = RequestInfo['family']

interface ParsedResponse {
  readonly event: SendEvent
  /** The response for the app; absent if the body was interrupted. */
  readonly response?: Response
  readonly body?: WatchedBody
}

/** What a response depends on. */
export type SentCall = Pick<PendingCall, 'family' | 'path' | 'isOwn' | 'isOwnKey'> & {
  readonly isWithToken: boolean
}

/**
 * Plain responses are read here, so that an interrupted one is a failure like any other and can be retried.
 */
export async function readAnswer(
  response: Response,
  call: SentCall,
  waited: () => number,
  report: (event: SendEvent) => void,
): Promise<ParsedResponse> {
  const sent = bodyOf(response)
  if (!sent) {
    const refusal = response.ok ? undefined : await refusalOf(response, call)
    return { response, event: eventOf(response, refusal, waited) }
  }
  // Without the code to watch a stream, the response is read completely.
  const code =
    isStreaming(response, call.family) && (await import('./watched-body.ts').catch(() => undefined))
  if (code) {
    const body = code.watchBody(sent, report)
    const event = { ...eventOf(response, undefined, waited), streaming: true as const }
    return { response: withBody(body.stream, response), body, event }
  }
  const content = await response.arrayBuffer().catch(() => undefined)
  if (!content) return { event: { type: 'send.failed', failure: brokenOff } }
  const refusal = response.ok ? undefined : await refusalOf(response, call, content)
  const event = { ...eventOf(response, refusal, waited), bytes: content.byteLength }
  return { response: withBody(content, response), event }
}

const isStreaming = ({ ok, headers }: Response, family: Family): boolean =>
  ok && family !== 'rest' && family !== 'auth' && !/\bjson\b/.test(headers.get('content-type') ?? '')

function eventOf(response: Response, refusal: AccessRefusal | undefined, waited: () => number) {
  const { status } = response
  const retryAfter = retryAfterOf(response)
  const faultId = faultIdOf(response)
  return {
    type: 'send.answered' as const,
    status,
    ...(retryAfter !== undefined && { retryAfter, waited: Math.round(waited()) }),
    ...(refusal && { refusal }),
    ...(faultId !== undefined && { faultId }),
  }
}

async function refusalOf(
  { status, headers }: Response,
  { family, path, isOwn, isOwnKey, isWithToken }: SentCall,
  content?: ArrayBuffer,
): Promise<AccessRefusal | undefined> {
  const text = content ? new TextDecoder().decode(content.slice(0, 2_000)) : ''
  const bearer = isWithToken ? 'token' : isOwn ? 'own' : 'key'
  const refusal = await readRefusal({ family, status, path, text, headers, bearer })
  return isOwnKey && isKeyRefusal(refusal) ? 'unknown' : refusal
}

export type FetchInput = Parameters<typeof globalThis.fetch>[0]

/** A `fetch` call that a request actor executes. */
export interface Call {
  readonly input: FetchInput
  readonly init: RequestInit
  readonly requestOptions: RequestOptions
  readonly headers: Headers
  readonly signal: AbortSignal | undefined
  /** The call has its own credentials, which are not changed. */
  readonly isOwn: boolean
  /** The call has its own API key. */
  readonly isOwnKey: boolean
  readonly isStreamed: boolean
}

const FUNCTIONS = '/functions/'

/** Edge Functions verify a bearer as a JWT, which the newer keys are not. Without a session, none is sent. */
const isRefusedAsBearer = (key: string, path: string): boolean =>
  path.startsWith(FUNCTIONS) && /^sb_(publishable|secret)_/.test(key)

const IDEMPOTENCY = 'idempotency-key'

/**
 * Whether no preflight can refuse an additional header. Gateways allow all headers, but a function answers the
 * preflights of its calls itself, usually with the headers of supabase-js only.
 */
const isHeaderAllowed = (base: string, address: string): boolean => {
  const page = globalThis.location?.origin
  return page === undefined || `${base}/`.startsWith(`${page}/`) || !address.startsWith(base + FUNCTIONS)
}

function readCall(
  { url, key }: Pick<GatedFetchOptions, 'url' | 'key'>,
  requestOptions: RequestOptions,
  input: FetchInput,
  init: RequestInit,
): Call {
  const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined))
  const address = input instanceof Request ? input.url : String(input)
  if (requestOptions.idempotencyKey !== undefined && isHeaderAllowed(url, address))
    headers.set(IDEMPOTENCY, requestOptions.idempotencyKey)
  const present = headers.get('authorization')
  const signals = [requestOptions.signal, init.signal].filter(signal => signal instanceof AbortSignal)
  return {
    input,
    init,
    requestOptions,
    headers,
    signal: signals.length > 1 ? anySignal(signals) : signals[0],
    isOwn: present !== null && present !== `Bearer ${key}`,
    isOwnKey: (headers.get('apikey') ?? key) !== key,
    isStreamed: isStream(init.body),
  }
}

const FAMILIES: readonly RequestInfo['family'][] = ['rest', 'storage', 'functions', 'auth', 'realtime']

/** Bodies below this size in bytes need no extra time. */
const LARGE = 100_000

/** Returns the parts of the call that machines may know, without secrets in its URL. */
function describeCall(
  { input, init, requestOptions, headers, isOwn, isStreamed }: Call,
  id: string,
  { url: base, redactUrl, isBounded }: GatedFetchOptions,
): RequestInfo {
  const { url, method: requestMethod } =
    input instanceof Request ? input : { url: String(input), method: 'GET' }
  const method = (init.method ?? requestMethod).toUpperCase()
  const address = url.replace('.storage.supabase.', '.supabase.')
  const path = redactUrl(address.startsWith(base) ? address.slice(base.length) : url)
  const family = FAMILIES.find(name => path.startsWith(`/${name}/`)) ?? 'other'
  const bytes = sizeOf(init.body)
  // Functions, procedures and writes take as long as they need. Giving up would lose the outcome, while a
  // read can be repeated.
  const isUnbounded = !isBounded && family !== 'auth' && (family === 'functions' || !SAFE_METHODS.has(method))
  const { priority, timeout, deadline, supersede } = requestOptions
  // Auth calls are anonymous, except account calls.
  const who = isOwn ? 'public' : (requestOptions.access ?? (family === 'auth' ? 'public' : undefined))
  return {
    id,
    family,
    method,
    path,
    ...(who && { access: who }),
    ...(priority && { priority }),
    ...(timeout !== undefined && { timeout }),
    ...(deadline !== undefined && { deadline }),
    ...(supersede !== undefined && { supersede }),
    ...(headers.has(IDEMPOTENCY) && { repeatable: true }),
    ...(isUnbounded && { unbounded: true }),
    ...(isStreamed && { streamed: true }),
    ...(bytes > LARGE && { bytes }),
  }
}

/** Returns the arguments for `fetch`; the user's token replaces the API key from supabase-js. */
function outgoing(
  { init, headers, isOwn, isStreamed, signal }: Call,
  token: string | undefined,
  ownSignal: AbortSignal,
): RequestInit {
  if (!isOwn && token !== undefined) headers.set('authorization', `Bearer ${token}`)
  return {
    ...init,
    headers,
    // The body may still be read after the request has settled; the app's signal then ends reading.
    signal: signal ? anySignal([ownSignal, signal]) : ownSignal,
    ...(isStreamed && { duplex: 'half' }),
  } as RequestInit
}

const isStream = (body: unknown): boolean =>
  (globalThis.ReadableStream !== undefined && body instanceof ReadableStream) ||
  (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)

function sizeOf(body: unknown): number {
  if (typeof body === 'string') return body.length
  if (body instanceof Blob) return body.size
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return body.byteLength
  // Of React Native's, the size is not known.
  if (body instanceof FormData && 'values' in body)
    return [...body.values()].reduce((sum, part) => sum + sizeOf(part), 0)
  return 0
}
