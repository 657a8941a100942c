// Access tokens with the claims of the official server.
import type { JWTPayload } from 'jose'
import type { Queries } from '../../database/index.ts'
import { fieldOf } from '../../shared/fields.ts'
import { AuthError } from '../errors.ts'
import { wrongClaims } from '../hooks/claims-schema.ts'
import { steadyText } from '../hooks/repeatable.ts'
import { issuerOf, type AuthContext } from '../context.ts'
import type { UserRow } from '../accounts/users.ts'

/** Why a token is issued. */
export interface TokenOccasion {
  readonly sessionId: string
  /** A sign-in method, or `token_refresh`. */
  readonly method: string
  readonly request: Request | undefined
}

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
  { sessionId, method, request }: TokenOccasion,
): Promise<AccessToken> {
  const methods = await tx.query<{ method: string; timestamp: number }>(
    `select authentication_method as method, floor(extract(epoch from updated_at))::float8 as timestamp
     from auth.mfa_amr_claims where session_id = $1 order by updated_at desc`,
    [sessionId],
  )
  const issuedAt = Math.floor(Number(steadyText(tx, () => String(context.clock.now()))) / 1000)
  const aal = methods.some(({ method }) => SECOND_FACTORS.includes(method)) ? 'aal2' : 'aal1'
  const expiresAt = Math.min(
    issuedAt + context.settings.jwtExpiry,
    aal === 'aal2' ? Infinity : await lowAalEnd(tx, context, user.id, sessionId),
  )
  const claims = {
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
  }
  const signed = await customClaims(tx, context, claims, { sessionId, method, request })
  return { token: await context.tokens.sign(signed), expiresAt, issuedAt }
}

/** The claims after the project's hook, if there is one. @throws AuthError if it refuses, or returns no token */
async function customClaims(
  tx: Queries,
  { hooks }: AuthContext,
  claims: JWTPayload,
  { sessionId, method, request }: TokenOccasion,
): Promise<JWTPayload> {
  if (!hooks.has('custom_access_token')) return claims
  const answer = await hooks.run(tx, {
    name: 'custom_access_token',
    key: sessionId,
    request,
    payload: { user_id: claims.sub, claims, authentication_method: method },
  })
  const custom = fieldOf(answer, 'claims')
  if (custom === undefined) throw new AuthError(500, 'unexpected_failure', 'output claims field is missing')
  const problem = wrongClaims(custom)
  if (problem !== undefined) throw new AuthError(500, 'unexpected_failure', problem)
  return { ...(custom as object) }
}

/** The methods that raise a session to aal2. */
export const SECOND_FACTORS: readonly string[] = ['totp', 'mfa/phone', 'mfa/webauthn']

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
