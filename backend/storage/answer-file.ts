// Serves a stored file.
import type { ObjectStore } from './objects.ts'
import type { ObjectRow } from './rows.ts'

/** Uploaded markup must not run as a page of the app, which may share this origin. */
const SANDBOX = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'"

export async function answerFile(request: Request, objects: ObjectStore, row: ObjectRow): Promise<Response> {
  const content = await objects.open(row)
  const etag = row.metadata.eTag
  const headers = new Headers({
    'content-type': row.metadata.mimetype,
    'content-length': String(content.size),
    'cache-control': row.metadata.cacheControl,
    'last-modified': new Date(row.metadata.lastModified).toUTCString(),
    'content-security-policy': SANDBOX,
    'x-content-type-options': 'nosniff',
    etag,
  })
  const download = new URL(request.url).searchParams.get('download')
  if (download !== null) {
    const name = download || (row.name.split('/').at(-1) ?? 'file')
    headers.set('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
  }
  if (request.headers.get('if-none-match') === etag) {
    headers.delete('content-length')
    return new Response(null, { status: 304, headers })
  }
  return new Response(request.method === 'HEAD' ? null : content.stream(), { headers })
}
