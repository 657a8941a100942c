// Refresh tokens: only hashes are stored, yet the same child can be returned to its parent's owner again.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Queries } from '../../database/index.ts'
import type { AuthContext } from '../context.ts'
import { timeOf } from '../accounts/users.ts'

/** A row of auth.refresh_tokens; `token` and `parent` are hashes. */
export interface RefreshTokenRow {
  readonly id: number
  readonly token: string
  readonly parent: string | null
  readonly salt: string | null
  readonly user_id: string
  readonly session_id: string
  readonly revoked: boolean
  readonly family_revoked: boolean
  readonly created_at: string
  readonly updated_at: string
}

const TOKEN_BYTES = 24

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Whether the token has our format or that of older servers. */
export function isRefreshTokenShaped(token: string): boolean {
  return /^([a-z0-9]{12}|[A-Za-z0-9_-]{13,})$/.test(token)
}

/** Derives a child from its parent, a salt and a key that is not in the database. */
export function deriveChild(context: AuthContext, parent: string, salt: string): string {
  const mac = createHmac('sha256', `chartroom refresh ${context.secrets.encryptionKey}`)
  return mac.update(`${salt}.${parent}`).digest().subarray(0, TOKEN_BYTES).toString('base64url')
}

/** Stores and returns a token for a session: the first one, or the child of `parent`. */
export async function grantRefreshToken(
  tx: Queries,
  context: AuthContext,
  session: { readonly id: string; readonly userId: string },
  parent?: string,
): Promise<string> {
  const salt = randomBytes(TOKEN_BYTES).toString('base64url')
  const token =
    parent === undefined ? randomBytes(TOKEN_BYTES).toString('base64url') : deriveChild(context, parent, salt)
  await tx.query(
    `insert into auth.refresh_tokens (instance_id, token, parent, salt, user_id, session_id, revoked, created_at, updated_at)
     values ('00000000-0000-0000-0000-000000000000', $1, $2, $3, $4, $5, false, $6, $6)`,
    [
      hashToken(token),
      parent === undefined ? null : hashToken(parent),
      salt,
      session.userId,
      session.id,
      timeOf(context),
    ],
  )
  return token
}

export async function findRefreshToken(tx: Queries, token: string): Promise<RefreshTokenRow | undefined> {
  const [row] = await tx.query<RefreshTokenRow>('select * from auth.refresh_tokens where token = $1', [
    hashToken(token),
  ])
  return row
}

/** The session's last token that is still valid. */
export async function activeRefreshToken(
  tx: Queries,
  sessionId: string,
): Promise<RefreshTokenRow | undefined> {
  const [row] = await tx.query<RefreshTokenRow>(
    'select * from auth.refresh_tokens where session_id = $1 and not revoked order by id desc limit 1',
    [sessionId],
  )
  return row
}

export async function revokeToken(tx: Queries, context: AuthContext, id: number): Promise<void> {
  await tx.query(
    'update auth.refresh_tokens set revoked = true, updated_at = $2 where id = $1 and not revoked',
    [id, timeOf(context)],
  )
}

/** Revokes a session's tokens after a reuse. As in the original, the newest keeps its own reuse interval. */
export async function revokeFamily(tx: Queries, context: AuthContext, sessionId: string): Promise<void> {
  await tx.query(
    'update auth.refresh_tokens set revoked = true, updated_at = $2 where session_id = $1 and not revoked',
    [sessionId, timeOf(context)],
  )
}

/** Permanently revokes a session's tokens: the reuse interval no longer applies to them. */
export async function endFamily(tx: Queries, context: AuthContext, sessionId: string): Promise<void> {
  await revokeFamily(tx, context, sessionId)
  await tx.query('update auth.refresh_tokens set family_revoked = true where session_id = $1', [sessionId])
}
