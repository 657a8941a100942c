// Calls of the storage family that are made by ourselves, and what their answers say.
import type { Failure } from '../../machines/failure.ts'
import { describeFailure } from '../requests/describe-failure.ts'
import { RequestError } from '../requests/request-error.ts'
import type { Carried } from '../requests/carried-fetch.ts'
import { isStorageAddress } from './storage-address.ts'
import { tellingFetch } from './telling-fetch.ts'

export interface StorageHost {
  readonly url: string
  readonly key: string
  /** Waits for the token and puts it in the place of the API key. */
  readonly fetch: typeof globalThis.fetch
}

export interface StorageCall extends RequestInit {
  readonly method: string
  /** Hears how many bytes of the body have left. */
  readonly sent?: (bytes: number) => void
}

/**
 * Sends a call; `path` may be a whole address, as a host gives one of an upload that goes on.
 * @throws RequestError for an address that is not the project's own
 */
export async function callStorage(
  { url, key, fetch }: StorageHost,
  path: string,
  { sent, headers: given, ...init }: StorageCall,
): Promise<Response> {
  const isWhole = /^https?:/.test(path)
  if (isWhole && !isStorageAddress(path, url)) throw new RequestError(foreignAddress(path))
  const headers = new Headers(given)
  headers.set('apikey', key)
  headers.set('authorization', `Bearer ${key}`)
  const carrier = sent && tellingFetch(sent)
  const carried: Carried = { ...init, headers, ...(carrier && { carrier }) }
  return fetch(isWhole ? path : `${url}/storage/v1${path}`, carried)
}

const foreignAddress = (address: string): Failure => ({
  kind: 'storage',
  code: 'foreign_upload_address',
  message: `The storage sends this upload to ${URL.parse(address)?.origin ?? 'another host'}, which is not part of the project. Nothing was sent there. Check the host's public address.`,
})

type Refusal = Readonly<Record<string, unknown>>

/** The body of a refusal, as an object. */
export async function refusalOf(response: Response): Promise<Refusal> {
  const body: unknown = await response.json().catch(() => undefined)
  return typeof body === 'object' && body !== null ? (body as Refusal) : {}
}

/** Whether a refusal says that there is one of this name. */
export const isTaken = (status: number, refusal: Refusal): boolean =>
  [409, '409'].includes((refusal['statusCode'] as string | undefined) ?? status) ||
  refusal['error'] === 'Duplicate' ||
  refusal['code'] === 'ResourceAlreadyExists'

/** A refusal as a failure; a name that the host does not take is told as such. */
export function failureOf(status: number, refusal: Refusal): Promise<Failure> {
  const code = refusal['code'] ?? refusal['error']
  if (code === 'InvalidKey') {
    const message = 'This host does not take such a name: use plain letters, digits and dashes.'
    return Promise.resolve({ kind: 'validation', code: 'invalid_name', status, message })
  }
  return describeFailure({ __isStorageError: true, status, ...refusal })
}

/** Each part of a path as it stands in an address. */
export const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
