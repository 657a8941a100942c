// The gated fetch: what looks like `fetch` to supabase-js is a request actor that waits, sends and settles.
import type { Failure } from '../machines/failure.ts'
import type { SendEvent } from '../machines/ports.ts'
import type { RequestInfo, RequestOutput } from '../machines/request.ts'
import { faultIdOf, retryAfterOf } from './auth-failure.ts'
import { effect } from './effect.ts'

/** Raised by a call that got no answer; `failure` says why in terms an app can act on. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

interface Call {
  readonly input: FetchInput
  readonly init: RequestInit
  readonly resolve: (response: Response) => void
  readonly reject: (error: unknown) => void
  response?: Response
}

export interface GatedFetchOptions {
  readonly url: string
  readonly key: string
  readonly fetch: typeof globalThis.fetch
  /** The access token behind a handle. */
  readonly accessToken: (tokenId: string) => string | undefined
  readonly start: (info: RequestInfo) => void
  readonly abort: (id: string) => void
  readonly redactUrl: (url: string) => string
}

export function createGatedFetch(options: GatedFetchOptions) {
  const calls = new Map<string, Call>()
  let count = 0
  let isDisposed = false

  const gatedFetch = (input: FetchInput, init: RequestInit = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const { signal } = init
      if (isDisposed) return reject(new RequestError(disposed))
      if (signal?.aborted) return reject(signal.reason as Error)
      const id = String(++count)
      calls.set(id, { input, init, resolve, reject })
      signal?.addEventListener('abort', () => calls.has(id) && options.abort(id), { once: true })
      options.start(describe(options, id, input, init))
    })

  const send = effect<{ id: string; tokenId: string | undefined; attempt: number }, SendEvent>(
    async ({ id, tokenId }, signal) => {
      const call = calls.get(id)
      if (!call) throw new Error(`there is no call behind request ${id}`)
      const signals = call.init.signal ? [signal, call.init.signal] : [signal]
      const init = {
        ...call.init,
        headers: authorise(options, call, tokenId),
        signal: AbortSignal.any(signals),
      }
      const answer = await options.fetch(call.input, init).catch(() => undefined)
      if (!answer) return { type: 'send.failed', failure: unreachable }
      call.response = answer
      const [retryAfter, faultId] = [retryAfterOf(answer), faultIdOf(answer)]
      return {
        type: 'send.answered',
        status: answer.status,
        ...(retryAfter !== undefined && { retryAfter }),
        ...(faultId !== undefined && { faultId }),
      }
    },
  )

  const settle = (output: RequestOutput) => {
    const call = calls.get(output.id)
    calls.delete(output.id)
    if (!call) return
    if (call.response && 'status' in output) return call.resolve(call.response)
    const failure = 'failure' in output ? output.failure : unreachable
    const reason: unknown = call.init.signal?.aborted ? call.init.signal.reason : new RequestError(failure)
    call.reject(reason)
  }

  /** Fails whatever is not settled, and whatever comes later. */
  const dispose = () => {
    isDisposed = true
    for (const id of calls.keys()) settle({ id, failure: disposed })
  }

  return { fetch: gatedFetch, send, settle, dispose }
}

type FetchInput = Parameters<typeof globalThis.fetch>[0]

const unreachable: Failure = { kind: 'network', message: 'The backend cannot be reached.' }
const disposed: Failure = { kind: 'disposed', message: 'The client was disposed.' }

const FAMILIES: readonly (readonly [prefix: string, family: RequestInfo['family']])[] = [
  ['/rest/', 'rest'],
  ['/storage/', 'storage'],
  ['/functions/', 'functions'],
]

function describe(options: GatedFetchOptions, id: string, input: FetchInput, init: RequestInit): RequestInfo {
  const { url, method } = input instanceof Request ? input : { url: String(input), method: 'GET' }
  const path = options.redactUrl(url.startsWith(options.url) ? url.slice(options.url.length) : url)
  const family = FAMILIES.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'other'
  return { id, family, method: (init.method ?? method).toUpperCase(), path }
}

/** The user's token takes the place of the API key that supabase-js put there; a caller's own header stays. */
function authorise(
  { key, accessToken }: GatedFetchOptions,
  { input, init }: Call,
  tokenId: string | undefined,
): Headers {
  const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined))
  const present = headers.get('authorization')
  const token = tokenId === undefined ? undefined : accessToken(tokenId)
  if (token !== undefined && (present === null || present === `Bearer ${key}`)) {
    headers.set('authorization', `Bearer ${token}`)
  }
  return headers
}
