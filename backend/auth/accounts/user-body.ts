// A user as the API returns it.
import type { Queries } from '../../database/index.ts'
import { DESCRIBED_COLUMNS, describeFactor, type DescribedFactor } from '../mfa/factor-body.ts'
import { iso } from '../times.ts'
import type { IdentityRow } from './identity-rows.ts'
import type { UserRow } from './users.ts'

/** The JSON of a user; fields without a value are omitted where the official server omits them. */
export type UserBody = Readonly<Record<string, unknown>> & { readonly id: string }

export async function describeUser(tx: Queries, user: UserRow): Promise<UserBody> {
  const [body] = await describeUsers(tx, [user])
  if (!body) throw new Error('Failed to describe the user')
  return body
}

/** The user in the response of its creation, before the database has computed `confirmed_at`. */
export function asCreated({ id, ...body }: UserBody): UserBody {
  return { id, ...Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'confirmed_at')) }
}

/** Loads the related rows of any number of users with two queries. */
export async function describeUsers(tx: Queries, users: readonly UserRow[]): Promise<UserBody[]> {
  const ids = users.map(({ id }) => id)
  const identities = await tx.query<IdentityRow>(
    'select * from auth.identities where user_id = any($1::uuid[]) order by created_at, provider',
    [ids],
  )
  const factors = await tx.query<DescribedFactor>(
    `select ${DESCRIBED_COLUMNS} from auth.mfa_factors where user_id = any($1::uuid[]) order by created_at`,
    [ids],
  )
  const identitiesOf = Map.groupBy(identities, ({ user_id }) => user_id)
  const factorsOf = Map.groupBy(factors, ({ user_id }) => user_id)
  return users.map(user => bodyOf(user, identitiesOf.get(user.id) ?? [], factorsOf.get(user.id) ?? []))
}

function bodyOf(
  user: UserRow,
  identities: readonly IdentityRow[],
  factors: readonly DescribedFactor[],
): UserBody {
  return {
    id: user.id,
    aud: user.aud ?? '',
    role: user.role ?? '',
    email: user.email ?? '',
    ...whenSet({
      email_confirmed_at: iso(user.email_confirmed_at),
      invited_at: iso(user.invited_at),
    }),
    phone: user.phone ?? '',
    ...whenSet({
      phone_confirmed_at: iso(user.phone_confirmed_at),
      confirmation_sent_at: iso(user.confirmation_sent_at),
      confirmed_at: iso(user.confirmed_at),
      recovery_sent_at: iso(user.recovery_sent_at),
      new_email: user.email_change || undefined,
      email_change_sent_at: iso(user.email_change_sent_at),
      new_phone: user.phone_change || undefined,
      phone_change_sent_at: iso(user.phone_change_sent_at),
      reauthentication_sent_at: iso(user.reauthentication_sent_at),
      last_sign_in_at: iso(user.last_sign_in_at),
    }),
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    ...(factors.length === 0 ? {} : { factors: factors.map(describeFactor) }),
    identities: identities.map(describeIdentity),
    created_at: iso(user.created_at),
    updated_at: iso(user.updated_at),
    ...whenSet({ banned_until: iso(user.banned_until), deleted_at: iso(user.deleted_at) }),
    is_anonymous: user.is_anonymous,
  }
}

function describeIdentity(identity: IdentityRow): Record<string, unknown> {
  return {
    identity_id: identity.id,
    id: identity.provider_id,
    user_id: identity.user_id,
    // Empty after a soft deletion.
    ...whenSet({
      identity_data: Object.keys(identity.identity_data).length > 0 ? identity.identity_data : undefined,
    }),
    provider: identity.provider,
    ...whenSet({ last_sign_in_at: iso(identity.last_sign_in_at) }),
    created_at: iso(identity.created_at),
    updated_at: iso(identity.updated_at),
    ...whenSet({ email: identity.email || undefined }),
  }
}

function whenSet(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
