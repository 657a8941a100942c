// Access tokens with the claims of the official server.
import type { Queries } from '../../database/index.ts'
import { issuerOf, type AuthContext } from '../context.ts'
import type { UserRow } from '../accounts/users.ts'

interface AccessToken {
  readonly token: string
  /** Seconds since 1970, for both fields. */
  readonly expiresAt: number
  readonly issuedAt: number
}

/** Signs a token for the current state of a session. */
export async function issueAccessToken(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  sessionId: string,
): Promise<AccessToken> {
  const methods = await tx.query<{ method: string; timestamp: number }>(
    `select authentication_method as method, floor(extract(epoch from updated_at))::float8 as timestamp
     from auth.mfa_amr_claims where session_id = $1 order by updated_at desc`,
    [sessionId],
  )
  const issuedAt = Math.floor(context.clock.now() / 1000)
  const aal = methods.some(({ method }) => SECOND_FACTORS.includes(method)) ? 'aal2' : 'aal1'
  const expiresAt = Math.min(
    issuedAt + context.settings.jwtExpiry,
    aal === 'aal2' ? Infinity : await lowAalEnd(tx, context, user.id, sessionId),
  )
  const token = await context.tokens.sign({
    iss: issuerOf(context),
    sub: user.id,
    aud: user.aud ?? 'authenticated',
    exp: expiresAt,
    iat: issuedAt,
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    role: user.role ?? '',
    aal,
    amr: methods,
    session_id: sessionId,
    is_anonymous: user.is_anonymous,
  })
  return { token, expiresAt, issuedAt }
}

const SECOND_FACTORS = ['totp', 'mfa/phone', 'mfa/webauthn']

/** When a session without its second factor ends, in seconds, if the user has one. */
async function lowAalEnd(
  tx: Queries,
  { settings }: AuthContext,
  userId: string,
  sessionId: string,
): Promise<number> {
  if (settings.sessions.allowLowAalSeconds === 0) return Infinity
  const [row] = await tx.query<{ since: number }>(
    `select floor(extract(epoch from s.created_at))::float8 as since from auth.sessions s where s.id = $1
     and exists (select from auth.mfa_factors f where f.user_id = $2 and f.status = 'verified')`,
    [sessionId, userId],
  )
  return row ? row.since + settings.sessions.allowLowAalSeconds : Infinity
}
