// Request bodies up to a limit: buffered, so that no service waits for a slow sender while it holds the
// database, or as a stream for files.

const BODILESS = ['GET', 'HEAD', 'OPTIONS']

/** The same request with its body in memory, or `tooLarge`. */
export async function readWhole(request: Request, limit: number): Promise<Request | 'tooLarge'> {
  const { method, url, headers } = request
  const body = BODILESS.includes(method) ? null : request.body
  if (Number(headers.get('content-length') ?? 0) > limit) return 'tooLarge'
  if (body === null) return new Request(url, { method, headers })
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > limit) return 'tooLarge'
    chunks.push(chunk)
  }
  return new Request(url, { method, headers, body: size === 0 ? null : Buffer.concat(chunks) })
}

/** A request whose body is passed on as it arrives. */
export interface StreamedRequest {
  readonly request: Request
  /**
   * Reads what the service has left, so that the client gets the response instead of a broken connection.
   * @returns whether the body was within the limit
   */
  drain(): Promise<boolean>
}

/** The same request, whose body fails once it exceeds the limit; or `tooLarge` if its length is announced. */
export function readStreamed(request: Request, limit: number): StreamedRequest | 'tooLarge' {
  const { method, url, headers } = request
  if (Number(headers.get('content-length') ?? 0) > limit) return 'tooLarge'
  const reader = BODILESS.includes(method) ? undefined : request.body?.getReader()
  if (!reader) return { request: new Request(url, { method, headers }), drain: async () => true }
  let size = 0
  let isAtEnd = false
  const read = async () => {
    const { value } = await reader.read()
    isAtEnd = value === undefined
    size += value?.byteLength ?? 0
    if (size > limit) throw new Error(`The body is larger than ${limit} bytes`)
    return value
  }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await read()
        if (chunk) controller.enqueue(chunk)
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  // Undici requires `duplex` with a stream; the DOM types lack it.
  const init = { method, headers, body, duplex: 'half' }
  return {
    request: new Request(url, init),
    async drain() {
      try {
        while (!isAtEnd) await read()
      } catch {
        // An interrupted body has no reader for the response either.
      }
      return size <= limit
    },
  }
}
