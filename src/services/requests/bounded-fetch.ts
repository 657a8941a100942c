// A `fetch` for a page that has to outlive its hosts: an answer that would be read as a whole is read up to a bound.

type Fetch = typeof globalThis.fetch

/** As text and as values it takes several times as much; a page of a hundred rows has room for a megabyte each. */
const MOST_BYTES = 128_000_000

/** What such an answer becomes: a refusal, since to ask for the same again would bring the same. */
const TOO_LARGE = 413

const addressIn = (input: Parameters<Fetch>[0]): string =>
  input instanceof Request ? input.url : String(input)

/** Files come whole because they were asked for; the rest is read by somebody as it comes. */
const isHeldWhole = (input: Parameters<Fetch>[0], { ok, headers }: Response): boolean => {
  const address = addressIn(input)
  if (ok && /\/storage\/v1\/(object\/(?!list)|render\/)/.test(address)) return false
  return (
    !ok || /\/(rest|auth)\/v1(\/|$|\?)/.test(address) || /\bjson\b/.test(headers.get('content-type') ?? '')
  )
}

const refused = (most: number): Response => {
  const size = `${Math.round(most / 1_000_000)} MB`
  const message = `The answer is larger than ${size}, so it was not read to its end. Ask for fewer rows, columns or names.`
  return Response.json({ code: 'answer_too_large', message }, { status: TOO_LARGE })
}

/** All of a body; undefined when it goes beyond the bound, and is then broken off. */
const readUpTo = async (
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  most: number,
): Promise<readonly Uint8Array<ArrayBuffer>[] | undefined> => {
  const reader = body.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return chunks
    size += value.byteLength
    if (size > most) {
      void reader.cancel().catch(() => undefined)
      return undefined
    }
    chunks.push(value)
  }
}

const joined = (chunks: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> => {
  const [only] = chunks
  if (only !== undefined && chunks.length === 1) return only
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

/** Statuses of answers that may have no body; a browser shows an empty one all the same, and takes none back. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

const withBody = (body: BodyInit, { status, statusText, headers, url }: Response): Response => {
  const response = new Response(body, { status, statusText, headers })
  Object.defineProperty(response, 'url', { value: url })
  return response
}

export interface Bound {
  /** Bytes of an answer, unpacked. */
  readonly most?: number
  /** Also of what could be read as it comes: every answer is held whole. */
  readonly all?: boolean
}

export const boundedFetch =
  (fetch: Fetch, { most = MOST_BYTES, all = false }: Bound = {}): Fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    const { body } = response
    if (body === null || BODILESS.has(response.status) || (!all && !isHeldWhole(input, response)))
      return response
    if (Number(response.headers.get('content-length')) > most) {
      void body.cancel().catch(() => undefined)
      return refused(most)
    }
    try {
      const chunks = await readUpTo(body, most)
      return chunks === undefined ? refused(most) : withBody(joined(chunks), response)
    } catch (error) {
      // The answer had begun: that is another failure than none at all.
      return withBody(broken(error), response)
    }
  }
