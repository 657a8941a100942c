// Uploads a large file in parts by the TUS protocol: each part is one request, and interrupted uploads
// resume.
import {
  DetailedError,
  Upload,
  type HttpRequest,
  type HttpResponse,
  type HttpStack,
  type UploadOptions,
} from 'tus-js-client'
import type { TransferEvent } from '../../../machines/index.ts'
import { describeFailure } from '../requests/describe-failure.ts'
import {
  isStorageAddress,
  callStorage,
  failureOf,
  isTaken,
  type Refusal,
  type StorageHost,
} from './storage-call.ts'
import { PART, type PartsHost, type PartsToSend, type Placement } from './transfer.ts'

/** Statuses of backends without resumable uploads. */
const NOT_TAKEN: ReadonlySet<number> = new Set([404, 405, 501])

class Answered implements HttpResponse {
  readonly #response: Response
  readonly #text: string
  constructor(response: Response, text: string) {
    this.#response = response
    this.#text = text
  }
  getStatus = (): number => this.#response.status
  getHeader = (name: string): string | undefined => this.#response.headers.get(name) ?? undefined
  getBody = (): string => this.#text
  getUnderlyingObject = (): Response => this.#response
}

class TusRequest implements HttpRequest {
  readonly #host: StorageHost
  readonly #method: string
  readonly #url: string
  readonly #headers: Record<string, string> = {}
  readonly #left = new AbortController()
  #progress: ((sent: number) => void) | undefined
  constructor(host: StorageHost, method: string, url: string) {
    this.#host = host
    this.#method = method
    this.#url = url
  }
  getMethod = (): string => this.#method
  getURL = (): string => this.#url
  getHeader = (name: string): string | undefined => this.#headers[name]
  setHeader = (name: string, value: string): void => void (this.#headers[name] = value)
  setProgressHandler = (handler: (sent: number) => void): void => void (this.#progress = handler)
  getUnderlyingObject = (): undefined => undefined
  abort = (): Promise<void> => Promise.resolve(this.#left.abort())
  send = async (body?: unknown): Promise<HttpResponse> => {
    const response = await callStorage(this.#host, this.#url, {
      method: this.#method,
      headers: this.#headers,
      ...(body instanceof Blob && { body }),
      signal: this.#left.signal,
      sent: bytes => this.#progress?.(bytes),
    })
    return new Answered(response, await response.text())
  }
}

const stackOf = (host: StorageHost): HttpStack => ({
  createRequest: (method, url) => new TusRequest(host, method, url),
  getName: () => 'Chartroom',
})

function optionsOf(host: PartsHost, sending: PartsToSend): UploadOptions {
  const { bucket, path, replace, content } = sending
  return {
    endpoint: `${host.url}/storage/v1/upload/resumable`,
    httpStack: stackOf(host),
    fileReader: {
      openFile: () =>
        Promise.resolve({
          size: content.blob.size,
          slice: (start: number, end: number) =>
            Promise.resolve({
              value: content.blob.slice(start, end),
              size: Math.min(end, content.blob.size) - start,
              done: end >= content.blob.size,
            }),
          close: () => undefined,
        }),
    },
    chunkSize: PART,
    // The machine owns retries, and the URL storage is ours.
    retryDelays: null,
    storeFingerprintForResuming: false,
    headers: { 'x-upsert': String(replace) },
    metadata: {
      bucketName: bucket,
      objectName: path,
      contentType: content.mime || 'application/octet-stream',
      cacheControl: '3600',
    },
  }
}

async function explain(error: unknown): Promise<TransferEvent | 'notTaken'> {
  const answer = error instanceof DetailedError ? error.originalResponse : undefined
  if (!answer) {
    const cause = error instanceof DetailedError ? error.causingError : error
    return { type: 'transfer.failed', failure: await describeFailure(cause ?? error) }
  }
  const refusal = refusalIn(answer)
  const isBeginning = error instanceof DetailedError && error.originalRequest?.getMethod() === 'POST'
  const status = answer.getStatus()
  if (isBeginning && NOT_TAKEN.has(status) && refusal['message'] === undefined) return 'notTaken'
  if (isTaken(isBeginning ? status : 0, refusal)) return { type: 'transfer.conflicted' }
  return { type: 'transfer.failed', failure: await failureOf(status, refusal) }
}

/** What the storage server says: text where it speaks the protocol, else JSON. Nothing if another server answers. */
function refusalIn(answer: HttpResponse): Refusal {
  const text = answer.getBody()
  if (answer.getHeader('tus-resumable') === undefined) return storageBody(text)
  const message = text.trim()
  const code = message.startsWith('Invalid key') ? 'InvalidKey' : undefined
  const error = message === 'The resource already exists' ? 'Duplicate' : undefined
  return { message, ...(code && { code }), ...(error && { error }) }
}

/** A body with the fields of a storage error. */
function storageBody(text: string): Refusal {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'statusCode' in body ? (body as Refusal) : {}
  } catch {
    return {}
  }
}

/** Key for resuming an upload; includes its path on the backend. */
const markOf = ({ url }: PartsHost, { bucket, path, content }: Placement): string =>
  `${url} ${bucket} ${path} ${content.mark}`

/** In ms. The backend may still be writing the interrupted part, with the upload locked. */
const TERMINATE_AGAIN_MS = [1_000, 3_000]

/**
 * Deletes an unfinished upload from the backend, if the backend supports that; others expire it. Not awaited
 * by any caller.
 */
export async function discardParts(host: PartsHost, placement: Placement): Promise<void> {
  const mark = markOf(host, placement)
  const url = await host.urlStorage.get(mark)
  if (url === undefined) return
  await host.urlStorage.remove(mark)
  const options = { httpStack: stackOf(host), retryDelays: TERMINATE_AGAIN_MS }
  await Upload.terminate(url, options).catch(() => undefined)
}

/** Returns `notTaken` if the backend does not support resumable uploads. */
export async function sendInParts(
  host: PartsHost,
  sending: PartsToSend,
): Promise<TransferEvent | 'notTaken'> {
  const { content, signal, sent } = sending
  const mark = markOf(host, sending)
  const storedUrl = await host.urlStorage.get(mark)
  const uploadUrl = storedUrl !== undefined && isStorageAddress(storedUrl, host.url) ? storedUrl : undefined
  const error = await new Promise<unknown>(resolve => {
    const upload = new Upload(content.blob, {
      ...optionsOf(host, sending),
      ...(uploadUrl !== undefined && { uploadUrl: uploadUrl }),
      onUploadUrlAvailable: () => {
        if (upload.url && isStorageAddress(upload.url, host.url)) void host.urlStorage.put(mark, upload.url)
      },
      onProgress: bytes => sent(bytes, true),
      onSuccess: () => resolve(undefined),
      onError: resolve,
    })
    signal.addEventListener('abort', () => void upload.abort(), { once: true })
    upload.start()
  })
  const event = error === undefined ? ({ type: 'transfer.done' } as const) : await explain(error)
  // After a temporary failure, the upload resumes where it stopped.
  if (event !== 'notTaken' && event.type !== 'transfer.failed') await host.urlStorage.remove(mark)
  return event
}
