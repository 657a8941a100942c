// Texts for auth failures, error codes and sign-out reasons: what happened, what to do, and how long to wait.
import type { Failure, SignedOutReason } from '../../client/index.ts'

const GET_ANOTHER = 'Get another one and paste it at once'

/** Error codes of both services, first match wins. No setting reports which service a backend uses. */
const BY_CODE: readonly (readonly [code: RegExp, words: string])[] = [
  [
    /timeout-or-duplicate/,
    `Turnstile reports that this token was already used or is older than five minutes. ${GET_ANOTHER}.`,
  ],
  [
    /expired-input-response|already-seen-response/,
    `hCaptcha reports that this token was already used or is older than two minutes. ${GET_ANOTHER}.`,
  ],
  [
    /sitekey-secret-mismatch/,
    'hCaptcha reports that this token comes from a site with another key. Get one from the app that this backend belongs to.',
  ],
  [
    /input-secret|not-using-dummy-secret/,
    'The captcha of this backend is misconfigured. Its operator has to correct the secret key.',
  ],
  [
    /invalid-input-response/,
    'This token is incomplete or comes from a site with another key. Copy all of it, from the app that this backend belongs to.',
  ],
]

/** @param message the backend's error message. */
const describeCaptcha = (message: string): string =>
  BY_CODE.find(([code]) => code.test(message))?.[1] ??
  'This backend requires a captcha. It only works on its own site, so it can’t be shown here: paste a token below, or use another sign-in method.'

const WORDS: Readonly<Record<string, string>> = {
  part_not_loaded:
    'A part of Chartroom could not be loaded because the server that hosts it is not responding. Try again.',
  phone_not_confirmed: 'This number is not confirmed yet. Request a code and enter it.',
  phone_exists: 'An account with this number already exists. Sign in instead.',
  phone_provider_disabled: 'This backend does not allow sign-in by phone.',
  anonymous_provider_disabled: 'This backend does not allow guests.',
  provider_disabled: 'This provider is disabled on this backend.',
  oauth_provider_not_supported: 'This provider is disabled on this backend.',
  saml_provider_disabled: 'This backend has no single sign-on.',
  sso_provider_not_found: 'No single sign-on is set up for this domain. Check the spelling.',
  sso_domain_already_exists: 'This domain belongs to another single sign-on.',
  otp_disabled: 'There is no account with this address, and this backend does not create accounts this way.',
  sms_send_failed: 'The text message could not be sent. Check the number, or sign in another way.',
  email_address_not_authorized:
    'This backend only sends email to its own team. It needs its own mail service to reach others.',
  email_address_invalid: 'This address cannot receive email. Check the spelling.',
  same_password: 'This is your current password. Choose another one.',
  reauthentication_needed: 'You signed in too long ago for this. Enter the code that we emailed you.',
  reauthentication_not_valid: 'This code is wrong or has expired. Request a new one.',
  insufficient_aal: 'This requires your second factor. Verify it, then try again.',
  mfa_verification_failed:
    'This code is wrong. Codes change every 30 s; check that your phone’s clock is right and enter the current one.',
  mfa_verification_rejected: 'The backend rejected this second factor. Contact its operator.',
  webauthn_challenge_expired: 'This took too long. Try again.',
  mfa_challenge_expired: 'This took more than five minutes. Enter the current code.',
  mfa_factor_not_found: 'This second factor no longer exists.',
  mfa_ip_address_mismatch: 'Your network changed during verification. Enter the code again.',
  mfa_factor_name_conflict: 'You already have a second factor with this name. Choose another name.',
  too_many_enrolled_mfa_factors: 'You have the maximum number of second factors. Remove one first.',
  mfa_totp_enroll_not_enabled: 'Authenticator apps are disabled on this backend.',
  mfa_totp_verify_not_enabled: 'Authenticator apps are disabled on this backend.',
  single_identity_not_deletable: 'This is your only sign-in method. Add another one first.',
  email_conflict_identity_not_deletable:
    'Removing it would give your account an address that belongs to another account.',
  identity_not_found: 'This sign-in method no longer exists.',
  manual_linking_disabled: 'This backend does not allow adding or removing sign-in methods.',
  user_sso_managed: 'This account is managed by single sign-on. Change it there.',
  no_authorization: 'Your account is not allowed to do this. A guest has to add an email first.',
  request_timeout: 'The backend took too long to respond. Try again.',
  hook_timeout: 'A hook of this backend took too long. Try again; if it persists, contact the operator.',
  hook_payload_over_size_limit: 'A hook of this backend returned too much data. Contact the operator.',
}

/** Text for an error code; undefined if it has none. */
const wordsFor = ({ code = '', message }: Failure): string | undefined => {
  if (code === 'captcha_failed') return describeCaptcha(message)
  return Object.hasOwn(WORDS, code) ? WORDS[code] : undefined
}

const NAMES: Readonly<Record<string, string>> = {
  azure: 'Microsoft',
  bitbucket: 'Bitbucket',
  github: 'GitHub',
  gitlab: 'GitLab',
  linkedin: 'LinkedIn',
  linkedin_oidc: 'LinkedIn',
  slack_oidc: 'Slack',
  twitter: 'X (Twitter)',
  workos: 'WorkOS',
  email: 'Email',
  phone: 'Phone',
}

/** Display name of a provider. */
export const providerName = (id: string): string =>
  Object.hasOwn(NAMES, id)
    ? (NAMES[id] ?? id)
    : `${id.charAt(0).toUpperCase()}${id.slice(1).replaceAll('_', ' ')}`

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

/** @returns client time until which the server rejects further attempts; undefined if it did not say. */
export const waitUntil = ({ kind, retryAfter }: Failure, at: number): number | undefined =>
  kind === 'rateLimit' && retryAfter !== undefined ? at + retryAfter * 1000 : undefined
