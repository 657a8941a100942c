// The audit log: actions and their users, in a table that a project's own SQL may read.
import { randomUUID } from 'node:crypto'
import type { Queries } from '../database/index.ts'
import type { AuthContext } from './context.ts'
import { timeOf, type UserRow } from './accounts/users.ts'

/** Logged actions by log type. */
const LOG_TYPES = {
  login: 'account',
  logout: 'account',
  user_signedup: 'team',
  user_invited: 'team',
  user_deleted: 'team',
  user_modified: 'user',
  user_updated_password: 'user',
  user_repeated_signup: 'user',
  user_confirmation_requested: 'user',
  user_recovery_requested: 'user',
  user_reauthenticate_requested: 'user',
  token_refreshed: 'token',
  token_revoked: 'token',
  identity_linked: 'user',
  identity_unlinked: 'user',
  factor_in_progress: 'factor',
  factor_unenrolled: 'factor',
  factor_updated: 'factor',
  factor_deleted: 'factor',
  challenge_created: 'factor',
  verification_attempted: 'factor',
  passkey_created: 'user',
  passkey_updated: 'user',
  passkey_deleted: 'user',
} as const

export type AuditAction = keyof typeof LOG_TYPES

/** Logs an action of a user, or of a server that acted on a user with its key. */
export async function audit(
  tx: Queries,
  context: AuthContext,
  actor: UserRow | 'service_role',
  action: AuditAction,
  traits?: Readonly<Record<string, unknown>>,
): Promise<void> {
  const isServer = actor === 'service_role'
  const payload = {
    action,
    actor_id: isServer ? '00000000-0000-0000-0000-000000000000' : actor.id,
    actor_username: isServer ? actor : (actor.email ?? actor.phone ?? ''),
    actor_via_sso: isServer ? false : actor.is_sso_user,
    log_type: LOG_TYPES[action],
    ...(traits ? { traits } : {}),
  }
  await tx.query(
    `insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
     values ('00000000-0000-0000-0000-000000000000', $1, $2, $3, '127.0.0.1')`,
    [randomUUID(), JSON.stringify(payload), timeOf(context)],
  )
}

/** The traits that a log entry records about the affected user. */
export function traitsOf(user: UserRow): Record<string, unknown> {
  return { user_id: user.id, user_email: user.email ?? '', user_phone: user.phone ?? '' }
}
