// The events, context, ports, guards and actions of the session, shared by the parts of its machine.
import { assign, enqueueActions, raise, sendParent, setup } from 'xstate'
import type { ChartroomUser, Token } from './gate.ts'
import { terminalReason, type Failure, type SignedOutReason } from '../failure.ts'
import {
  authenticate,
  detectUrl,
  loadUser,
  readSession,
  removeSession,
  revoke,
  storeSession,
  type AuthenticateEvent,
  type LoadUserEvent,
  type ReadEvent,
  type RemoveEvent,
  type RevokeEvent,
  type SignOutScope,
  type StoreSessionEvent,
  type StoredChanged,
  type UrlEvent,
} from '../ports.ts'
import { withEvent } from '../with-event.ts'
import type { Timings } from '../timings.ts'

/** Commands of the app; `attempt` is the handle for the stored credentials and the reported outcome. */
export type SessionCommand =
  | { readonly type: 'session.signIn'; readonly attempt: string; readonly method?: string }
  /** `others` ends the user's other sessions and keeps this one. */
  | { readonly type: 'session.signOut'; readonly attempt: string; readonly scope: SignOutScope }
  /** An account call returned another session or user; `recovered`: it set the forgotten password. */
  | { readonly type: 'session.commit'; readonly attempt: string; readonly recovered?: boolean }
  /** Loads the signed-in user from the server. */
  | { readonly type: 'session.verify'; readonly attempt: string }

/** Token events from the refresh machine, forwarded by the client. */
export type TokenEvent =
  | { readonly type: 'token.due' }
  | { readonly type: 'token.refreshing' }
  | { readonly type: 'token.delayed'; readonly failure: Failure }
  | { readonly type: 'token.expired'; readonly offline: boolean }
  /** `adopted`: another tab rotated it. */
  | { readonly type: 'token.rotated'; readonly token: Token; readonly adopted?: true }
  | { readonly type: 'token.refused'; readonly reason: SignedOutReason; readonly failure: Failure }

/** Other events from the refresh machine to the client. */
export type RefreshReport =
  /** Refresh requests are blocked from now on, or allowed again. */
  | { readonly type: 'breaker.opened'; readonly live: boolean }
  | { readonly type: 'breaker.closed' }
  | StoredChanged

/** Events from the session to the client. */
export type SessionReport =
  | { readonly type: 'session.started'; readonly token: Token }
  | { readonly type: 'session.ended'; readonly reason: SignedOutReason }
  /** The session continues with another token; `adopted` when another tab stored it. */
  | { readonly type: 'token.adopted'; readonly token: Token; readonly adopted?: true }
  | {
      readonly type: 'auth.settled'
      readonly attempt: string
      readonly user?: ChartroomUser
      readonly unconfirmed?: boolean
      readonly failure?: Failure
    }

/** Queued work; the first job is running. `attempt` is its handle in the vault. */
export type Job =
  | { readonly kind: 'signIn'; readonly attempt: string }
  /** Ends the user's other sessions. `beforeSession`: requested before it was known whether there is one. */
  | { readonly kind: 'others'; readonly attempt: string; readonly beforeSession?: true }
  /** `recovered`: the new password that the session was created for has been set. */
  | { readonly kind: 'commit'; readonly attempt: string; readonly recovered?: boolean }
  /** Re-reads the stored session after a change. */
  | { readonly kind: 'reread'; readonly by: StoredChanged['by'] }

export interface SessionContext {
  readonly timings: Timings
  readonly token: Token | undefined
  /** The token's user comes from storage and has not been verified with the server since. */
  readonly isStored: boolean
  /** The session exists to set a new password. */
  readonly isRecovery: boolean
  /** How the assurance level last changed in this session. */
  readonly aalChange: 'raised' | 'lowered' | undefined
  /** Why there is no session; meaningful in `signedOut` and on the way to it. */
  readonly reason: SignedOutReason
  readonly failure: Failure | undefined
  /** Why the link that led to this page did not sign in. */
  readonly linkFailure: Failure | undefined
  readonly jobs: readonly Job[]
  /** Attempts that wait for the user to be verified. */
  readonly verifications: readonly string[]
  /** The current sign-out. */
  readonly attempt: string
  readonly scope: SignOutScope
}

export const initialSession = (timings: Timings): SessionContext => ({
  timings,
  token: undefined,
  isStored: false,
  isRecovery: false,
  aalChange: undefined,
  reason: 'never',
  failure: undefined,
  linkFailure: undefined,
  jobs: [],
  verifications: [],
  attempt: '',
  scope: 'local',
})

/** The handle of the current job. */
export const attemptOf = ({ jobs: [job] }: SessionContext): string =>
  job && 'attempt' in job ? job.attempt : ''

/** One re-read covers all earlier changes, so queued ones are merged. */
const withReread = (jobs: readonly Job[], by: StoredChanged['by']): readonly Job[] => [
  ...jobs.filter((job, n) => n === 0 || job.kind !== 'reread'),
  { kind: 'reread', by },
]

/** Whether the token belongs to the same session or to another session of the same user. */
const isOfSameUser = (context: SessionContext, token: Token): boolean =>
  context.token?.user.id === token.user.id

const SIGN_IN_CANCELED: Failure = { kind: 'aborted', message: 'Signing in was canceled.' }
export const noSession: Failure = { kind: 'auth', code: 'signed_out', message: 'No user is signed in.' }

/** Attempts that were not settled yet, with the failure to report if their jobs are aborted. */
const pendingAttempts = (jobs: readonly Job[], verifications: readonly string[]) => [
  ...jobs.flatMap(job =>
    'attempt' in job
      ? [{ attempt: job.attempt, failure: job.kind === 'signIn' ? SIGN_IN_CANCELED : noSession }]
      : [],
  ),
  ...verifications.map(attempt => ({ attempt, failure: noSession })),
]

export interface Outcome {
  readonly user?: ChartroomUser
  readonly unconfirmed?: boolean
  readonly failure?: Failure
}
export interface HasToken {
  readonly token: Token
}
export interface HasFailure {
  readonly failure: Failure
}
export interface HasAttempt {
  readonly attempt: string
}

const settled = (attempt: string, outcome: Outcome): SessionReport => ({
  ...outcome,
  type: 'auth.settled',
  attempt,
})

const sessionEnded = (reason: SignedOutReason): SessionReport => ({ type: 'session.ended', reason })

export const sessionSetup = setup({
  types: {
    context: {} as SessionContext,
    events: {} as
      | SessionCommand
      | TokenEvent
      | StoredChanged
      | UrlEvent
      | ReadEvent
      | AuthenticateEvent
      | StoreSessionEvent
      | LoadUserEvent
      | RemoveEvent
      | RevokeEvent
      | { readonly type: 'recovery.ended' },
    input: {} as { timings: Timings },
  },
  actors: { authenticate, detectUrl, loadUser, readSession, removeSession, revoke, storeSession },
  delays: {
    authTimeout: ({ context }) => context.timings.authTimeout,
    storageTimeout: ({ context }) => context.timings.storageTimeout,
  },
  guards: {
    isNext: ({ context }, { kind }: { kind: Job['kind'] }) => context.jobs[0]?.kind === kind,
    isHighAssurance: ({ context }) => context.token?.aal === 'aal2',
    isLowAssurance: ({ context }) => context.token?.aal !== 'aal2',
    hasFactor: ({ context }) => context.token?.hasFactor === true,
    hasNoFactor: ({ context }) => context.token?.hasFactor !== true,
    isStored: ({ context }) => context.isStored,
    isVerificationRequested: ({ context }) => context.verifications.length > 0,
    isRecovery: ({ context }) => context.isRecovery,
    isNewToken: ({ context }, { token }: HasToken) => token.id !== context.token?.id,
    isSameUser: ({ context }, { token }: HasToken) => isOfSameUser(context, token),
    isFromServer: (_, { adopted }: { adopted?: boolean }) => adopted !== true,
    isOffline: (_, { offline }: { offline: boolean }) => offline,
    isScopeOthers: (_, { scope }: { scope: SignOutScope }) => scope === 'others',
    isWritten: (_, { what }: { what: 'written' | 'removed' }) => what === 'written',
    isTerminal: (_, { failure }: HasFailure) => terminalReason(failure) !== undefined,
  },
  actions: {
    setToken: assign((_, { token }: HasToken) => ({ token, failure: undefined })),
    /** Starts a session or replaces the current one; `recovery` when it exists to set a password. */
    startSession: enqueueActions(
      ({ context, enqueue }, params: HasToken & { recovery?: boolean; isStored: boolean }) => {
        const { token, recovery = false, isStored } = params
        const isReplaced = context.token !== undefined
        if (isReplaced && !isOfSameUser(context, token))
          enqueue(sendParent(sessionEnded(isStored ? 'otherTab' : 'userLocal')))
        const type = isReplaced && isOfSameUser(context, token) ? 'token.adopted' : 'session.started'
        enqueue(sendParent({ type, token } satisfies SessionReport))
        enqueue.assign({ token, isStored, isRecovery: recovery, aalChange: undefined, failure: undefined })
        if (!isStored) enqueue.assign({ linkFailure: undefined })
      },
    ),
    /** Adopts another token of the current session. */
    adoptToken: enqueueActions(({ context, enqueue }, params: HasToken & { adopted?: true }) => {
      if (params.token.id !== context.token?.id)
        enqueue(sendParent({ ...params, type: 'token.adopted' } satisfies SessionReport))
      enqueue(raise({ ...params, type: 'token.rotated' }))
    }),
    setAalRaised: assign({ aalChange: 'raised' }),
    setAalLowered: assign({ aalChange: 'lowered' }),
    endRecovery: assign({ isRecovery: false }),
    setFailure: assign((_, { failure }: HasFailure) => ({ failure })),
    setLinkFailure: assign((_, { failure }: HasFailure) => ({ failure, linkFailure: failure })),
    clearFailures: assign({ failure: undefined, linkFailure: undefined }),
    setReason: assign((_, { reason, failure }: { reason: SignedOutReason; failure: Failure }) => ({
      reason,
      failure,
    })),
    setTerminalReason: assign((_, { failure }: HasFailure) => ({
      failure,
      reason: terminalReason(failure) ?? 'remoteRevoked',
    })),
    setRemovalReason: assign(({ context: { jobs } }, { by }: { by?: 'otherTab' }) => {
      const announcedBy = jobs[0]?.kind === 'reread' ? jobs[0].by : undefined
      return {
        failure: undefined,
        reason: (by ?? announcedBy) === 'otherTab' ? 'otherTab' : 'storageCleared',
      }
    }),
    setSignOut: assign((_, { attempt, scope }: HasAttempt & { scope: SignOutScope }) => ({
      attempt,
      scope,
      failure: undefined,
      linkFailure: undefined,
      reason: scope === 'global' ? 'userGlobal' : 'userLocal',
    })),
    queue: assign(({ context }, job: Job) => ({ jobs: [...context.jobs, job] })),
    /** The link that opened the page takes precedence over what the app requested in the meantime. */
    queueFirst: assign(({ context }, job: Job) => ({ jobs: [job, ...context.jobs] })),
    queueReread: assign(({ context }, { by }: Pick<StoredChanged, 'by'>) => ({
      jobs: withReread(context.jobs, by),
    })),
    queueVerification: assign(({ context }, { attempt }: HasAttempt) => ({
      verifications: [...context.verifications, attempt],
    })),
    /** Completes the current job; the next one can start. */
    settleJob: enqueueActions(({ context, enqueue }, outcome: Outcome) => {
      const [job, ...jobs] = context.jobs
      if (job && 'attempt' in job) enqueue(sendParent(settled(job.attempt, outcome)))
      if (job?.kind === 'commit' && job.recovered === true && !outcome.failure)
        enqueue(raise({ type: 'recovery.ended' }))
      enqueue.assign({ jobs })
    }),
    settleVerifications: enqueueActions(({ context, enqueue }, outcome: Outcome) => {
      for (const attempt of context.verifications) enqueue(sendParent(settled(attempt, outcome)))
      enqueue.assign({ verifications: [] })
    }),
    /** Settles the current and all queued jobs and verifications as failed. */
    abortJobs: enqueueActions(({ context, enqueue }) => {
      for (const { attempt, failure } of pendingAttempts(context.jobs, context.verifications))
        enqueue(sendParent(settled(attempt, { failure })))
      enqueue.assign({ jobs: [], verifications: [] })
    }),
    /** Queues a sign-out of the other sessions until it is known whether there is a session. */
    queueRevokeOthers: assign(({ context }, { attempt }: HasAttempt) => ({
      jobs: [...context.jobs, { kind: 'others' as const, attempt, beforeSession: true as const }],
    })),
    /**
     * Without a session, only sign-ins and re-reads of the storage are kept. There are no other sessions to end
     * then, so a sign-out of the others that was requested before this was known succeeds.
     */
    settleUnneededJobs: enqueueActions(({ context, enqueue }) => {
      const isNeeded = ({ kind }: Job) => kind === 'signIn' || kind === 'reread'
      const fulfilled = context.jobs.filter(job => job.kind === 'others' && job.beforeSession === true)
      const failed = context.jobs.filter(job => !isNeeded(job) && !fulfilled.includes(job))
      for (const { attempt } of pendingAttempts(fulfilled, [])) enqueue(sendParent(settled(attempt, {})))
      for (const { attempt, failure } of pendingAttempts(failed, context.verifications))
        enqueue(sendParent(settled(attempt, { failure })))
      enqueue.assign({ jobs: context.jobs.filter(isNeeded), verifications: [] })
    }),
    clearSession: assign({ token: undefined, isRecovery: false, aalChange: undefined }),
    notifyEnded: sendParent(({ context }) => sessionEnded(context.reason)),
    settleSignOut: sendParent(({ context }, outcome: Outcome) => settled(context.attempt, outcome)),
    settleAttempt: sendParent((_, { attempt }: HasAttempt) => settled(attempt, {})),
    rejectAttempt: sendParent((_, { attempt }: HasAttempt) => settled(attempt, { failure: noSession })),
  },
})

/** The failure of an event, as the outcome of an attempt. */
const failureParams = ({ event }: { readonly event: HasFailure }) => ({ failure: event.failure })

// Actions with their parameters, as several states use them.
export const setFailure = withEvent('setFailure')
export const setLinkFailure = withEvent('setLinkFailure')
export const settle = { type: 'settleJob', params: {} } as const
export const settleFailed = { type: 'settleJob', params: failureParams } as const
export const settleSignOutFailed = { type: 'settleSignOut', params: failureParams } as const
export const settleVerificationsFailed = { type: 'settleVerifications', params: failureParams } as const
export const settleUser = {
  type: 'settleJob',
  params: ({ event }: { readonly event: HasToken }) => ({ user: event.token.user }),
} as const
/** Starts a session that the server returned. */
export const startReceived = {
  type: 'startSession',
  params: ({ event }: { readonly event: HasToken & { readonly recovery?: boolean } }) => ({
    ...event,
    isStored: false,
  }),
} as const
/** Starts a session that was read from the storage. */
export const startStored = {
  type: 'startSession',
  params: ({ event }: { readonly event: HasToken }) => ({ token: event.token, isStored: true }),
} as const

/** Runs the attempt of the current job. */
export const authenticating = {
  id: 'authenticate',
  src: 'authenticate',
  input: ({ context }: { readonly context: SessionContext }) => ({ attempt: attemptOf(context) }),
} as const
