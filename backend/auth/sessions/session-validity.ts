// Session limits from the settings: timebox, inactivity, a newer login, a missing second factor.
import type { Queries } from '../../database/index.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { SESSION_COLUMNS, type SessionRow } from './sessions.ts'

type End = 'over' | 'inactivity' | 'lowAal'

const WORDS: Record<End, string> = {
  over: 'Session Expired',
  inactivity: 'Session Expired (Inactivity)',
  lowAal: 'Session Expired (Low AAL: User Needs MFA Verification)',
}

/**
 * @param tokenTime when the refresh token was last changed, in milliseconds.
 * @throws 400 `session_expired` with a message that names the limit.
 */
export async function requireValidSession(
  tx: Queries,
  context: AuthContext,
  session: SessionRow,
  tokenTime: number,
): Promise<void> {
  const needsSecondFactor = await hasVerifiedFactor(tx, session.user_id)
  const end = endOf(context, session, needsSecondFactor, tokenTime)
  if (end) throw expired(WORDS[end])
  if (!context.settings.sessions.singlePerUser) return
  const sessions = await tx.query<SessionRow>(
    `select ${SESSION_COLUMNS} from auth.sessions where user_id = $1 and id <> $2`,
    [session.user_id, session.id],
  )
  const mine = lastRefresh(session, tokenTime)
  const isSuperseded = sessions.some(
    session => endOf(context, session, needsSecondFactor) === undefined && lastRefresh(session) > mine,
  )
  if (isSuperseded) throw expired('Session Expired (Revoked by Newer Login)')
}

export async function hasVerifiedFactor(tx: Queries, userId: string): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from auth.mfa_factors where user_id = $1 and status = 'verified' limit 1`,
    [userId],
  )
  return rows.length > 0
}

function expired(text: string): AuthError {
  return new AuthError(400, 'session_expired', `Invalid Refresh Token: ${text}`)
}

function endOf(
  { settings, clock }: AuthContext,
  session: SessionRow,
  needsSecondFactor: boolean,
  tokenTime?: number,
): End | undefined {
  const { timeboxSeconds, inactivitySeconds, allowLowAalSeconds } = settings.sessions
  const isPast = (start: number, seconds: number) => seconds > 0 && clock.now() > start + seconds * 1000
  if (session.not_after_ms !== null && clock.now() > session.not_after_ms) return 'over'
  if (isPast(session.created_ms, timeboxSeconds)) return 'over'
  if (isPast(lastRefresh(session, tokenTime), inactivitySeconds)) return 'inactivity'
  const isLow = needsSecondFactor && session.aal !== 'aal2'
  return isLow && isPast(session.created_ms, allowLowAalSeconds) ? 'lowAal' : undefined
}

function lastRefresh(session: SessionRow, tokenTime?: number): number {
  return session.refreshed_ms ?? Math.max(session.created_ms, tokenTime ?? 0)
}
