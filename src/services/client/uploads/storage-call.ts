// Our own requests to the Storage API, where they may be sent, and the meaning of their responses. Uploads report their
// progress, which only XMLHttpRequest has.
import type { Failure } from '../../../machines/index.ts'
import { describeFailure } from '../requests/describe-failure.ts'
import { abortReason, RequestError } from '../../runtime/index.ts'
import { type CarriedInit, isBodiless } from '../requests/responses.ts'

export interface StorageHost {
  readonly url: string
  readonly key: string
  /** Waits for the token and replaces the API key by it. */
  readonly fetch: typeof globalThis.fetch
}

export interface StorageCall extends RequestInit {
  readonly method: string
  /** Called with the number of body bytes sent. */
  readonly sent?: (bytes: number) => void
}

/**
 * Sends a request; `path` may be a full URL, as for resumed uploads.
 * @throws RequestError for a URL outside the project
 */
export async function callStorage(
  { url, key, fetch }: StorageHost,
  path: string,
  { sent, headers: extraHeaders, ...init }: StorageCall,
): Promise<Response> {
  const isWhole = /^https?:/.test(path)
  if (isWhole && !isStorageAddress(path, url)) throw new RequestError(foreignAddress(path))
  const headers = new Headers(extraHeaders)
  headers.set('apikey', key)
  headers.set('authorization', `Bearer ${key}`)
  const carrier = sent && xhrFetch(sent)
  const requestInit: CarriedInit = { ...init, headers, ...(carrier && { carrier }) }
  return fetch(isWhole ? path : `${url}/storage/v1${path}`, requestInit)
}

const foreignAddress = (address: string): Failure => ({
  kind: 'storage',
  code: 'foreign_upload_address',
  message: `The storage backend directs this upload to ${URL.parse(address)?.origin ?? 'another host'}, which is not part of the project. Nothing was sent there. Check the host's public address.`,
})

/** The fields of an error of the storage server. */
export type Refusal = Readonly<Record<string, unknown>>

/** Returns the body of an error response as an object. */
export async function refusalOf(response: Response): Promise<Refusal> {
  const body: unknown = await response.json().catch(() => undefined)
  return typeof body === 'object' && body !== null ? (body as Refusal) : {}
}

/** Whether an error says that the name is taken. */
export const isTaken = (status: number, refusal: Refusal): boolean =>
  [409, '409'].includes((refusal['statusCode'] as string | undefined) ?? status) ||
  refusal['error'] === 'Duplicate' ||
  refusal['code'] === 'ResourceAlreadyExists'

/** Converts an error response to a failure, with a specific message for invalid names. */
export function failureOf(status: number, refusal: Refusal): Promise<Failure> {
  const code = refusal['code'] ?? refusal['error']
  if (code === 'InvalidKey') {
    const message = 'This backend does not allow this file name. Use plain letters, digits and dashes.'
    return Promise.resolve({ kind: 'validation', code: 'invalid_name', status, message })
  }
  return describeFailure({ __isStorageError: true, status, ...refusal })
}

/** URL-encodes each segment of a path. */
export const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

// A storage backend chooses the URL of each upload and could return any; the user's token goes with it.
const PROJECT = /^([a-z0-9-]+)\.supabase\.(co|in|red)$/

/** Whether a URL belongs to the backend at `url`, or to the storage host of the same hosted project. */
export function isStorageAddress(address: string, url: string): boolean {
  const [to, ownUrl] = [URL.parse(address), URL.parse(url)]
  if (!to || !ownUrl) return false
  if (to.origin === ownUrl.origin) return true
  const [, project, top] = PROJECT.exec(ownUrl.hostname) ?? []
  return project !== undefined && to.origin === `https://${project}.storage.supabase.${top}`
}

type Fetch = typeof globalThis.fetch

function responseOf(call: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of call.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const body = call.response as ArrayBuffer | null
  const isEmpty = isBodiless(call.status) || !body || body.byteLength === 0
  return new Response(isEmpty ? null : body, { status: call.status, statusText: call.statusText, headers })
}

/** Whether upload progress is available. */
export const canReportProgress = (): boolean => typeof XMLHttpRequest !== 'undefined'

/** Returns undefined without XMLHttpRequest. `sent` is called with the number of body bytes sent. */
function xhrFetch(sent: (bytes: number) => void): Fetch | undefined {
  if (!canReportProgress()) return undefined
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { signal, method = 'GET', headers, body } = init
      const call = new XMLHttpRequest()
      const abort = () => {
        call.abort()
        reject(abortReason(signal ?? {}) as Error)
      }
      if (signal?.aborted) return abort()
      call.open(method, input instanceof Request ? input.url : input)
      call.responseType = 'arraybuffer'
      new Headers(headers).forEach((value, name) => call.setRequestHeader(name, value))
      call.upload.addEventListener('progress', event => sent(event.loaded))
      call.addEventListener('load', () => resolve(responseOf(call)))
      call.addEventListener('error', () => reject(new TypeError('Failed to fetch')))
      call.addEventListener('loadend', () => signal?.removeEventListener('abort', abort))
      signal?.addEventListener('abort', abort, { once: true })
      call.send(body as XMLHttpRequestBodyInit | null)
    })
}
