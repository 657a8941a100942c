// Unlinks an identity from its user, who must keep at least one.
import type { Queries } from '../../database/index.ts'
import { audit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { identitiesOf } from '../accounts/identity-rows.ts'
import { updateUser, type UserRow } from '../accounts/users.ts'
import { identityTraits, listProviders, takeAddressFromIdentities } from './account.ts'

/** @throws 422 `single_identity_not_deletable`, `identity_not_found` or `email_conflict_identity_not_deletable`. */
export async function unlinkIdentity(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  identityId: string,
): Promise<void> {
  const identities = await identitiesOf(tx, user.id)
  if (identities.length <= 1) {
    throw new AuthError(
      422,
      'single_identity_not_deletable',
      'User must have at least 1 identity after unlinking',
    )
  }
  const identity = identities.find(({ id }) => id === identityId)
  if (!identity) throw new AuthError(422, 'identity_not_found', "Identity doesn't exist")
  await tx.query('delete from auth.identities where id = $1', [identity.id])
  await audit(tx, context, user, 'identity_unlinked', identityTraits(identity))
  const left =
    identity.provider === 'phone'
      ? await updateUser(tx, context, user.id, { phone: null, phone_confirmed_at: null })
      : await takeAddressFromIdentities(tx, context, user)
  if (left === 'conflict') {
    throw new AuthError(
      422,
      'email_conflict_identity_not_deletable',
      'Unable to unlink identity due to email conflict',
    )
  }
  await listProviders(tx, context, left)
}
