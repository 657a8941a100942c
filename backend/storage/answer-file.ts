// Serves a stored file.
import { StorageFailure } from './failure.ts'
import type { RenderedImage } from './images.ts'
import type { ObjectStore } from './objects.ts'
import type { ObjectRow } from './rows.ts'

/** Uploaded markup must not run as a page of the app, which may share this origin. */
const SANDBOX = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'"

/** The headers by which a client knows that a file has not changed. */
export function validatorsOf({ metadata }: ObjectRow): Record<string, string> {
  return {
    'cache-control': metadata.cacheControl,
    'last-modified': new Date(metadata.lastModified).toUTCString(),
    etag: metadata.eTag,
  }
}

/** The headers that every response with a file has. */
function headersOf(request: Request, row: ObjectRow, contentType: string): Headers {
  const headers = new Headers({
    ...validatorsOf(row),
    // As on the hosted service, pages are shown as their source.
    'content-type': contentType.includes('text/html') ? 'text/plain' : contentType,
    'content-security-policy': SANDBOX,
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'none',
    'accept-ranges': 'bytes',
  })
  const etag = request.headers.get('if-none-match')
  if (etag !== null && etag !== row.metadata.eTag)
    headers.append('cache-control', 'stale-while-revalidate=30')
  const download = new URL(request.url).searchParams.get('download')
  if (download !== null) {
    const name = encodeURIComponent(download)
    const names = name === '' ? '' : ` filename=${name}; filename*=UTF-8''${name}`
    headers.set('content-disposition', `attachment;${names}`)
  }
  return headers
}

/** The response to a signed URL may be kept until the URL expires. */
export function keepUntil(response: Response, seconds: number): Response {
  response.headers.delete('cache-control')
  response.headers.set('expires', new Date(seconds * 1000).toUTCString())
  return response
}

/** Serves a rendered image; `transformations` is sent as a header. */
export function answerImage(
  request: Request,
  row: ObjectRow,
  { bytes, contentType }: RenderedImage,
  transformations: string,
): Response {
  const headers = headersOf(request, row, contentType)
  headers.set('content-length', String(bytes.byteLength))
  headers.set('vary', 'accept')
  if (transformations !== '') headers.set('x-transformations', transformations)
  return new Response(request.method === 'HEAD' ? null : Buffer.from(bytes), { headers })
}

export async function answerFile(request: Request, objects: ObjectStore, row: ObjectRow): Promise<Response> {
  const content = await objects.open(row)
  const headers = headersOf(request, row, row.metadata.mimetype)
  headers.set('content-length', String(content.size))
  if (isKnown(request, row)) {
    headers.delete('content-length')
    return new Response(null, { status: 304, headers })
  }
  const part = rangeOf(request, row, content.size)
  if (part === 'beyond') {
    const failure = new StorageFailure(416, 'InvalidRange', 'invalid_range', 'invalid range provided', 416)
    const refusal = failure.toResponse()
    refusal.headers.set('content-range', `bytes */${content.size}`)
    return refusal
  }
  const { from, to } = part ?? { from: 0, to: content.size }
  if (part) headers.set('content-range', `bytes ${from}-${to - 1}/${content.size}`)
  headers.set('content-length', String(to - from))
  const body = request.method === 'HEAD' ? null : content.stream(from, to)
  return new Response(body, { status: part ? 206 : 200, headers })
}

/** Whether the client has the file, as HTTP's conditions say. */
function isKnown({ headers }: Request, { metadata: { eTag, lastModified } }: ObjectRow): boolean {
  const etag = headers.get('if-none-match')
  if (etag !== null) return etag === eTag
  return Date.parse(headers.get('if-modified-since') ?? '') >= wholeSeconds(lastModified)
}

/** A part of a file, without its last byte. */
interface Part {
  readonly from: number
  readonly to: number
}

/** The single range that a request asks for; others are ignored, as HTTP allows. */
function rangeOf(
  { method, headers }: Request,
  { metadata: { eTag, lastModified } }: ObjectRow,
  size: number,
): Part | 'beyond' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.get('range')?.trim() ?? '') ?? []
  if (method !== 'GET' || first + last === '') return undefined
  const condition = headers.get('if-range')
  if (condition !== null && condition !== eTag && Date.parse(condition) !== wholeSeconds(lastModified))
    return undefined
  if (first === '') return last === '0' ? 'beyond' : { from: Math.max(0, size - Number(last)), to: size }
  const from = Number(first)
  const to = last === '' ? size : Math.min(Number(last) + 1, size)
  if (last !== '' && Number(last) < from) return undefined
  return from >= size ? 'beyond' : { from, to }
}

/** HTTP dates have no milliseconds. */
const wholeSeconds = (time: string): number => Math.floor(Date.parse(time) / 1000) * 1000
