// Reads a call before it becomes a request, and completes it when it is sent.
import type { RequestInfo } from '../../../machines/index.ts'
import type { RequestOptions } from '../client-types.ts'

export type FetchInput = Parameters<typeof globalThis.fetch>[0]

/** A `fetch` call that a request actor executes. */
export interface Call {
  readonly input: FetchInput
  readonly init: RequestInit
  readonly asked: RequestOptions
  readonly headers: Headers
  readonly signal: AbortSignal | undefined
  /** The call has its own credentials, which are not changed. */
  readonly isOwn: boolean
  readonly isStreamed: boolean
}

const IDEMPOTENCY = 'idempotency-key'

export function readCall(key: string, asked: RequestOptions, input: FetchInput, init: RequestInit): Call {
  const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined))
  if (asked.idempotencyKey !== undefined) headers.set(IDEMPOTENCY, asked.idempotencyKey)
  const present = headers.get('authorization')
  const signals = [asked.signal, init.signal].filter(signal => signal instanceof AbortSignal)
  return {
    input,
    init,
    asked,
    headers,
    signal: signals.length > 1 ? AbortSignal.any(signals) : signals[0],
    isOwn: present !== null && present !== `Bearer ${key}`,
    isStreamed: isStream(init.body),
  }
}

const FAMILIES: readonly RequestInfo['family'][] = ['rest', 'storage', 'functions', 'auth', 'realtime']

/** Bodies below this size in bytes need no extra time. */
const LARGE = 100_000

/** Returns the parts of the call that machines may know. `redact` removes secrets from its URL. */
export function describeCall(
  { input, init, asked, headers, isOwn, isStreamed }: Call,
  id: string,
  base: string,
  redact: (url: string) => string,
): RequestInfo {
  const { url, method } = input instanceof Request ? input : { url: String(input), method: 'GET' }
  const path = redact(url.startsWith(base) ? url.slice(base.length) : url)
  const family = FAMILIES.find(name => path.startsWith(`/${name}/`)) ?? 'other'
  const bytes = sizeOf(init.body)
  const { priority, timeout, deadline, supersede } = asked
  // Auth calls are anonymous, except account calls.
  const who = isOwn ? 'public' : (asked.access ?? (family === 'auth' ? 'public' : undefined))
  return {
    id,
    family,
    method: (init.method ?? method).toUpperCase(),
    path,
    ...(who && { access: who }),
    ...(priority && { priority }),
    ...(timeout !== undefined && { timeout }),
    ...(deadline !== undefined && { deadline }),
    ...(supersede !== undefined && { supersede }),
    ...(headers.has(IDEMPOTENCY) && { repeatable: true }),
    ...(isStreamed && { streamed: true }),
    ...(bytes > LARGE && { bytes }),
  }
}

/** Returns the arguments for `fetch`; the user's token replaces the API key from supabase-js. */
export function outgoing(
  { init, headers, isOwn, isStreamed, signal }: Call,
  token: string | undefined,
  own: AbortSignal,
): RequestInit {
  if (!isOwn && token !== undefined) headers.set('authorization', `Bearer ${token}`)
  return {
    ...init,
    headers,
    // The body may still be read after the request has settled; the app's signal then ends reading.
    signal: signal ? AbortSignal.any([own, signal]) : own,
    ...(isStreamed && { duplex: 'half' }),
  } as RequestInit
}

const isStream = (body: unknown): boolean =>
  body instanceof ReadableStream ||
  (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)

function sizeOf(body: unknown): number {
  if (typeof body === 'string') return body.length
  if (body instanceof Blob) return body.size
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return body.byteLength
  if (body instanceof FormData) return [...body.values()].reduce((sum, part) => sum + sizeOf(part), 0)
  return 0
}
