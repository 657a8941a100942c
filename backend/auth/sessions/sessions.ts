// Sessions: opened by a sign-in, raised by a second factor, ended by a sign-out.
import { randomUUID } from 'node:crypto'
import type { Queries } from '../../database/index.ts'
import { issueAccessToken, SECOND_FACTORS, type TokenOccasion } from './access-token.ts'
import type { AuthContext } from '../context.ts'
import { steadyText } from '../hooks/repeatable.ts'
import { grantRefreshToken } from './refresh-tokens.ts'
import { describeUser, timeOf, updateUser, type UserBody, type UserRow } from '../accounts/users.ts'

export type Aal = 'aal1' | 'aal2'

/** Sign-in methods, named as in the `amr` claim. */
export type AuthenticationMethod =
  | 'password'
  | 'otp'
  | 'totp'
  | 'oauth'
  | 'anonymous'
  | 'magiclink'
  | 'recovery'
  | 'invite'
  | 'email/signup'
  | 'email_change'
  | 'sso/saml'
  | 'mfa/webauthn'
  | 'passkey'
  | 'web3'

/** A row of auth.sessions; times are milliseconds since 1970. */
export interface SessionRow {
  readonly id: string
  readonly user_id: string
  readonly aal: Aal | null
  readonly factor_id: string | null
  readonly created_ms: number
  readonly refreshed_ms: number | null
  readonly not_after_ms: number | null
}

/** The response of a sign-in. */
export interface SessionBody {
  readonly access_token: string
  readonly token_type: 'bearer'
  readonly expires_in: number
  /** Seconds since 1970. */
  readonly expires_at: number
  readonly refresh_token: string
  readonly user: UserBody
}

export interface OpenSession {
  readonly method: AuthenticationMethod
  readonly aal?: Aal
  /** The source of the user agent. */
  readonly request: Request
}

export const SESSION_COLUMNS = `id, user_id, aal::text, factor_id,
  (extract(epoch from created_at) * 1000)::float8 as created_ms,
  (extract(epoch from refreshed_at) * 1000)::float8 as refreshed_ms,
  (extract(epoch from not_after) * 1000)::float8 as not_after_ms`

/** Opens a session for a newly authenticated user. */
export async function openSession(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  { method, aal = 'aal1', request }: OpenSession,
): Promise<SessionBody> {
  const id = steadyText(tx, randomUUID)
  const now = timeOf(context)
  await tx.query(
    `insert into auth.sessions (id, user_id, aal, created_at, updated_at, user_agent, ip)
     values ($1, $2, $3::auth.aal_level, $4, $4, $5, $6::inet)`,
    [id, user.id, aal, now, ...traceOf(request)],
  )
  const refreshToken = await grantRefreshToken(tx, context, { id, userId: user.id })
  await noteMethod(tx, context, id, method)
  const signedIn = await updateUser(tx, context, user.id, { last_sign_in_at: now })
  return sessionBody(tx, context, { user: signedIn, sessionId: id, refreshToken, method, request })
}

/** The response with a session's tokens; the access token is newly signed. */
export async function sessionBody(
  tx: Queries,
  context: AuthContext,
  session: TokenOccasion & { readonly user: UserRow; readonly refreshToken: string },
): Promise<SessionBody> {
  const { token, expiresAt, issuedAt } = await issueAccessToken(tx, context, session.user, session)
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: expiresAt - issuedAt,
    expires_at: expiresAt,
    refresh_token: session.refreshToken,
    user: await describeUser(tx, session.user),
  }
}

/**
 * Adds a method to a session's `amr`; a second factor raises it to aal2 and ends the user's aal1 sessions.
 */
export async function addAuthenticationMethod(
  tx: Queries,
  context: AuthContext,
  sessionId: string,
  method: AuthenticationMethod,
  factorId?: string,
): Promise<void> {
  await noteMethod(tx, context, sessionId, method)
  if (!SECOND_FACTORS.includes(method)) return
  await tx.query(`update auth.sessions set aal = 'aal2', factor_id = $2, updated_at = $3 where id = $1`, [
    sessionId,
    factorId ?? null,
    timeOf(context),
  ])
}

async function noteMethod(
  tx: Queries,
  context: AuthContext,
  sessionId: string,
  method: string,
): Promise<void> {
  await tx.query(
    `insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
     values ($1, $2, $3, $4, $4)
     on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at`,
    [randomUUID(), sessionId, method, timeOf(context)],
  )
}

export async function findSession(tx: Queries, id: string): Promise<SessionRow | undefined> {
  const [row] = await tx.query<SessionRow>(
    `select ${SESSION_COLUMNS} from auth.sessions where id::text = lower($1)`,
    [id],
  )
  return row
}

/** Ends all sessions of a user, only the given one, or all others. */
export async function endSessions(
  tx: Queries,
  user: Pick<UserRow, 'id'>,
  scope: 'global' | 'local' | 'others',
  sessionId: string | undefined,
): Promise<void> {
  if (sessionId === undefined || scope === 'global') {
    await tx.query('delete from auth.sessions where user_id = $1', [user.id])
    return
  }
  const which = scope === 'local' ? 'id = $2' : 'id <> $2'
  await tx.query(`delete from auth.sessions where user_id = $1 and ${which}`, [user.id, sessionId])
}

/** Records the time and the program of a refresh. */
export async function noteRefresh(
  tx: Queries,
  context: AuthContext,
  sessionId: string,
  request: Request,
): Promise<void> {
  await tx.query(
    `update auth.sessions set refreshed_at = ($2::timestamptz at time zone 'utc'), user_agent = $3, ip = $4::inet
     where id = $1`,
    [sessionId, timeOf(context), ...traceOf(request)],
  )
}

/** User agent and address of a caller; on a loopback server all callers have the same address. */
function traceOf(request: Request): [userAgent: string | null, ip: string] {
  return [request.headers.get('user-agent'), '127.0.0.1']
}
