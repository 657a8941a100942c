// Faults that touch a session: a token that has expired, a session ended elsewhere, a refresh token used by another.
import { hashToken } from '../auth/sessions/refresh-tokens.ts'
import type { Database } from '../database/index.ts'
import type { Tokens } from '../keys/tokens.ts'
import type { Caller } from './rule.ts'

/** What a request or a socket shows of its session. */
export interface Credentials {
  readonly token: string | undefined
  readonly refreshToken?: string | undefined
}

/** Works on sessions whose token or refresh token is at hand; none of it gives anyone more than they had. */
export interface SessionFaults {
  /** A copy of a token signed here whose time is over; any other token comes back as it is. */
  expire(token: string): Promise<string>
  /** Ends the session, as if its user had signed out elsewhere. */
  revoke(credentials: Credentials): Promise<void>
  /** Ends a family of refresh tokens, as if one had been used by another; auth itself then refuses it. */
  reuse(refreshToken: string): Promise<void>
  /** Whose refresh token it is. */
  ownerOf(refreshToken: string): Promise<Caller | undefined>
}

/** Over since 1970: no clock, put back however far, gives such a token its life again. */
const LONG_OVER = { iat: 0, exp: 1 }

const FAMILY = 'select session_id from auth.refresh_tokens where token = $1'

export function createSessionFaults(database: Database, tokens: Tokens): SessionFaults {
  const verify = (token: string) => tokens.verify(token).catch(() => undefined)
  const run = <Row>(sql: string, parameter: string) => database.owner(tx => tx.query<Row>(sql, [parameter]))
  return {
    async expire(token) {
      const claims = await verify(token)
      if (typeof claims?.sub !== 'string') return token
      return tokens.sign({ ...claims, ...LONG_OVER })
    },
    async revoke({ token, refreshToken }) {
      const sessionId = token === undefined ? undefined : (await verify(token))?.['session_id']
      if (typeof sessionId === 'string') await run('delete from auth.sessions where id::text = $1', sessionId)
      if (refreshToken !== undefined)
        await run(`delete from auth.sessions where id in (${FAMILY})`, hashToken(refreshToken))
    },
    async reuse(refreshToken) {
      await run(
        `update auth.refresh_tokens set revoked = true, family_revoked = true where session_id in (${FAMILY})`,
        hashToken(refreshToken),
      )
    },
    async ownerOf(refreshToken) {
      const [owner] = await run<{ id: string; email: string | null }>(
        `select users.id::text as id, users.email from auth.users
         join auth.refresh_tokens on refresh_tokens.user_id = users.id::text where refresh_tokens.token = $1`,
        hashToken(refreshToken),
      )
      return owner && { kind: 'user', id: owner.id, ...(owner.email ? { email: owner.email } : {}) }
    },
  }
}
