// Who runs a script: the settings that a request of the API with the same caller would have.
import type { Claims } from '../keys/index.ts'
import type { Queries } from '../database/index.ts'
import type { SqlIdentity } from './request.ts'

/** A caller of the API. */
export interface SqlCaller {
  readonly claims: Claims
  /** Settings of the roles, by name. */
  readonly settings: Readonly<Record<string, string>>
}

/** There is no such user. */
export class UnknownUser extends Error {
  override name = 'UnknownUser'
}

interface User {
  readonly role: string | null
  readonly aud: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly app_metadata: unknown
  readonly user_metadata: unknown
  readonly is_anonymous: boolean | null
}

/**
 * Reads the caller; undefined for the owner. The claims are those of a new access token after a sign-in with a password,
 * before a hook of the project changes them.
 * @throws UnknownUser
 */
export async function readCaller(
  { query }: Pick<Queries, 'query'>,
  identity: SqlIdentity,
  { issuer, now }: { readonly issuer: string; readonly now: number },
): Promise<SqlCaller | undefined> {
  if (identity === 'owner') return undefined
  const claims =
    typeof identity === 'string' ? { role: identity } : await claimsOf(query, identity.user, issuer, now)
  return { claims, settings: await roleSettings(query, claims.role) }
}

async function claimsOf(query: Queries['query'], id: string, issuer: string, now: number): Promise<Claims> {
  const [user] = await query<User>(
    `select role, aud, email, phone, raw_app_meta_data as app_metadata, raw_user_meta_data as user_metadata, is_anonymous
     from auth.users where id = $1 and deleted_at is null`,
    [id],
  )
  if (!user) throw new UnknownUser('There is no user with this id.')
  const issuedAt = Math.floor(now / 1000)
  return {
    iss: issuer,
    sub: id,
    aud: user.aud ?? 'authenticated',
    exp: issuedAt + 3_600,
    iat: issuedAt,
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: user.app_metadata ?? {},
    user_metadata: user.user_metadata ?? {},
    role: user.role || 'authenticated',
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: issuedAt }],
    session_id: crypto.randomUUID(),
    is_anonymous: user.is_anonymous ?? false,
  }
}

/** What `alter role … set` stores for the role and for `authenticator`; the role's own come last. */
async function roleSettings(query: Queries['query'], role: string): Promise<Record<string, string>> {
  const rows = await query<{ name: string; value: string }>(
    `select name, substr(entry, length(name) + 2) as value
     from pg_db_role_setting d, unnest(d.setconfig) as entry
     join pg_settings on name = split_part(entry, '=', 1) and context = 'user'
     where d.setrole in (to_regrole('authenticator'), to_regrole(quote_ident($1)))
       and d.setdatabase in (0, (select oid from pg_database where datname = current_database()))
     order by d.setrole = to_regrole(quote_ident($1)), d.setdatabase`,
    [role],
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** The statement that makes a session that of a caller; the role comes last, as it may not be allowed the others. */
export function assumeStatement({ claims, settings }: SqlCaller): string {
  const text = (claim: unknown) => (typeof claim === 'string' ? claim : '')
  const entries: readonly (readonly [name: string, value: string])[] = [
    ...Object.entries(settings),
    ['request.jwt.claims', JSON.stringify(claims)],
    ['request.jwt.claim.sub', text(claims['sub'])],
    ['request.jwt.claim.role', claims.role],
    ['request.jwt.claim.email', text(claims['email'])],
    ['session_authorization', 'authenticator'],
    ['role', claims.role],
  ]
  const calls = entries.map(([name, value]) => `set_config(${literal(name)}, ${literal(value)}, false)`)
  return `select ${calls.join(', ')}`
}

const literal = (value: string): string => `'${value.replaceAll('\0', '').replaceAll("'", "''")}'`
