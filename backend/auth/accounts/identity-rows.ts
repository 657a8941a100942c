// Identities: rows of auth.identities, a user's sign-in methods.
import { randomUUID } from 'node:crypto'
import type { Queries } from '../../database/index.ts'
import type { AuthContext } from '../context.ts'

/** A row of auth.identities; times are ISO strings. */
export interface IdentityRow {
  readonly id: string
  readonly provider_id: string
  readonly user_id: string
  readonly identity_data: Readonly<Record<string, unknown>>
  readonly provider: string
  readonly last_sign_in_at: string | null
  readonly created_at: string | null
  readonly updated_at: string | null
  readonly email: string | null
}

export interface NewIdentity {
  readonly userId: string
  readonly provider: string
  /** The user's id at the provider; for email and phone it is the user's own id. */
  readonly providerId: string
  readonly data: Readonly<Record<string, unknown>>
}

export async function addIdentity(
  tx: Queries,
  context: Pick<AuthContext, 'clock'>,
  identity: NewIdentity,
): Promise<IdentityRow> {
  const now = new Date(context.clock.now()).toISOString()
  const [row] = await tx.query<IdentityRow>(
    `insert into auth.identities (id, user_id, provider, provider_id, identity_data, last_sign_in_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6, $6) returning *`,
    [
      randomUUID(),
      identity.userId,
      identity.provider,
      identity.providerId,
      JSON.stringify(identity.data),
      now,
    ],
  )
  if (!row) throw new Error('Failed to create the identity')
  return row
}

export function identitiesOf(tx: Queries, userId: string): Promise<IdentityRow[]> {
  return tx.query<IdentityRow>(
    'select * from auth.identities where user_id = $1 order by created_at, provider',
    [userId],
  )
}

/** Merges into the data of a user's identity of one provider; does nothing if it does not exist. */
export async function changeIdentity(
  tx: Queries,
  context: Pick<AuthContext, 'clock'>,
  userId: string,
  provider: string,
  data: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const rows = await tx.query(
    `update auth.identities set identity_data = identity_data || $3::jsonb, updated_at = $4
     where user_id = $1 and provider = $2 returning id`,
    [userId, provider, JSON.stringify(data), new Date(context.clock.now()).toISOString()],
  )
  return rows.length > 0
}
