// The session's ports, guards and actions, shared by the parts of its machine.
import { assign, enqueueActions, raise, sendParent, setup } from 'xstate'
import type { ChartroomUser, Token } from './expiry.ts'
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
import {
  isOfSameUser,
  noSession,
  pendingAttempts,
  withReread,
  type Job,
  type SessionContext,
} from './context.ts'
import type { SessionCommand, SessionReport, TokenEvent } from './events.ts'
import type { Timings } from '../timings.ts'

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

const ended = (reason: SignedOutReason): SessionReport => ({ type: 'session.ended', reason })

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
          enqueue(sendParent(ended(isStored ? 'otherTab' : 'userLocal')))
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
    notifyEnded: sendParent(({ context }) => ended(context.reason)),
    settleSignOut: sendParent(({ context }, outcome: Outcome) => settled(context.attempt, outcome)),
    settleAttempt: sendParent((_, { attempt }: HasAttempt) => settled(attempt, {})),
    rejectAttempt: sendParent((_, { attempt }: HasAttempt) => settled(attempt, { failure: noSession })),
  },
})

/** The failure of an event, as the outcome of an attempt. */
export const failureParams = ({ event }: { readonly event: HasFailure }) => ({ failure: event.failure })
