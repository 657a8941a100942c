// The public status of the session: its internal states mapped to the few that an app needs.
import type { SnapshotFrom } from 'xstate'
import type { ChartroomUser } from './expiry.ts'
import type { Failure, SignedOutReason } from '../failure.ts'
import type { refreshMachine } from '../refresh/refresh.ts'
import type { sessionMachine } from './session.ts'
import { tokenStatus, type TokenStatus } from './token-status.ts'

type Level = 'aal1' | 'aal2'

/** The authenticator assurance level of the session. */
interface AssuranceStatus {
  readonly level: Level
  /** The level that an enrolled second factor would reach. */
  readonly next: Level
  /** How it last changed in this session. */
  readonly changed?: 'raised' | 'lowered'
}

interface AuthenticatedStatus {
  readonly phase: 'authenticated'
  readonly user: ChartroomUser
  /** `cached`: the user as stored; `verified`: as last confirmed by the server. */
  readonly userFreshness: 'cached' | 'loading' | 'verified'
  readonly aal: Level
  readonly assurance: AssuranceStatus
  /** `active`: signed in by a password-recovery link; ask for a new password. */
  readonly recovery: 'none' | 'active'
  readonly token: TokenStatus
  /** A link led to this page but did not sign in; the session is the earlier one. */
  readonly linkFailure?: Failure
}

/** Public status of the session, discriminated by `phase`. */
export type SessionStatus =
  | { readonly phase: 'booting' }
  | {
      readonly phase: 'signedOut'
      readonly reason: SignedOutReason
      /** The server's error for this reason, or why the last sign-in or link failed. */
      readonly failure?: Failure
      /** Why the link that led to this page did not sign in; kept until the next attempt. */
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
  // The server-side revocation runs in the background; the session has already ended here.
  if ('signingOut' in value && value.signingOut === 'removingLocal') return { phase: 'signingOut' }
  const { reason, failure, linkFailure } = context
  return { phase: 'signedOut', reason, ...(failure && { failure }), ...(linkFailure && { linkFailure }) }
}

const FRESHNESS = { deciding: 'cached', cached: 'cached', loading: 'loading', verified: 'verified' } as const
const RECOVERY = { deciding: 'none', none: 'none', active: 'active' } as const

function authenticatedStatus(
  { token, timings, failure, linkFailure, aalChange }: Session['context'],
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
    assurance: {
      level: aal,
      next: token.hasFactor === true ? 'aal2' : aal,
      ...(aalChange && { changed: aalChange }),
    },
    recovery: RECOVERY[state.recovery],
    token: tokenStatus({ token, timings, failure }, state.token, refresh),
    ...(linkFailure && { linkFailure }),
  }
}
