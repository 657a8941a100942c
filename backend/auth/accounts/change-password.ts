// Sets a new password and revokes what the old one authorized.
import type { Queries } from '../../database/index.ts'
import { audit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { endSessions } from '../sessions/sessions.ts'
import { updateUser, type UserRow } from './users.ts'

/** @param sessionId the session to keep; without it, all sessions end. */
export async function setPassword(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  passwordHash: string,
  sessionId: string | undefined,
): Promise<UserRow> {
  await tx.query('delete from auth.one_time_tokens where user_id = $1', [user.id])
  await endSessions(tx, user, sessionId === undefined ? 'global' : 'others', sessionId)
  await audit(tx, context, user, 'user_updated_password')
  return updateUser(tx, context, user.id, {
    encrypted_password: passwordHash,
    confirmation_token: '',
    confirmation_sent_at: null,
    recovery_token: '',
    recovery_sent_at: null,
    email_change_token_current: '',
    email_change_token_new: '',
    email_change_sent_at: null,
    phone_change_token: '',
    phone_change_sent_at: null,
    reauthentication_token: '',
    reauthentication_sent_at: null,
  })
}
