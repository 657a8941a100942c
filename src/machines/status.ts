// The public status: every internal state mapped exhaustively to the few that an app shows. That of realtime is
// in realtime/realtime-status.ts, which loads later.
import type { SnapshotFrom } from 'xstate'
import type { apiKeyMachine } from './api-key.ts'
import type { clientMachine } from './client.ts'
import type { realtimeStatus } from './realtime/realtime-status.ts'
import type { RequestPhase } from './requests/request.ts'
import { type ChartroomUser, refreshAt, type Token } from './session/gate.ts'
import type { Failure, KeyFamily, KeyRefusal, SignedOutReason } from './failure.ts'
import type { refreshMachine } from './refresh/refresh.ts'
import type { sessionMachine } from './session/session.ts'
import type { Breaker, PauseReason, TabRole } from './refresh/schedule.ts'
import type { Timings } from './timings.ts'

/**
 * Phase of the realtime connection. `probing`: apparently open, while a probe checks the connection. `suspended`: offline, frozen or long
 * hidden. `denied`: the backend refused the socket; retried with another token, and periodically.
 */
export type ConnectionPhase =
  'idle' | 'waitingForToken' | 'connecting' | 'open' | 'probing' | 'reconnecting' | 'suspended' | 'denied'

export interface ConnectionStatus {
  readonly phase: ConnectionPhase
  /** Failed attempts in a row. */
  readonly attempt: number
  readonly reason?: string
}

/** Phase of a channel, from its first join attempt to leaving. */
export type ChannelPhase = 'waiting' | 'joining' | 'joined' | 'retrying' | 'denied' | 'left'

/** Public status of a channel. */
export interface ChannelStatus {
  readonly phase: ChannelPhase
  /**
   * Whether row changes arrive: `none` if none were requested; `retrying` recovers automatically,
   * `configError` does not, since the requested changes are invalid.
   */
  readonly postgres: 'none' | 'pending' | 'live' | 'retrying' | 'configError'
  /**
   * Whether changes may have been missed: `gap` until row changes arrive again, `resyncing` until the data
   * are reloaded.
   */
  readonly data: 'none' | 'gap' | 'resyncing' | 'live'
  /** Why it is denied, waiting or retrying, or why row changes do not arrive. */
  readonly reason?: string
}

/** Whether the backend accepts the API key; the services are those that refuse it. */
export interface KeyStatus {
  /** `rejected`: confirmed by a check. The session is kept, but nothing is refreshed if the auth server refuses. */
  readonly state: 'accepted' | 'rejected'
  readonly refusedBy: readonly KeyFamily[]
  readonly refusal?: KeyRefusal
  /** A check is running. */
  readonly isChecking: boolean
}

/** Everything an app shows about the client. */
export interface ClientStatus {
  readonly session: SessionStatus
  readonly key: KeyStatus
  readonly connection: ConnectionStatus
  readonly network: 'online' | 'offline'
  /** Number of requests per phase; settled ones are not counted. */
  readonly requests: Readonly<Record<RequestPhase, number>>
  readonly channels: Readonly<Record<string, ChannelStatus>>
}

type Client = SnapshotFrom<typeof clientMachine>

/**
 * The status of the whole client, from the snapshots of the root and its children. `ofRealtime` is absent
 * until the realtime code has loaded; there are no channels before that.
 */
export function clientStatus(client: Client, ofRealtime?: typeof realtimeStatus): ClientStatus {
  const { session, refresh, realtime, requests, apiKey } = client.children
  const uses = Object.values(requests?.getSnapshot().context.requests ?? {})
  const count = (phase: (typeof uses)[number]['phase']) => uses.filter(use => use.phase === phase).length
  return {
    session:
      session && client.status === 'active'
        ? sessionStatus(session.getSnapshot(), refresh?.getSnapshot())
        : { phase: 'disposed' },
    key: keyStatus(apiKey?.getSnapshot()),
    connection: { phase: 'idle', attempt: 0 },
    channels: {},
    ...ofRealtime?.(realtime?.getSnapshot()),
    network: client.context.environment.online ? 'online' : 'offline',
    requests: {
      queued: count('queued'),
      waiting: count('waiting'),
      sending: count('sending') + count('slow'),
      receiving: count('receiving'),
    },
  }
}

/** The services of a rejected key in this order. */
const KEY_FAMILIES: readonly KeyFamily[] = ['auth', 'rest', 'storage', 'functions', 'realtime']

function keyStatus(apiKey: SnapshotFrom<typeof apiKeyMachine> | undefined): KeyStatus {
  if (!apiKey) return { state: 'accepted', refusedBy: [], isChecking: false }
  const { value, context } = apiKey
  const isRejected = typeof value === 'object'
  const isChecking = isRejected ? value.rejected === 'rechecking' : value === 'checking'
  if (!isRejected) return { state: 'accepted', refusedBy: [], isChecking }
  const refusedBy = KEY_FAMILIES.filter(family => context.refused[family])
  const refusal = refusedBy[0] && context.refused[refusedBy[0]]
  return { state: 'rejected', refusedBy, ...(refusal && { refusal }), isChecking }
}

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

function sessionStatus(session: Session, refresh: Refresh | undefined): SessionStatus {
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

/** The access token's lifetime; times are milliseconds on the client's monotonic clock. */
export interface TokenStatus {
  /**
   * `delayed`: the last refresh failed and a retry is scheduled; `expired`: requests wait until a refresh
   * succeeds.
   */
  readonly state: 'fresh' | 'due' | 'refreshing' | 'delayed' | 'expired'
  readonly receivedAt: number
  readonly expiresAt: number
  /** From this time on, a check requests a new token. */
  readonly refreshAt: number
  /** Why the last refresh failed. */
  readonly failure?: Failure
  /** Why refreshing is paused; `follower`: another tab refreshes. */
  readonly paused?: PauseReason
  /** Time of the next attempt after a failure. */
  readonly retryAt?: number
  /** The server's clock minus this device's, in milliseconds, accurate to about a second; compensated for. */
  readonly skew: number
  /** `open`: too many refreshes in a short time; refreshing is paused. */
  readonly breaker: Breaker['state']
  /**
   * The role of this tab in refreshing: the leader refreshes, or each tab if tabs cannot coordinate
   * (`alone`).
   */
  readonly role: TabRole
}

function tokenStatus(
  { token, timings, failure }: { token: Token; timings: Timings; failure: Failure | undefined },
  state: TokenStatus['state'] | 'offlineExpired',
  refresh: Refresh | undefined,
): TokenStatus {
  const { receivedAt, expiresAt, skew = 0 } = token
  return {
    state: state === 'offlineExpired' ? 'expired' : state,
    receivedAt,
    expiresAt,
    refreshAt: refreshAt(token, timings),
    ...(failure && { failure }),
    ...(refresh && scheduleOf(refresh)),
    skew,
    breaker: refresh?.context.breaker.state ?? 'closed',
    role: refresh?.context.role ?? 'electing',
  }
}

function scheduleOf({ value, context }: Refresh): Pick<TokenStatus, 'paused' | 'retryAt'> {
  if (typeof value === 'string') return {}
  const { schedule } = value.active
  if (typeof schedule === 'object') return { paused: schedule.paused }
  const isWaiting = schedule === 'backingOff' || schedule === 'rateLimited'
  return isWaiting && context.retryAt !== undefined ? { retryAt: context.retryAt } : {}
}
