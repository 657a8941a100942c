// The session's ports, guards and actions, shared by the parts of its machine.
import { assign, enqueueActions, raise, sendParent, setup } from 'xstate'
import type { ChartroomUser, Token } from './expiry.ts'
import { terminalReason, type Failure, type SignedOutReason } from './failure.ts'
import {
  authenticate,
  detectUrl,
  keepSession,
  loadUser,
  readSession,
  removeSession,
  revoke,
  type AuthenticateEvent,
  type KeepEvent,
  type LoadUserEvent,
  type ReadEvent,
  type RemoveEvent,
  type RevokeEvent,
  type SignOutScope,
  type StoredChanged,
  type UrlEvent,
} from './ports.ts'
import {
  isOfSameUser,
  noSession,
  undone,
  withReread,
  type Job,
  type SessionContext,
} from './session-context.ts'
import type { SessionCommand, SessionReport, TokenNews } from './session-events.ts'
import type { Timings } from './timings.ts'

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
      | TokenNews
      | StoredChanged
      | UrlEvent
      | ReadEvent
      | AuthenticateEvent
      | KeepEvent
      | LoadUserEvent
      | RemoveEvent
      | RevokeEvent
      | { readonly type: 'recovery.ended' },
    input: {} as { timings: Timings },
  },
  actors: { authenticate, detectUrl, keepSession, loadUser, readSession, removeSession, revoke },
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
    isAwaited: ({ context }) => context.verifying.length > 0,
    isRecovery: ({ context }) => context.isRecovery,
    isNewToken: ({ context }, { token }: HasToken) => token.id !== context.token?.id,
    isSameUser: ({ context }, { token }: HasToken) => isOfSameUser(context, token),
    isFromServer: (_, { adopted }: { adopted?: boolean }) => adopted !== true,
    isOffline: (_, { offline }: { offline: boolean }) => offline,
    isOfOthers: (_, { scope }: { scope: SignOutScope }) => scope === 'others',
    isWritten: (_, { what }: { what: 'written' | 'removed' }) => what === 'written',
    isTerminal: (_, { failure }: HasFailure) => terminalReason(failure) !== undefined,
  },
  actions: {
    keepToken: assign((_, { token }: HasToken) => ({ token, failure: undefined })),
    /** Starts a session or replaces the current one; `recovery` when it exists to set a password. */
    begin: enqueueActions(
      ({ context, enqueue }, params: HasToken & { recovery?: boolean; isStored: boolean }) => {
        const { token, recovery = false, isStored } = params
        const isReplaced = context.token !== undefined
        if (isReplaced && !isOfSameUser(context, token))
          enqueue(sendParent(ended(isStored ? 'otherTab' : 'userLocal')))
        const type = isReplaced && isOfSameUser(context, token) ? 'token.adopted' : 'session.started'
        enqueue(sendParent({ type, token } satisfies SessionReport))
        enqueue.assign({ token, isStored, isRecovery: recovery, changed: undefined, failure: undefined })
        if (!isStored) enqueue.assign({ linkFailure: undefined })
      },
    ),
    /** Adopts another token of the current session. */
    adopt: enqueueActions(({ context, enqueue }, params: HasToken & { adopted?: true }) => {
      if (params.token.id !== context.token?.id)
        enqueue(sendParent({ ...params, type: 'token.adopted' } satisfies SessionReport))
      enqueue(raise({ ...params, type: 'token.rotated' }))
    }),
    noteRaised: assign({ changed: 'raised' }),
    noteLowered: assign({ changed: 'lowered' }),
    endRecovery: assign({ isRecovery: false }),
    keepFailure: assign((_, { failure }: HasFailure) => ({ failure })),
    keepLinkFailure: assign((_, { failure }: HasFailure) => ({ failure, linkFailure: failure })),
    forgetLink: assign({ failure: undefined, linkFailure: undefined }),
    keepReason: assign((_, { reason, failure }: { reason: SignedOutReason; failure: Failure }) => ({
      reason,
      failure,
    })),
    keepTerminal: assign((_, { failure }: HasFailure) => ({
      failure,
      reason: terminalReason(failure) ?? 'remoteRevoked',
    })),
    keepRemover: assign(({ context: { jobs } }, { by }: { by?: 'otherTab' }) => {
      const teller = jobs[0]?.kind === 'reread' ? jobs[0].by : undefined
      return { failure: undefined, reason: (by ?? teller) === 'otherTab' ? 'otherTab' : 'storageCleared' }
    }),
    keepLeaving: assign((_, { attempt, scope }: HasAttempt & { scope: SignOutScope }) => ({
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
    noteVerifying: assign(({ context }, { attempt }: HasAttempt) => ({
      verifying: [...context.verifying, attempt],
    })),
    /** Completes the current job; the next one can start. */
    settleJob: enqueueActions(({ context, enqueue }, outcome: Outcome) => {
      const [job, ...jobs] = context.jobs
      if (job && 'attempt' in job) enqueue(sendParent(settled(job.attempt, outcome)))
      if (job?.kind === 'commit' && job.recovered === true && !outcome.failure)
        enqueue(raise({ type: 'recovery.ended' }))
      enqueue.assign({ jobs })
    }),
    settleVerifying: enqueueActions(({ context, enqueue }, outcome: Outcome) => {
      for (const attempt of context.verifying) enqueue(sendParent(settled(attempt, outcome)))
      enqueue.assign({ verifying: [] })
    }),
    /** Settles the current and all queued jobs as failed. */
    giveUp: enqueueActions(({ context, enqueue }) => {
      for (const { attempt, failure } of undone(context.jobs, context.verifying))
        enqueue(sendParent(settled(attempt, { failure })))
      enqueue.assign({ jobs: [], verifying: [] })
    }),
    /** Queues a sign-out of the other sessions until it is known whether there is a session. */
    queueEarly: assign(({ context }, { attempt }: HasAttempt) => ({
      jobs: [...context.jobs, { kind: 'others' as const, attempt, early: true as const }],
    })),
    /**
     * Without a session, only sign-ins and re-reads of the storage are kept. There are no other sessions to end
     * then, so a request for that which came early succeeds.
     */
    dropOthers: enqueueActions(({ context, enqueue }) => {
      const isOfUse = ({ kind }: Job) => kind === 'signIn' || kind === 'reread'
      const early = context.jobs.filter(job => job.kind === 'others' && job.early === true)
      const others = context.jobs.filter(job => !isOfUse(job) && !early.includes(job))
      for (const { attempt } of undone(early, [])) enqueue(sendParent(settled(attempt, {})))
      for (const { attempt, failure } of undone(others, context.verifying))
        enqueue(sendParent(settled(attempt, { failure })))
      enqueue.assign({ jobs: context.jobs.filter(isOfUse), verifying: [] })
    }),
    forget: assign({ token: undefined, isRecovery: false, changed: undefined }),
    announceEnd: sendParent(({ context }) => ended(context.reason)),
    settleLeaving: sendParent(({ context }, outcome: Outcome) => settled(context.attempt, outcome)),
    settle: sendParent((_, { attempt }: HasAttempt) => settled(attempt, {})),
    refuse: sendParent((_, { attempt }: HasAttempt) => settled(attempt, { failure: noSession })),
  },
})

/** Actions of several states for an event that carries a failure. */
export const settleFailed = {
  type: 'settleJob',
  params: ({ event }: { event: HasFailure }) => ({ failure: event.failure }),
} as const
