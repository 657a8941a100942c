// The server of a world: GoTrue's rules for refresh tokens, and rows that require a valid token.

/** A server response. */
export interface WorldResponse {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface WorldCall {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly bearer: string
  readonly body: string
  /** What the sending tab reads from its clocks: the time of day, */
  readonly wall: number
  /** and since when, on the world's clock, it has run without hanging. */
  readonly since: number
}

export interface WorldServer {
  answer(call: WorldCall): WorldResponse
  /** When the access token expires on the world's clock, if it has not yet; sockets check nothing else. */
  expiryOf(accessToken: string): number | undefined
  /** Ends every session, as an administrator would. */
  endSessions(): void
  livingSessions(): number
  /** What must never have happened, as text. */
  readonly complaints: string[]
  readonly counts: { refreshes: number; reused: number; rows: number; refused: number }
  /** What reached the auth routes, in order. */
  readonly authLog: AuthLogEntry[]
}

/** A request of auth with its response, or the end of every session. */
export type AuthLogEntry = AuthLogRequest | 'sessionsEnded'

export interface AuthLogRequest {
  /** Milliseconds of the world. */
  readonly at: number
  readonly call: WorldCall
  /** Whether its access token has not expired. */
  readonly isLive: boolean
  readonly response: WorldResponse
}

interface Session {
  readonly id: string
  readonly userId: string
  isOver: boolean
}

interface RefreshToken {
  readonly token: string
  readonly parent: string | undefined
  readonly session: Session
  revokedAt: number | undefined
}

interface AccessToken {
  readonly session: Session
  readonly issuedAt: number
  readonly expiresAt: number
  /** The expiry by the time of day of the device. */
  readonly wallEnd: number
}

export interface ServerRules {
  /** Seconds. */
  readonly lifetime: number
  readonly reuseInterval: number
}

/** Milliseconds: more than the worst weather needs. */
const LONGEST_WAY = 10_000

export const WORLD_KEY = 'sb_publishable_world_0123456789'

/** The time by the server's clock, in epoch milliseconds, is `start + now`. */
export function createWorldServer(now: () => number, start: number, rules: ServerRules): WorldServer {
  const refreshTokens = new Map<string, RefreshToken>()
  const accessTokens = new Map<string, AccessToken>()
  const sessions: Session[] = []
  const counts = { refreshes: 0, reused: 0, rows: 0, refused: 0 }
  const complaints: string[] = []
  const authLog: AuthLogEntry[] = []
  let serial = 0

  const grant = (session: Session, parent: string | undefined): RefreshToken => {
    const token = `refresh-${session.id}-${String(++serial).padStart(6, '0')}`
    const granted = { token, parent, session, revokedAt: undefined }
    refreshTokens.set(token, granted)
    return granted
  }
  const body = ({ session, token }: RefreshToken, wall: number): WorldResponse => {
    const life = rules.lifetime * 1000
    const expires_at = Math.floor((start + now()) / 1000) + rules.lifetime
    const access_token = jwt({ sub: session.userId, aal: 'aal1', n: ++serial, exp: expires_at })
    accessTokens.set(access_token, {
      session,
      issuedAt: now(),
      expiresAt: now() + life,
      wallEnd: wall + life,
    })
    const user = { id: session.userId, email: `${session.userId}@harbour.test`, aud: 'authenticated' }
    const end = { token_type: 'bearer', expires_in: rules.lifetime, expires_at }
    return { status: 200, body: { access_token, refresh_token: token, ...end, user } }
  }
  const activeOf = (session: Session) =>
    [...refreshTokens.values()].findLast(one => one.session === session && one.revokedAt === undefined)
  const rotate = (used: RefreshToken, wall: number): WorldResponse => {
    if (used.revokedAt !== undefined) {
      const active = activeOf(used.session)
      if (active?.parent === used.token) return body(active, wall)
      if (now() > used.revokedAt + rules.reuseInterval * 1000) {
        counts.reused += 1
        for (const one of refreshTokens.values()) {
          if (one.session !== used.session) continue
          // As in the original, the newest keeps its own reuse interval.
          one.revokedAt ??= now()
        }
        return refusal('refresh_token_already_used', 'Already Used')
      }
    }
    used.revokedAt = now()
    return body(grant(used.session, used.token), wall)
  }
  const refresh = (token: string, wall: number): WorldResponse => {
    counts.refreshes += 1
    const used = refreshTokens.get(token)
    // The tokens of a session end with it.
    if (!used || used.session.isOver) return refusal('refresh_token_not_found', 'Refresh Token Not Found')
    return rotate(used, wall)
  }
  const signIn = (email: string, wall: number): WorldResponse => {
    const session = { id: `s${sessions.length + 1}`, userId: email.split('@')[0] ?? '', isOver: false }
    sessions.push(session)
    return body(grant(session, undefined), wall)
  }
  const livingBearer = (bearer: string): AccessToken | undefined => {
    const found = accessTokens.get(bearer)
    return found && now() < found.expiresAt ? found : undefined
  }
  const signOut = (bearer: string, scope: string | null): WorldResponse => {
    const found = livingBearer(bearer)
    if (!found) return error(403, 'bad_jwt', 'invalid JWT')
    if (found.session.isOver) return error(403, 'session_not_found', 'Session does not exist')
    for (const session of sessions) {
      if (session === found.session || (scope === 'global' && session.userId === found.session.userId))
        session.isOver = true
    }
    return { status: 204, body: null }
  }
  /** For how long its sender must have known that the token has expired. */
  const lateness = (token: AccessToken | undefined, { wall, since }: WorldCall): number => {
    if (!token) return Infinity
    const late = now() - token.expiresAt
    // A tab that did not run all the time knows a stored token's age only by the time of day, which may be
    // set back.
    return token.issuedAt < since ? Math.min(late, wall - token.wallEnd) : late
  }
  const rows = (call: WorldCall, as: string | null): WorldResponse => {
    const { bearer, method, path } = call
    counts.rows += 1
    const found = livingBearer(bearer)
    // A check of the key sends nothing else.
    const isAnonymous = bearer === WORLD_KEY || bearer === ''
    if (as !== null && isAnonymous) complaints.push(`${method} ${path} of ${as} came with the API key alone.`)
    if (as !== null && found && found.session.userId !== as)
      complaints.push(`${method} ${path} of ${as} came as ${found.session.userId}.`)
    if (found ?? isAnonymous) return { status: method === 'POST' ? 201 : 200, body: [] }
    counts.refused += 1
    // A token that expired in transit was valid when it was sent.
    const late = lateness(accessTokens.get(bearer), call)
    if (late > LONGEST_WAY)
      complaints.push(`${method} ${path} came with a token that had expired ${late} ms before.`)
    return { status: 401, body: { code: 'PGRST303', message: 'JWT expired' } }
  }
  const answerAuth = (call: WorldCall, { pathname, searchParams }: URL): WorldResponse | undefined => {
    if (pathname === '/auth/v1/token') {
      const fields = JSON.parse(call.body) as { readonly refresh_token?: string; readonly email?: string }
      if (searchParams.get('grant_type') === 'refresh_token')
        return refresh(fields.refresh_token ?? '', call.wall)
      return signIn(fields.email ?? '', call.wall)
    }
    if (pathname === '/auth/v1/logout') return signOut(call.bearer, searchParams.get('scope'))
    if (pathname !== '/auth/v1/user') return undefined
    const found = livingBearer(call.bearer)
    if (!found || found.session.isOver) return error(403, 'session_not_found', 'Session does not exist')
    const { userId } = found.session
    return { status: 200, body: { id: userId, email: `${userId}@harbour.test`, aud: 'authenticated' } }
  }
  return {
    counts,
    complaints,
    authLog,
    answer(call) {
      const url = new URL(call.path, 'http://world.test')
      const response = answerAuth(call, url)
      if (!response) return rows(call, url.searchParams.get('as'))
      authLog.push({ at: now(), call, isLive: livingBearer(call.bearer) !== undefined, response })
      return response
    },
    expiryOf: accessToken => livingBearer(accessToken)?.expiresAt,
    endSessions() {
      authLog.push('sessionsEnded')
      for (const session of sessions) session.isOver = true
    },
    livingSessions: () => sessions.filter(({ isOver }) => !isOver).length,
  }
}

const error = (status: number, error_code: string, msg: string): WorldResponse => ({
  status,
  body: { code: status, error_code, msg },
})

const refusal = (code: string, why: string) => error(400, code, `Invalid Refresh Token: ${why}`)

const base64url = (value: object) =>
  btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

const jwt = (claims: object) => `${base64url({ alg: 'none', typ: 'JWT' })}.${base64url(claims)}.c2lnbmF0dXJl`
