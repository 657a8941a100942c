// Sets the role and claims of a transaction.
import type { Queries } from './index.ts'
import type { Claims } from '../keys/index.ts'

const KNOWN_ROLES = ['anon', 'authenticated', 'service_role']

export function knownRole({ role }: Claims): string {
  return KNOWN_ROLES.includes(role) ? role : 'anon'
}

/** Applies a caller's role and claims to the rest of a transaction. */
export async function assumeRole(tx: Queries, claims: Claims): Promise<void> {
  const role = knownRole(claims)
  await tx.query(
    `select set_config('request.jwt.claims', $1, true), set_config('request.jwt.claim.sub', $2, true),
            set_config('request.jwt.claim.role', $3, true), set_config('request.jwt.claim.email', $4, true),
            set_config('role', $3, true)`,
    [JSON.stringify(claims), claims.sub ?? '', role, typeof claims.email === 'string' ? claims.email : ''],
  )
}
