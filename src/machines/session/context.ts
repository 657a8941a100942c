// The context of the session machine, and pure functions on it.
import type { Token } from './expiry.ts'
import type { Failure, SignedOutReason } from '../failure.ts'
import type { SignOutScope, StoredChanged } from '../ports.ts'
import type { Timings } from '../timings.ts'

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
export const withReread = (jobs: readonly Job[], by: StoredChanged['by']): readonly Job[] => [
  ...jobs.filter((job, n) => n === 0 || job.kind !== 'reread'),
  { kind: 'reread', by },
]

/** Whether the token belongs to the same session or to another session of the same user. */
export const isOfSameUser = (context: SessionContext, token: Token): boolean =>
  context.token?.user.id === token.user.id

const SIGN_IN_CANCELED: Failure = { kind: 'aborted', message: 'Signing in was canceled.' }
const SIGNED_OUT: Failure = { kind: 'auth', code: 'signed_out', message: 'No user is signed in.' }

/** Attempts that were not settled yet, with the failure to report if their jobs are aborted. */
export const pendingAttempts = (jobs: readonly Job[], verifications: readonly string[]) => [
  ...jobs.flatMap(job =>
    'attempt' in job
      ? [{ attempt: job.attempt, failure: job.kind === 'signIn' ? SIGN_IN_CANCELED : SIGNED_OUT }]
      : [],
  ),
  ...verifications.map(attempt => ({ attempt, failure: SIGNED_OUT })),
]

export const noSession = SIGNED_OUT
