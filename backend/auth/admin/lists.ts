// Paginated admin lists: users and the audit log.
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { describeUsers, type UserBody, type UserRow } from '../accounts/users.ts'
import { iso } from '../times.ts'
import { pageHeaders, rangeOf, readPage } from './pages.ts'

export async function listUsers(context: AuthContext, url: URL): Promise<Response> {
  const order = readOrder(url.searchParams.getAll('sort'))
  const page = readPage(url.searchParams)
  const filter = url.searchParams.get('filter') ?? ''
  const where = `where aud = 'authenticated'
    and ($1 = '' or strpos(email, $1) > 0 or strpos(lower(raw_user_meta_data ->> 'full_name'), lower($1)) > 0)`
  return context.database.owner(async tx => {
    const [total] = await tx.query<{ count: number }>(
      `select count(*)::int as count from auth.users ${where}`,
      [filter],
    )
    const rows = await tx.query<UserRow>(
      `select * from auth.users ${where} order by created_at ${order}, id limit $2 offset $3`,
      [filter, ...rangeOf(page)],
    )
    // Without identities and factors, which the official server loads only for single users.
    const users = (await describeUsers(tx, rows)).map(withoutRelations)
    const headers = pageHeaders(url, page, total?.count ?? 0)
    return Response.json({ users, aud: 'authenticated' }, { headers })
  })
}

function withoutRelations(user: UserBody): Record<string, unknown> {
  const record = Object.entries(user).filter(([name]) => name !== 'factors')
  return { ...Object.fromEntries(record), identities: null }
}

function readOrder(sorts: readonly string[]): 'asc' | 'desc' {
  const [first = 'created_at desc'] = sorts
  for (const sort of sorts) {
    const [field = '', direction = 'desc'] = sort.split(' ', 2)
    if (field !== 'created_at') throw badSort(`bad field for sort '${field}'`)
    if (!['asc', 'desc'].includes(direction.toLowerCase())) {
      throw badSort(`bad direction for sort '${direction}', only 'asc' and 'desc' allowed`)
    }
  }
  return / asc$/i.test(first) ? 'asc' : 'desc'
}

function badSort(reason: string): AuthError {
  return new AuthError(400, 'validation_failed', `Bad Sort Parameters: ${reason}`)
}

interface AuditEntry {
  readonly id: string
  readonly payload: unknown
  readonly created_at: string
}

const SCOPES: Readonly<Record<string, string>> = {
  author: 'actor_username',
  action: 'action',
  type: 'log_type',
}

export async function listAudit(context: AuthContext, url: URL): Promise<Response> {
  const page = readPage(url.searchParams)
  const query = url.searchParams.get('query') ?? ''
  const [scope = '', ...rest] = query.split(':')
  const field = Object.hasOwn(SCOPES, scope) ? SCOPES[scope] : undefined
  if (query !== '' && (field === undefined || rest.length === 0)) {
    throw new AuthError(400, 'validation_failed', `Invalid query scope: ${query}`)
  }
  const where = `where $1 = '' or strpos(lower(payload ->> $2), lower($1)) > 0`
  const values = [rest.join(':'), field ?? 'action']
  return context.database.owner(async tx => {
    const [total] = await tx.query<{ count: number }>(
      `select count(*)::int as count from auth.audit_log_entries ${where}`,
      values,
    )
    const entries = await tx.query<AuditEntry>(
      `select id, payload, created_at from auth.audit_log_entries ${where}
       order by created_at desc, id limit $3 offset $4`,
      [...values, ...rangeOf(page)],
    )
    const described = entries.map(entry => ({ ...entry, created_at: iso(entry.created_at), ip_address: '' }))
    return Response.json(described, { headers: pageHeaders(url, page, total?.count ?? 0) })
  })
}
