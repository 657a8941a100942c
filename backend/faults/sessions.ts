// Faults that touch a session: a token that has expired, a session ended elsewhere, a refresh token used by another.
import { createHash } from 'node:crypto'
import type { Database } from '../database.ts'
import type { Tokens } from '../tokens.ts'
import type { Caller } from './rule.ts'

export interface SessionFaults {
  /** A copy of a token signed here whose time is over; any other token comes back as it is. */
  expire(token: string): Promise<string>
  /** Ends the session that a token signed here, or a refresh token, belongs to. */
  revoke(token: string | undefined, refreshToken: string | undefined): Promise<void>
  /** Whose refresh token it is. */
  ownerOf(refreshToken: string): Promise<Caller | undefined>
}

const EXPIRED_SINCE_SECONDS = 3_600

/** Works on sessions whose token or refresh token is at hand; none of it gives anyone more than they had. */
export function createSessionFaults(database: Database, tokens: Tokens): SessionFaults {
  const verify = (token: string) => tokens.verify(token).catch(() => undefined)
  return {
    async expire(token) {
      const claims = await verify(token)
      if (typeof claims?.sub !== 'string') return token
      // By the machine's time, and earlier than any clock fault could take back.
      const exp = Math.min(claims.iat ?? Infinity, Math.floor(Date.now() / 1000)) - EXPIRED_SINCE_SECONDS
      return tokens.sign({ ...claims, iat: exp - EXPIRED_SINCE_SECONDS, exp })
    },
    async revoke(token, refreshToken) {
      const claims = token === undefined ? undefined : await verify(token)
      if (typeof claims?.['session_id'] === 'string') {
        await database.owner(tx =>
          tx.query('delete from auth.sessions where id::text = $1', [claims['session_id']]),
        )
      }
      if (refreshToken !== undefined) {
        await database.owner(tx =>
          tx.query(
            'delete from auth.sessions where id::text in (select session_id::text from auth.refresh_tokens where token = any($1))',
            [spellings(refreshToken)],
          ),
        )
      }
    },
    async ownerOf(refreshToken) {
      const [owner] = await database.owner(tx =>
        tx.query<{ id: string; email: string | null }>(
          `select id::text as id, email from auth.users
           where id::text in (select user_id::text from auth.refresh_tokens where token = any($1))`,
          [spellings(refreshToken)],
        ),
      )
      return owner && { kind: 'user', id: owner.id, ...(owner.email ? { email: owner.email } : {}) }
    },
  }
}

/** At rest there are hashes. */
function spellings(refreshToken: string): string[] {
  return [refreshToken, createHash('sha256').update(refreshToken).digest('hex')]
}
