// The refresh grant: rotation, the reuse interval, the parent-of-active rule and session expiry.
import type { Queries } from '../../database/index.ts'
import { audit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import {
  activeRefreshToken,
  deriveChild,
  findRefreshToken,
  grantRefreshToken,
  hashToken,
  isRefreshTokenShaped,
  revokeFamily,
  revokeToken,
  type RefreshTokenRow,
} from './refresh-tokens.ts'
import { textIn, type Body } from '../requests.ts'
import { requireValidSession } from './session-validity.ts'
import { findSession, noteRefresh, sessionBody, type SessionBody } from './sessions.ts'
import { findUserById, isBanned } from '../accounts/users.ts'

/** Handles `grant_type=refresh_token`. */
export async function refreshGrant(context: AuthContext, request: Request, body: Body): Promise<Response> {
  const token = textIn(body, 'refresh_token')
  if (!isRefreshTokenShaped(token))
    throw new AuthError(400, 'validation_failed', 'Refresh token is not valid')
  // A revocation after reuse must be committed, so the error is thrown after the transaction.
  const outcome = await context.database.owner(tx => refresh(tx, context, request, token))
  if (outcome instanceof AuthError) throw outcome
  const { user } = outcome
  return Response.json(outcome, { headers: { 'sb-auth-user-id': user.id } })
}

async function refresh(
  tx: Queries,
  context: AuthContext,
  request: Request,
  token: string,
): Promise<SessionBody | AuthError> {
  const row = await findRefreshToken(tx, token)
  const user = row && (await findUserById(tx, row.user_id))
  if (!row || !user) return refused('refresh_token_not_found', 'Refresh Token Not Found')
  if (isBanned(context, user)) return refused('user_banned', 'User Banned')
  const session = await findSession(tx, row.session_id)
  if (!session) return refused('session_not_found', 'No Valid Session Found')
  await requireValidSession(tx, context, session, Date.parse(row.updated_at))
  const refreshToken = await rotate(tx, context, row, token)
  if (refreshToken === undefined) {
    if (context.settings.enableRefreshTokenRotation) await revokeFamily(tx, context, session.id)
    return refused('refresh_token_already_used', 'Already Used')
  }
  await audit(tx, context, user, 'token_refreshed')
  await noteRefresh(tx, context, session.id, request)
  return sessionBody(tx, context, {
    user,
    sessionId: session.id,
    refreshToken,
    method: 'token_refresh',
    request,
  })
}

/** The token to return; `undefined` if this one was already used and must not be used again. */
async function rotate(
  tx: Queries,
  context: AuthContext,
  row: RefreshTokenRow,
  token: string,
): Promise<string | undefined> {
  const session = { id: row.session_id, userId: row.user_id }
  if (row.revoked) {
    // A client that lost the response, or that sent two requests at once, gets the same child again.
    const active = await activeRefreshToken(tx, row.session_id)
    if (active?.salt && active.parent === hashToken(token)) return deriveChild(context, token, active.salt)
    // The token was revoked in the future: the clock was set back since, which must not reopen the interval.
    const ago = Math.abs(context.clock.now() - Date.parse(row.updated_at))
    const isReusable = ago <= context.settings.refreshTokenReuseInterval * 1000
    if (row.family_revoked || !isReusable) return undefined
  }
  await revokeToken(tx, context, row.id)
  return grantRefreshToken(tx, context, session, token)
}

function refused(code: string, reason: string): AuthError {
  return new AuthError(400, code, `Invalid Refresh Token: ${reason}`)
}
