// Faults on sessions: an expired token, a session ended elsewhere, a reused refresh token.
import { hashToken } from '../auth/index.ts'
import type { Database } from '../database/index.ts'
import type { Tokens } from '../keys/index.ts'
import type { Caller } from './rule.ts'

/** The session credentials of a request or socket. */
export interface Credentials {
  readonly token: string | undefined
  readonly refreshToken?: string | undefined
}

/** Affects sessions whose token or refresh token is known; never grants additional access. */
export interface SessionFaults {
  /** Returns an expired copy of a token signed here; returns other tokens unchanged. */
  expire(token: string): Promise<string>
  /** Ends the session, as if its user had signed out elsewhere. */
  revoke(credentials: Credentials): Promise<void>
  /** Revokes a family of refresh tokens, as after reuse; auth itself then refuses it. */
  reuse(refreshToken: string): Promise<void>
  /** The user of the refresh token. */
  ownerOf(refreshToken: string): Promise<Caller | undefined>
}

/** Expired since 1970: shifting the clock back cannot make such a token valid again. */
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
