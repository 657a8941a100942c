// Loads the user of an admin route.
import type { Queries } from '../../database/index.ts'
import { isUuid } from '../sessions/caller.ts'
import { AuthError } from '../errors.ts'
import { findUserById, type UserRow } from '../accounts/users.ts'

/** @throws 404 if the id is invalid or the user does not exist. */
export async function loadUser(tx: Queries, id: string): Promise<UserRow> {
  if (!isUuid(id)) throw new AuthError(404, 'validation_failed', 'user_id must be an UUID')
  const user = await findUserById(tx, id)
  if (user) return user
  throw new AuthError(404, 'user_not_found', 'User not found')
}
