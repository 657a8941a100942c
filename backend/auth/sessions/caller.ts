// The caller of a route: a user with an access token, or a server with a key.
import { errors } from 'jose'
import { bearerOf, type Claims } from '../../keys/index.ts'
import type { Queries } from '../../database/index.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { findSession, type SessionRow } from './sessions.ts'
import { InvalidClaims, readClaims } from './token-claims.ts'
import { findUserById, isBanned, type UserRow } from '../accounts/users.ts'

export interface Caller {
  readonly user: UserRow
  readonly sessionId: string
  readonly session: SessionRow
  readonly claims: Claims
}

/** A user whose token may have been created by the project itself, and then belongs to no session. */
export type TokenHolder = Pick<Caller, 'user' | 'claims'> & { readonly session: SessionRow | undefined }

const NIL = '00000000-0000-0000-0000-000000000000'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/**
 * Returns the calling user with their session.
 * @throws 401 without a token, 403 if the token is invalid or its user or session is missing or banned.
 */
export async function requireCaller(tx: Queries, context: AuthContext, request: Request): Promise<Caller> {
  const { user, claims, session } = await requireUser(tx, context, request)
  if (session) return { user, claims, session, sessionId: session.id }
  throw new AuthError(403, 'session_not_found', 'The token does not belong to a session')
}

/** Like `requireCaller`, for routes that need no session. */
export async function requireUser(tx: Queries, context: AuthContext, request: Request): Promise<TokenHolder> {
  const claims = await verifiedClaims(context, requireBearer(request))
  if (!claims.sub) throw new AuthError(403, 'bad_jwt', 'invalid claim: missing sub claim')
  if (!isUuid(claims.sub)) throw new AuthError(400, 'bad_jwt', 'invalid claim: sub claim must be a UUID')
  const user = await findUserById(tx, claims.sub)
  if (!user) throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist')
  const session = await sessionOf(tx, user, claims['session_id'] ?? '')
  if (isBanned(context, user)) throw new AuthError(403, 'user_banned', 'User is banned')
  return { user, session, claims }
}

async function sessionOf(tx: Queries, user: UserRow, id: unknown): Promise<SessionRow | undefined> {
  if (id === '' || id === NIL) return undefined
  if (typeof id !== 'string' || !isUuid(id)) {
    throw new AuthError(403, 'bad_jwt', 'invalid claim: session_id claim must be a UUID')
  }
  const session = await findSession(tx, id)
  if (session?.user_id === user.id) return session
  throw new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist')
}

const ADMIN_ROLES = ['service_role', 'supabase_admin']

/** @throws 401 without a key, 403 if the caller is not a server. */
export async function requireServiceRole(context: AuthContext, request: Request): Promise<void> {
  const bearer = bearerOf(request.headers)
  const apikey = request.headers.get('apikey') ?? undefined
  const isKey = bearer === undefined || bearer.startsWith('sb_')
  if (isKey) {
    if (bearer === undefined && apikey === undefined) requireBearer(request)
    const caller = await context.tokens.identify(apikey, bearer)
    if ('claims' in caller && caller.claims.role === 'service_role') return
    throw new AuthError(403, 'not_admin', 'User not allowed')
  }
  const claims = await verifiedClaims(context, bearer)
  if (!ADMIN_ROLES.includes(claims.role)) throw new AuthError(403, 'not_admin', 'User not allowed')
}

function requireBearer(request: Request): string {
  const bearer = bearerOf(request.headers)
  if (bearer) return bearer
  throw new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token')
}

async function verifiedClaims(context: AuthContext, token: string): Promise<Claims> {
  try {
    const payload = readClaims(await context.tokens.open(token), context.clock.now())
    return { ...payload, role: typeof payload['role'] === 'string' ? payload['role'] : '' }
  } catch (error) {
    throw new AuthError(
      403,
      'bad_jwt',
      `invalid JWT: unable to parse or verify signature, ${reasonOf(error, token)}`,
    )
  }
}

function reasonOf(error: unknown, token: string): string {
  if (error instanceof InvalidClaims) return error.message
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return 'token signature is invalid: signature is invalid'
  if (error instanceof errors.JWKSNoMatchingKey) return 'token is unverifiable: unrecognized key'
  if (token.split('.').length !== 3) return 'token is malformed: token contains an invalid number of segments'
  if (error instanceof errors.JWTInvalid) return 'token is malformed: could not JSON decode claim'
  return 'token is malformed'
}
