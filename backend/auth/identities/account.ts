// Updates the user of an identity: lists providers, confirms the address, or adopts the identity's address.
import type { Queries } from '../../database/index.ts'
import type { AuthContext } from '../context.ts'
import { identitiesOf, type IdentityRow } from '../accounts/identity-rows.ts'
import { findUserByEmail, mergeMetadata, timeOf, updateUser, type UserRow } from '../accounts/users.ts'
import { autoconfirms } from './linking.ts'

/** The fields that the audit log records about an identity. */
export function identityTraits({ id, provider, provider_id }: IdentityRow): Record<string, unknown> {
  return { identity_id: id, provider, provider_id }
}

/** Lists the user's providers in its metadata, oldest first. */
export async function listProviders(tx: Queries, context: AuthContext, user: UserRow): Promise<UserRow> {
  const providers = [...new Set((await identitiesOf(tx, user.id)).map(({ provider }) => provider))]
  const listed = { ...(providers[0] === undefined ? {} : { provider: providers[0] }), providers }
  return updateUser(tx, context, user.id, {
    raw_app_meta_data: mergeMetadata(user.raw_app_meta_data, listed),
  })
}

/** Marks the address as confirmed and revokes links sent earlier. */
export async function confirmAddress(tx: Queries, context: AuthContext, user: UserRow): Promise<UserRow> {
  await tx.query('delete from auth.one_time_tokens where user_id = $1', [user.id])
  return updateUser(tx, context, user.id, {
    confirmation_token: '',
    email_confirmed_at: timeOf(context),
    raw_user_meta_data: mergeMetadata(user.raw_user_meta_data, { email_verified: true }),
  })
}

/**
 * Removes the password, the metadata and all other identities of an unconfirmed account, since an attacker
 * may have created it to wait for the true owner.
 */
export async function dropUnconfirmed(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  identity: IdentityRow,
): Promise<UserRow> {
  await tx.query('delete from auth.identities where user_id = $1 and id <> $2', [user.id, identity.id])
  const cleared = await updateUser(tx, context, user.id, {
    encrypted_password: null,
    raw_user_meta_data: identity.identity_data,
  })
  return listProviders(tx, context, cleared)
}

/**
 * Sets the user's address to one of its identities' if none has the current one, preferring verified
 * identities. Returns `conflict` if other users have all of them.
 */
export async function takeAddressFromIdentities(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
): Promise<UserRow | 'conflict'> {
  const identities = await identitiesOf(tx, user.id)
  if (identities.some(({ email }) => (email ?? '') === (user.email ?? ''))) return user
  const ranked = identities.toSorted((a, b) => rank(a) - rank(b))
  const primary = await firstFree(tx, ranked)
  if (!primary) return 'conflict'
  await tx.query('delete from auth.one_time_tokens where user_id = $1', [user.id])
  const isTrusted = primary.email !== null && (isVerified(primary) || autoconfirms(context.settings))
  return updateUser(tx, context, user.id, {
    email: primary.email,
    ...NO_PENDING,
    ...(isTrusted
      ? {}
      : {
          email_confirmed_at: null,
          raw_user_meta_data: mergeMetadata(user.raw_user_meta_data, { email_verified: false }),
        }),
  })
}

/** Clears everything that was requested under the old address. */
const NO_PENDING = {
  confirmation_token: '',
  confirmation_sent_at: null,
  recovery_token: '',
  recovery_sent_at: null,
  email_change: '',
  email_change_token_new: '',
  email_change_token_current: '',
  email_change_sent_at: null,
  email_change_confirm_status: 0,
  phone_change: '',
  phone_change_token: '',
  phone_change_sent_at: null,
  reauthentication_token: '',
  reauthentication_sent_at: null,
} as const

async function firstFree(tx: Queries, identities: readonly IdentityRow[]): Promise<IdentityRow | undefined> {
  for (const identity of identities) {
    if (!identity.email || !(await findUserByEmail(tx, identity.email))) return identity
  }
  return undefined
}

function rank(identity: IdentityRow): number {
  if (!identity.email) return 2
  return isVerified(identity) ? 0 : 1
}

function isVerified({ identity_data }: IdentityRow): boolean {
  return identity_data.email_verified === true
}
