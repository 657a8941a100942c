// DELETE /admin/users/:id: deletes a user, or anonymizes the row (soft delete).
import { createHash } from 'node:crypto'
import type { Queries } from '../../database/index.ts'
import { audit, traitsOf } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { refusable } from '../errors.ts'
import { endSessions } from '../sessions/sessions.ts'
import { timeOf, updateUser, type UserRow } from '../accounts/users.ts'
import { loadUser } from './load.ts'

export async function adminDeleteUser(context: AuthContext, id: string, soft: boolean): Promise<void> {
  await context.database.owner(async tx => {
    const user = await loadUser(tx, id)
    await audit(tx, context, 'service_role', 'user_deleted', traitsOf(user))
    if (!soft) await refusable('deleting user', tx.query('delete from auth.users where id = $1', [user.id]))
    else if (user.deleted_at === null) await blank(tx, context, user)
  })
}

const PHONE_LENGTH = 15

async function blank(tx: Queries, context: AuthContext, user: UserRow): Promise<void> {
  const hide = (text: string | null) =>
    createHash('sha256')
      .update(`${user.id}${text ?? ''}`)
      .digest('base64url')
  await updateUser(tx, context, user.id, {
    email: hide(user.email),
    phone: hide(user.phone).slice(0, PHONE_LENGTH),
    email_change: hide(user.email_change),
    phone_change: hide(user.phone_change).slice(0, PHONE_LENGTH),
    encrypted_password: null,
    confirmation_token: '',
    recovery_token: '',
    email_change_token_current: '',
    email_change_token_new: '',
    phone_change_token: '',
    raw_user_meta_data: {},
    raw_app_meta_data: {},
    deleted_at: timeOf(context),
  })
  const identities = await tx.query<{ id: string; provider: string; provider_id: string }>(
    'select id, provider, provider_id from auth.identities where user_id = $1',
    [user.id],
  )
  for (const { id, provider, provider_id } of identities) {
    await tx.query(`update auth.identities set identity_data = '{}', provider_id = $2 where id = $1`, [
      id,
      hide(`${provider}:${provider_id}`),
    ])
  }
  await tx.query('delete from auth.one_time_tokens where user_id = $1', [user.id])
  await tx.query('delete from auth.mfa_factors where user_id = $1', [user.id])
  await endSessions(tx, user, 'global', undefined)
}
