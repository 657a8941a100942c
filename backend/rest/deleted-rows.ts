// Determines which rows a DELETE removed: lite reads the rows before deleting, and also returns rows that a
// policy kept.
import { restError } from '../shared/errors.ts'

/** For renames, casts and embeds, lite responds with data from before the deletion. */
const TRANSFORMED = /[:(]/

export const readsBefore = ({ method, url, headers }: Request): boolean =>
  method === 'DELETE' &&
  /return=representation/.test(headers.get('prefer') ?? '') &&
  // Only lists are corrected here.
  !/pgrst|csv/.test(headers.get('accept') ?? '') &&
  TRANSFORMED.test(new URL(url).searchParams.get('select') ?? '')

/** Refuses to roll back a deletion whose result needs a second request, which would still see the rows. */
export function refuseTrial(request: Request): Response | undefined {
  if (!readsBefore(request) || !/\btx=rollback\b/.test(request.headers.get('prefer') ?? '')) return undefined
  const message =
    'This backend cannot return renamed, cast or embedded columns of a deletion with tx=rollback. Select plain columns.'
  return restError(400, 'PGRST100', message)
}

/** A request that checks whether the rows of a deletion still exist. */
export function stillThere({ url, headers }: Request): Request {
  const asked = new Headers(headers)
  asked.delete('prefer')
  asked.delete('content-type')
  return new Request(url, { headers: asked })
}

/** The response without the rows that were kept. */
export async function withoutKept(deleted: Response, kept: Response): Promise<Response> {
  const [before, after] = [await deleted.text(), await kept.text()].map(rowsOf)
  const { status, headers } = deleted
  const rows = before?.filter(row => !after?.includes(row)) ?? []
  const body = `[${rows.join(',')}]`
  const forwarded = new Headers(headers)
  forwarded.set('content-length', String(Buffer.byteLength(body)))
  return new Response(body, { status, headers: forwarded })
}

/** Each row as text, with exact numbers. */
function rowsOf(text: string): readonly string[] {
  const exact = (_name: string, value: unknown, { source }: { readonly source?: string }) =>
    typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value
  const rows: unknown = JSON.parse(text, exact)
  return Array.isArray(rows) ? rows.map(row => JSON.stringify(row)) : []
}
