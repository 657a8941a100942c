// Failures and sign-out reasons in plain words: what happened and what to do.
import type { Failure, SignedOutReason } from '../../../index.ts'
import { wordsFor } from './words.ts'

const REASONS: Readonly<Record<SignedOutReason, string | undefined>> = {
  never: undefined,
  userLocal: 'You signed out.',
  userGlobal: 'You signed out everywhere.',
  remoteRevoked: 'This session was ended elsewhere.',
  notFound: 'The backend no longer knows this session.',
  reuseDetected: 'The backend ended this session: its refresh token had been used twice.',
  inactivity: 'The backend ended this session after a time without activity.',
  timebox: 'This session reached its longest allowed life.',
  newerLogin: 'You signed in somewhere else, which ended this session.',
  lowAal: 'The backend asks for a second factor; this session had none.',
  banned: 'This account is blocked. Ask whoever runs the backend.',
  storageCleared: 'The stored session was cleared in this browser.',
  otherTab: 'You signed out in another tab.',
  corrupt: 'Your stored session could not be read, so it was put aside. Sign in again.',
}

/** Why there is no session, as a sentence; undefined when there never was one. */
export const explainSignedOut = (reason: SignedOutReason): string | undefined => REASONS[reason]

/** Seconds as a wait that a person can plan with. */
const waitOf = (seconds: number) =>
  seconds < 120 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`

const tryAgain = ({ retryAfter }: Failure) =>
  retryAfter === undefined ? 'Try again.' : `Try again in ${waitOf(retryAfter)}.`

/** A failed sign-in, sign-up or sign-out, with what to do about it. */
export const explainAuthFailure = (failure: Failure): string => {
  const words = wordsFor(failure)
  if (words !== undefined) return words
  switch (failure.kind) {
    case 'network':
      return 'The backend does not answer. Check that it is running and that you are online, then try again.'
    case 'timeout':
      return 'The backend took too long to answer. Try again.'
    case 'rateLimit':
      return failure.retryAfter === undefined
        ? 'Too many attempts. Wait a little, then try again.'
        : `Too many attempts. ${tryAgain(failure)}`
    case 'server':
      return `The backend failed${failure.status === undefined ? '' : ` (${failure.status})`}. ${tryAgain(failure)}`
    case 'disposed':
    case 'aborted':
      return 'The connection was closed before the answer came. Try again.'
    default:
      return failure.message
  }
}
