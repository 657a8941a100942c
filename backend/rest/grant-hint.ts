// The hint of a hosted project's database for a missing privilege: the GRANT statement that gives it.
import type { Driver } from '../database/index.ts'

/** A request that the database refused, and its role. */
export interface DeniedCall {
  readonly request: Request
  readonly role: string
  /** PostgreSQL's message. */
  readonly message: string
}

/** Other roles get no hint in production, either. */
const HINTED = ['anon', 'authenticated', 'service_role']

const MISSING = `
select format('%I.%I', n.nspname, c.relname) as name,
  array(select p from unnest($3::text[]) with ordinality as needed (p, at)
    where not has_table_privilege($4, c.oid, p) order by at) as missing
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relname = $1 and c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_'
order by n.nspname = $2 desc, n.nspname = 'public' desc limit 1`

/** Returns the hint; undefined if the error has another reason, such as a policy or a function. */
export async function grantHint(
  driver: Driver,
  { request, role, message }: DeniedCall,
): Promise<string | undefined> {
  const table = /^permission denied for (?:table|view|materialized view|foreign table) (.+)$/.exec(
    message,
  )?.[1]
  if (table === undefined || !HINTED.includes(role)) return undefined
  const reads = request.method === 'GET' || request.method === 'HEAD'
  const schema = request.headers.get(reads ? 'accept-profile' : 'content-profile') ?? 'public'
  const { rows } = await driver.query<{ name: string; missing: string[] }>(MISSING, [
    table,
    schema,
    privilegesFor(request, table),
    role,
  ])
  const [row] = rows
  if (!row || row.missing.length === 0) return undefined
  const grant = `GRANT ${row.missing.join(', ')} ON ${row.name} TO ${role};`
  return `Grant the required privileges to the current role with: ${grant}`
}

const WRITES: Readonly<Record<string, string>> = { POST: 'INSERT', PATCH: 'UPDATE', DELETE: 'DELETE' }

/** Parameters that read no column of the rows to change. */
const IGNORED_PARAMETERS = ['select', 'columns', 'apikey']

/** What the request needs of the table, in PostgreSQL's order. Other tables are read by embedding and policies. */
function privilegesFor({ method, url, headers }: Request, table: string): string[] {
  const { pathname, searchParams } = new URL(url)
  const isTarget = pathname === `/rest/v1/${encodeURIComponent(table)}`
  const write = isTarget ? WRITES[method === 'PUT' ? 'POST' : method] : undefined
  if (write === undefined) return ['SELECT']
  const prefer = headers.get('prefer') ?? ''
  const isUpsert = method === 'PUT' || /resolution=/.test(prefer)
  const updates = method === 'PUT' || prefer.includes('resolution=merge-duplicates')
  const isFiltered =
    write !== 'INSERT' && [...searchParams.keys()].some(name => !IGNORED_PARAMETERS.includes(name))
  const reads = isUpsert || isFiltered || prefer.includes('return=representation')
  return [...(reads ? ['SELECT'] : []), write, ...(write === 'INSERT' && updates ? ['UPDATE'] : [])]
}
