// Buffers a request body up to a limit, so that no service waits for a slow sender while it holds the
// database.

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
