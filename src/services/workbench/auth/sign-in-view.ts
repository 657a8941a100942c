// What the sign-in page shows: the states of its machine, mapped to the few that its components need.
import type { SnapshotFrom } from 'xstate'
import type { newPasswordMachine } from '../../../machines/workbench/new-password.ts'
import type { SentCode, SignInForm, signInMachine } from '../../../machines/workbench/sign-in.ts'
import type { Failure } from '../../client/index.ts'

type SignInSnapshot = SnapshotFrom<typeof signInMachine>
type SignedOut = Extract<SignInSnapshot['value'], { signedOut: unknown }>['signedOut']
type Busy = Extract<SignedOut['attempt'], { busy: unknown }>['busy']

/** The attempt that runs. */
export type Running = Busy | 'loading' | 'verifying'

/** Why the last attempt failed, as far as the page reacts to it. */
export type FailedState =
  | 'rateLimited'
  | 'passwordWeak'
  | 'captchaRequired'
  | 'emailUnconfirmed'
  | 'userExists'
  | 'unreachable'
  | 'unavailable'
  | 'refused'

/** A failed attempt: its state and its cause. */
export interface FailedAttempt {
  readonly state: FailedState
  readonly failure: Failure
  /** Client time until which the server rejects further attempts; undefined if it named none. */
  readonly waitUntil: number | undefined
}

export interface SignInView {
  readonly page: SignInForm | 'secondFactor' | 'newPassword' | 'complete'
  readonly running: Running | undefined
  readonly failed: FailedAttempt | undefined
  readonly code: SentCode | undefined
  readonly resent: number
  readonly needsCaptcha: boolean
  readonly factors: readonly { readonly id: string; readonly name: string }[]
  readonly factor: string
}

interface Failing {
  readonly failure: Failure | undefined
  readonly failedAt: number
}

const failedAttempt = (
  state: FailedState | 'classifying' | undefined,
  { failure, failedAt }: Failing,
): FailedAttempt | undefined => {
  if (state === undefined || state === 'classifying' || failure === undefined) return undefined
  const { retryAfter } = failure
  const hasWait = state === 'rateLimited' && retryAfter !== undefined
  return { state, failure, waitUntil: hasWait ? failedAt + retryAfter * 1000 : undefined }
}

/** The transient states are never seen: their machine leaves them at once. */
const placeOf = ({
  value,
}: SignInSnapshot): {
  readonly page: SignInView['page']
  readonly running?: Running
  readonly failed?: FailedState | 'classifying'
} => {
  if (value === 'newPassword') return { page: 'newPassword' }
  if (typeof value === 'string') return { page: 'complete' }
  if ('signedOut' in value) {
    const { form, attempt } = value.signedOut
    const page = form === 'first' ? 'password' : form
    if ('busy' in attempt) return { page, running: attempt.busy }
    return attempt.ready === 'idle' ? { page } : { page, failed: attempt.ready.failed }
  }
  const step = value.secondFactor
  if (typeof step === 'object') return { page: 'secondFactor', failed: step.failed }
  switch (step) {
    case 'loading':
      return { page: 'secondFactor', running: 'loading' }
    case 'verifying':
    case 'verified':
      return { page: 'secondFactor', running: 'verifying' }
    case 'unavailable':
      return { page: 'secondFactor', failed: 'unavailable' }
    case 'entering':
      return { page: 'secondFactor' }
  }
}

/** What the page shows in a snapshot of its machine. */
export const signInView = (snapshot: SignInSnapshot): SignInView => {
  const { context } = snapshot
  const { page, running, failed } = placeOf(snapshot)
  const { code, resent, needsCaptcha, factors, factor } = context
  const attemptState = { running, failed: failedAttempt(failed, context) }
  return { page, ...attemptState, code, resent, needsCaptcha, factors, factor }
}

export interface NewPasswordView {
  readonly running: 'saving' | 'requestingCode' | undefined
  readonly failed: FailedAttempt | undefined
  /** A code was emailed, which the form asks for. */
  readonly needsCode: boolean
}

/** What the form of a new password shows in a snapshot of its machine. */
export const newPasswordView = ({
  value,
  context,
}: SnapshotFrom<typeof newPasswordMachine>): NewPasswordView => ({
  running: value === 'saving' || value === 'requestingCode' ? value : undefined,
  failed: failedAttempt(typeof value === 'object' ? value.failed : undefined, context),
  needsCode: context.needsCode,
})
