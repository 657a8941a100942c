// Sets the role and claims of a transaction.
import type { Queries } from './index.ts'
import type { Claims } from '../keys/index.ts'

const KNOWN_ROLES = ['anon', 'authenticated', 'service_role']

/**
 * The database role of a caller: the one in the token if it is granted to `authenticator`, as PostgREST requires,
 * else `anon`.
 */
export async function roleOf(query: Queries['query'], { role }: Claims): Promise<string> {
  if (KNOWN_ROLES.includes(role)) return role
  const [row] = await query(
    `select 1 from pg_auth_members where roleid = to_regrole(quote_ident($1)) and member = to_regrole('authenticator')`,
    [role],
  )
  return row ? role : 'anon'
}

/**
 * What a transaction of `authenticator` starts with. It changes nothing in a session that logged in as `authenticator`;
 * where the owner has logged in, nothing of the transaction comes back to the owner.
 */
export const LOG_IN = `set_config('session_authorization', 'authenticator', true)`

/** Applies a caller's role and claims to the rest of a transaction of `authenticator`. */
export async function assumeRole(tx: Queries, claims: Claims): Promise<void> {
  await assume(tx, claims, `, ${LOG_IN}, set_config('role', $3, true)`)
}

/** Applies only a caller's claims, for the triggers of what the owner writes in the caller's name. */
export async function assumeClaims(tx: Queries, claims: Claims): Promise<void> {
  await assume(tx, claims, '')
}

/** A claim as the text of a setting; its type is not checked in a token. */
const claimText = (claim: unknown): string =>
  typeof claim === 'string' ? claim : (JSON.stringify(claim) ?? '')

async function assume(tx: Queries, claims: Claims, extraSettings: string): Promise<void> {
  const role = await roleOf(tx.query, claims)
  await tx.query(
    `select set_config('request.jwt.claims', $1, true), set_config('request.jwt.claim.sub', $2, true),
            set_config('request.jwt.claim.role', $3, true), set_config('request.jwt.claim.email', $4, true)${extraSettings}`,
    [JSON.stringify(claims), claimText(claims.sub), role, claimText(claims.email)],
  )
}
