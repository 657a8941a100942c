// Calls of `fetch`: how large a response may be, what its headers say, and another transport for an upload.

type Fetch = typeof globalThis.fetch

/**
 * As text and parsed values, a response takes several times as much memory; a page of 100 rows still has room
 * for 1 MB per row.
 */
const MOST_BYTES = 128_000_000

/** A too large response becomes this error, because retrying would have the same result. */
const TOO_LARGE = 413

/** Adds these headers to every request that has none of the same name. */
export const fetchWithHeaders =
  (fetch: Fetch, extraHeaders: Readonly<Record<string, string>>): Fetch =>
  (input, init) => {
    const headers = new Headers(extraHeaders)
    new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined)).forEach(
      (value, name) => headers.set(name, value),
    )
    return fetch(input, { ...init, headers })
  }

const addressIn = (input: Parameters<Fetch>[0]): string =>
  input instanceof Request ? input.url : String(input)

/** File downloads are wanted as a whole; other responses are read as streams. */
const isHeldWhole = (input: Parameters<Fetch>[0], { ok, headers }: Response): boolean => {
  const address = addressIn(input)
  if (ok && /\/storage\/v1\/(object\/(?!list)|render\/)/.test(address)) return false
  return (
    !ok || /\/(rest|auth)\/v1(\/|$|\?)/.test(address) || /\bjson\b/.test(headers.get('content-type') ?? '')
  )
}

const refused = (tooLarge: number): Response => {
  const size = `${Math.round(tooLarge / 1_000_000)} MB`
  const message = `The response is larger than ${size}, so it was not read completely. Request fewer rows, columns or names.`
  return Response.json({ code: 'answer_too_large', message }, { status: TOO_LARGE })
}

/** Reads the body; returns undefined and cancels if it exceeds the limit. */
const readUpTo = async (
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  maxBytes: number,
): Promise<readonly Uint8Array<ArrayBuffer>[] | undefined> => {
  const reader = body.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return chunks
    size += value.byteLength
    if (size > maxBytes) {
      void reader.cancel().catch(() => undefined)
      return undefined
    }
    chunks.push(value)
  }
}

const joined = (chunks: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> => {
  const [onlyChunk] = chunks
  if (onlyChunk !== undefined && chunks.length === 1) return onlyChunk
  const all = new Uint8Array(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.byteLength
  }
  return all
}

const broken = (error: unknown): ReadableStream<Uint8Array> =>
  new ReadableStream({ start: controller => controller.error(error) })

export const isBodiless = (status: number): boolean => [204, 205, 304].includes(status)

/** Null for statuses without a body: browsers have an empty one, but reject it in a new Response. */
export const bodyOf = ({ body, status }: Response): Response['body'] => (isBodiless(status) ? null : body)

/** The same response with another body. */
export const withBody = (body: BodyInit, { status, statusText, headers, url }: Response): Response => {
  const response = new Response(body, { status, statusText, headers })
  Object.defineProperty(response, 'url', { value: url })
  return response
}

export interface SizeLimit {
  /** Maximum bytes of a response, uncompressed. */
  readonly maxBytes?: number
  /** Also applies the limit to responses that could be streamed. */
  readonly all?: boolean
}

export const boundedFetch =
  (fetch: Fetch, { maxBytes = MOST_BYTES, all = false }: SizeLimit = {}): Fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    const body = bodyOf(response)
    if (body === null || (!all && !isHeldWhole(input, response))) return response
    if (Number(response.headers.get('content-length')) > maxBytes) {
      void body.cancel().catch(() => undefined)
      return refused(maxBytes)
    }
    try {
      const chunks = await readUpTo(body, maxBytes)
      return chunks === undefined ? refused(maxBytes) : withBody(joined(chunks), response)
    } catch (error) {
      // The response had begun, which differs from a request without any response.
      return withBody(broken(error), response)
    }
  }

/** Arguments of `fetch`, plus the transport. */
export interface CarriedInit extends RequestInit {
  readonly carrier?: Fetch
}

export const carriedFetch =
  (fetch: Fetch): Fetch =>
  (input, init?: CarriedInit) =>
    (init?.carrier ?? fetch)(input, init)

/**
 * Returns Retry-After in seconds. A date is compared with the server's own time, if present, rather than with
 * this device's.
 */
export function retryAfterOf({ headers }: Response): number | undefined {
  const retryAfter = headers.get('retry-after')
  if (retryAfter === null) return undefined
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  const seconds = /^\s*\d/.test(retryAfter)
    ? Number(retryAfter)
    : Math.max(0, (Date.parse(retryAfter) - now) / 1000)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

/** The server's value is written to traces, so only an id and a count are accepted. */
const FAULT_ID = /^[\w.-]{1,64}#\d{1,10}$/

/**
 * Returns the injected fault that a response of the embedded backend names as its cause; the first if there
 * are several.
 */
export function faultIdOf(response: Response): string | undefined {
  const first = response.headers.get('x-chartroom-fault')?.split(',', 1)[0]?.trim()
  return first !== undefined && FAULT_ID.test(first) ? first : undefined
}
