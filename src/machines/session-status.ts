// The public status of the session: its internal states mapped once to the few that an app shows.
import type { SnapshotFrom } from 'xstate'
import type { ChartroomUser } from './expiry.ts'
import type { Failure, SignedOutReason } from './failure.ts'
import type { refreshMachine } from './refresh.ts'
import type { sessionMachine } from './session.ts'
import { tokenStatus, type TokenStatus } from './token-status.ts'

type Level = 'aal1' | 'aal2'

/** How surely the server knows who this is. */
interface AssuranceStatus {
  readonly level: Level
  /** What a second factor that is set up would reach. */
  readonly next: Level
  /** How it last changed in this session. */
  readonly changed?: 'raised' | 'lowered'
}

interface AuthenticatedStatus {
  readonly phase: 'authenticated'
  readonly user: ChartroomUser
  /** `cached`: as the storage has the user; `verified`: as the server told last. */
  readonly userFreshness: 'cached' | 'loading' | 'verified'
  readonly aal: Level
  readonly assurance: AssuranceStatus
  /** `active`: signed in by a link for who forgot the password; ask for a new one. */
  readonly recovery: 'none' | 'active'
  readonly token: TokenStatus
  /** A link led here and did not sign in; the session is the one from before. */
  readonly linkFailure?: Failure
}

export type SessionStatus =
  | { readonly phase: 'booting' }
  | {
      readonly phase: 'signedOut'
      readonly reason: SignedOutReason
      /** What the server said with it, or how the last attempt to sign in or a link failed. */
      readonly failure?: Failure
      /** Why the link that led here did not sign in; until the next attempt. */
      readonly linkFailure?: Failure
    }
  | { readonly phase: 'authenticating' }
  | AuthenticatedStatus
  | { readonly phase: 'signingOut' }
  | { readonly phase: 'disposed' }

type Session = SnapshotFrom<typeof sessionMachine>
type Live = Extract<Session['value'], { authenticated: unknown }>['authenticated']
type Refresh = SnapshotFrom<typeof refreshMachine>

export function sessionStatus(session: Session, refresh: Refresh | undefined): SessionStatus {
  const { value, context, status } = session
  if (status !== 'active') return { phase: 'disposed' }
  if (value === 'authenticating') return { phase: 'authenticating' }
  if (value === 'ending') return { phase: 'signingOut' }
  if ('booting' in value) return { phase: 'booting' }
  if ('authenticated' in value) return authenticatedStatus(context, value.authenticated, refresh)
  // The server is told behind the scenes: here the session is over.
  if ('signingOut' in value && value.signingOut === 'removingLocal') return { phase: 'signingOut' }
  const { reason, failure, linkFailure } = context
  return { phase: 'signedOut', reason, ...(failure && { failure }), ...(linkFailure && { linkFailure }) }
}

const FRESHNESS = { deciding: 'cached', cached: 'cached', loading: 'loading', verified: 'verified' } as const
const RECOVERY = { deciding: 'none', none: 'none', active: 'active' } as const

function authenticatedStatus(
  { token, timings, failure, linkFailure, changed }: Session['context'],
  state: Live,
  refresh: Refresh | undefined,
): SessionStatus {
  if (token === undefined) return { phase: 'disposed' }
  const { user, aal } = token
  return {
    phase: 'authenticated',
    user,
    userFreshness: FRESHNESS[state.user],
    aal,
    assurance: { level: aal, next: token.hasFactor === true ? 'aal2' : aal, ...(changed && { changed }) },
    recovery: RECOVERY[state.recovery],
    token: tokenStatus({ token, timings, failure }, state.token, refresh),
    ...(linkFailure && { linkFailure }),
  }
}
