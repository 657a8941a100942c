// Describes auth failures and sign-out reasons: what happened and what to do.
import type { Failure, SignedOutReason } from '../../client/index.ts'
import { wordsFor } from './format-auth.ts'

const REASONS: Readonly<Record<SignedOutReason, string | undefined>> = {
  never: undefined,
  userLocal: 'Signed out.',
  userGlobal: 'Signed out everywhere.',
  remoteRevoked: 'Your session was ended elsewhere. Sign in again.',
  notFound: 'Your session was revoked. Sign in again.',
  reuseDetected: 'The backend ended this session because its refresh token was used twice.',
  inactivity: 'The backend ended this session because of inactivity.',
  timebox: 'This session reached its maximum lifetime.',
  newerLogin: 'A newer sign-in elsewhere ended this session.',
  lowAal: 'The backend requires a second factor, which this session did not have.',
  banned: 'This account is blocked. Contact the backend’s operator.',
  storageCleared: 'The stored session was cleared in this browser.',
  otherTab: 'You signed out in another tab.',
  corrupt: 'Your stored session could not be read and was set aside. Sign in again.',
}

/** Explains why the user is signed out; undefined if there was no session before. */
export const explainSignedOut = (reason: SignedOutReason): string | undefined => REASONS[reason]

/** Seconds as a readable wait. */
const waitOf = (seconds: number) =>
  seconds < 120 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`

const tryAgain = ({ retryAfter }: Failure) =>
  retryAfter === undefined ? 'Try again.' : `Try again in ${waitOf(retryAfter)}.`

/** Describes a failed sign-in, sign-up or sign-out and what to do about it. */
export const explainAuthFailure = (failure: Failure): string => {
  const text = wordsFor(failure)
  if (text !== undefined) return text
  switch (failure.kind) {
    case 'network':
      return 'The backend is not responding. Check that it is running and that you are online, then try again.'
    case 'timeout':
      return 'The backend took too long to respond. Try again.'
    case 'rateLimit':
      return failure.retryAfter === undefined
        ? 'Too many attempts. Wait a little, then try again.'
        : `Too many attempts. ${tryAgain(failure)}`
    case 'server':
      return `The backend failed${failure.status === undefined ? '' : ` (${failure.status})`}. ${tryAgain(failure)}`
    case 'disposed':
    case 'aborted':
      return 'The connection was closed before the response arrived. Try again.'
    default:
      return failure.message
  }
}
