// What the session's machine remembers, and the pure steps in it.
import type { Token } from './expiry.ts'
import type { Failure, SignedOutReason } from './failure.ts'
import type { SignOutScope, StoredChanged } from './ports.ts'
import type { Timings } from './timings.ts'

/** Work that waits its turn; the first one is being done. `attempt` is its handle in the vault. */
export type Job =
  | { readonly kind: 'signIn' | 'others'; readonly attempt: string }
  /** `recovered`: the password that the session was there for is set. */
  | { readonly kind: 'commit'; readonly attempt: string; readonly recovered?: boolean }
  /** A look at what was done to the stored session, and by whom. */
  | { readonly kind: 'reread'; readonly by: StoredChanged['by'] }

export interface SessionContext {
  readonly timings: Timings
  readonly token: Token | undefined
  /** The token's user comes from the storage, and the server has not been asked about it since. */
  readonly isStored: boolean
  /** The session is there to set a new password. */
  readonly isRecovery: boolean
  /** How the assurance level last changed in this session. */
  readonly changed: 'raised' | 'lowered' | undefined
  /** Why there is no session; of meaning in `signedOut` and on the way to it. */
  readonly reason: SignedOutReason
  readonly failure: Failure | undefined
  /** Why the link that led to this page did not sign in. */
  readonly linkFailure: Failure | undefined
  readonly jobs: readonly Job[]
  /** Who waits for a look at the user. */
  readonly verifying: readonly string[]
  /** The sign-out under way. */
  readonly attempt: string
  readonly scope: SignOutScope
}

export const initialSession = (timings: Timings): SessionContext => ({
  timings,
  token: undefined,
  isStored: false,
  isRecovery: false,
  changed: undefined,
  reason: 'never',
  failure: undefined,
  linkFailure: undefined,
  jobs: [],
  verifying: [],
  attempt: '',
  scope: 'local',
})

/** The handle of the work under way. */
export const attemptOf = ({ jobs: [job] }: SessionContext): string =>
  job && 'attempt' in job ? job.attempt : ''

/** One look at the storage sees all that was done to it before. */
export const withReread = (jobs: readonly Job[], by: StoredChanged['by']): readonly Job[] => [
  ...jobs.filter((job, n) => n === 0 || job.kind !== 'reread'),
  { kind: 'reread', by },
]

/** A token of the same session or of another one of the same user. */
export const isOfSameUser = (context: SessionContext, token: Token): boolean =>
  context.token?.user.id === token.user.id

const GIVEN_UP: Failure = { kind: 'aborted', message: 'Signing in was given up.' }
const SIGNED_OUT: Failure = { kind: 'auth', code: 'signed_out', message: 'Nobody is signed in.' }

/** Who waits for the jobs, and what is told when they will not be done. */
export const undone = (jobs: readonly Job[], verifying: readonly string[]) => [
  ...jobs.flatMap(job =>
    'attempt' in job
      ? [{ attempt: job.attempt, failure: job.kind === 'signIn' ? GIVEN_UP : SIGNED_OUT }]
      : [],
  ),
  ...verifying.map(attempt => ({ attempt, failure: SIGNED_OUT })),
]

export const noSession = SIGNED_OUT
