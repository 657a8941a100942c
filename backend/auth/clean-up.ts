// Deletes expired rows, so that a database stays fast after months of use.
import type { Queries } from '../database/index.ts'
import type { AuthContext } from './context.ts'
import type { AuthSettings } from './settings.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Ended sessions are kept longer than their tokens, as in the official server. */
const ENDED_SESSION_MS = 3 * DAY_MS
/** The official server keeps its log forever; here a test suite fills it. */
const AUDIT_MS = 30 * DAY_MS

/**
 * Returns a function to call after each request, which starts a clean-up at the first request and then every
 * hour. Expired rows are kept for another day, so that late clients get the specific error. Anonymous users
 * are kept, because a project's own rows reference them.
 */
export function createCleanUp(context: Pick<AuthContext, 'database' | 'clock' | 'settings'>): () => void {
  let last = -Infinity
  return () => {
    const now = context.clock.now()
    // A clock that was moved ahead may be moved back.
    if (Math.abs(now - last) < HOUR_MS) return
    last = now
    // The backend may stop in the meantime; the next start deletes what is left.
    context.database.owner(tx => cleanUp(tx, context.settings, now)).catch(() => undefined)
  }
}

async function cleanUp(tx: Queries, settings: AuthSettings, now: number): Promise<void> {
  for (const [sql, age] of overdue(settings)) {
    await tx.query(`delete from auth.${sql}`, [new Date(now - age).toISOString()])
  }
}

/** Rows to delete (table and condition), and their minimum age. */
function overdue({ sessions, email }: AuthSettings): [sql: string, ageMs: number][] {
  const { timeboxSeconds, inactivitySeconds } = sessions
  const refreshed = `coalesce(refreshed_at at time zone 'utc', created_at)`
  return [
    ['refresh_tokens where revoked and updated_at < $1', DAY_MS],
    ['sessions where not_after < $1', ENDED_SESSION_MS],
    ...onlyIf(timeboxSeconds, `sessions where created_at < $1`),
    ...onlyIf(inactivitySeconds, `sessions where ${refreshed} < $1`),
    [
      `one_time_tokens where updated_at at time zone 'utc' < $1`,
      Math.max(DAY_MS, email.otpExpirySeconds * 1_000),
    ],
    ['flow_state where created_at < $1', DAY_MS],
    ['mfa_challenges where created_at < $1', DAY_MS],
    ['webauthn_challenges where expires_at < $1', DAY_MS],
    [`mfa_factors where status = 'unverified' and created_at < $1`, DAY_MS],
    ['audit_log_entries where created_at < $1', AUDIT_MS],
  ]
}

function onlyIf(seconds: number, sql: string): [sql: string, ageMs: number][] {
  return seconds > 0 ? [[sql, DAY_MS + seconds * 1_000]] : []
}
