// Which rows a DELETE took away: lite reads what it is about to delete, and tells of rows that a policy kept, too.

/** Whatever renames, casts or embeds, lite answers from a look before the deletion. */
const TRANSFORMED = /[:(]/

export const readsBefore = ({ method, url, headers }: Request): boolean =>
  method === 'DELETE' &&
  /return=representation/.test(headers.get('prefer') ?? '') &&
  // Of other forms than a list nothing is told here.
  !/pgrst|csv/.test(headers.get('accept') ?? '') &&
  TRANSFORMED.test(new URL(url).searchParams.get('select') ?? '')

/** The question whether the rows of a deletion are still there. */
export function stillThere({ url, headers }: Request): Request {
  const asked = new Headers(headers)
  asked.delete('prefer')
  asked.delete('content-type')
  return new Request(url, { headers: asked })
}

/** The answer without the rows that were kept. */
export async function withoutKept(deleted: Response, kept: Response): Promise<Response> {
  const [before, after] = [await deleted.text(), await kept.text()].map(rowsOf)
  const { status, headers } = deleted
  const rows = before?.filter(row => !after?.includes(row)) ?? []
  const body = `[${rows.join(',')}]`
  const told = new Headers(headers)
  told.set('content-length', String(Buffer.byteLength(body)))
  return new Response(body, { status, headers: told })
}

/** Each row as text, its numbers digit for digit. */
function rowsOf(text: string): readonly string[] {
  const exact = (_name: string, value: unknown, { source }: { readonly source?: string }) =>
    typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value
  const rows: unknown = JSON.parse(text, exact)
  return Array.isArray(rows) ? rows.map(row => JSON.stringify(row)) : []
}
