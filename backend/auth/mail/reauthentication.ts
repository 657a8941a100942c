// The nonce with which a user reauthenticates; it expires once the new password is set.
import type { Queries } from '../../database/index.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { hasToken, tokenFor } from './one-time-tokens.ts'
import type { UserRow } from '../accounts/users.ts'

/** @throws 422 `reauthentication_not_valid` if the nonce is wrong or too old */
export async function requireNonce(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  nonce: string,
): Promise<void> {
  const sentAt = user.reauthentication_sent_at
  const life = context.settings.email.otpExpirySeconds * 1_000
  const isFresh = sentAt !== null && context.clock.now() <= Date.parse(sentAt) + life
  const token = tokenFor(user.email || user.phone || '', nonce)
  if (!isFresh || !(await hasToken(tx, context, user.id, 'reauthentication_token', token))) {
    throw new AuthError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid')
  }
}
