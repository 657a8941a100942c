// What the codes of an auth server mean to the person at the screen, and the way on from each.
import type { Failure } from '../../../index.ts'
import { captchaWords } from './captcha-words.ts'

const WORDS: Readonly<Record<string, string>> = {
  part_not_loaded:
    'A part of Chartroom could not be loaded: where it is served from does not answer. Try again.',
  phone_not_confirmed: 'This number is not confirmed yet. Ask for a code and enter it.',
  phone_exists: 'There is an account with this number already. Sign in instead.',
  phone_provider_disabled: 'This backend does not let people sign in by phone.',
  anonymous_provider_disabled: 'This backend takes no guests.',
  provider_disabled: 'This backend has this provider switched off.',
  oauth_provider_not_supported: 'This backend has this provider switched off.',
  saml_provider_disabled: 'This backend has no single sign-on.',
  sso_provider_not_found: 'No single sign-on is set up for this domain. Check how it is spelled.',
  sso_domain_already_exists: 'This domain belongs to another single sign-on.',
  otp_disabled: 'There is no account with this address, and this backend takes no new ones this way.',
  sms_send_failed: 'The text message could not be sent. Check the number, or sign in another way.',
  email_address_not_authorized:
    'This backend mails only to the people who run it. It needs a mail service of its own for others.',
  email_address_invalid: 'This address cannot be mailed to. Check how it is spelled.',
  same_password: 'This is the password that you have already. Choose another one.',
  reauthentication_needed: 'Your sign-in is too old for this. Enter the code that was mailed to you.',
  reauthentication_not_valid: 'This code is wrong or has expired. Ask for a new one.',
  insufficient_aal: 'This needs your second factor. Confirm it, then try again.',
  mfa_verification_failed:
    'This code is wrong. Codes change every 30 s; check that the clock of your phone is right, and take the present one.',
  mfa_verification_rejected: 'The backend refused this second factor. Ask whoever runs it.',
  webauthn_challenge_expired: 'This took too long. Try again.',
  mfa_challenge_expired: 'This took more than five minutes. Enter the present code.',
  mfa_factor_not_found: 'This second factor is not there any more.',
  mfa_ip_address_mismatch: 'The network changed meanwhile. Enter the code again.',
  mfa_factor_name_conflict: 'You have a second factor of this name. Choose another name.',
  too_many_enrolled_mfa_factors: 'You have as many second factors as this backend takes. Remove one first.',
  mfa_totp_enroll_not_enabled: 'This backend has authenticator apps switched off.',
  mfa_totp_verify_not_enabled: 'This backend has authenticator apps switched off.',
  single_identity_not_deletable: 'This is your only way to sign in. Add another one first.',
  email_conflict_identity_not_deletable:
    'Without this your account would have an address that belongs to another one.',
  identity_not_found: 'This sign-in is not there any more.',
  manual_linking_disabled: 'This backend does not let people add or remove ways to sign in.',
  user_sso_managed: 'This account is managed by single sign-on. Change it there.',
  no_authorization: 'Your account may not do this. A guest needs an address first.',
  request_timeout: 'The backend took too long to answer. Try again.',
  hook_timeout: 'A hook of this backend took too long. Try again; if it stays, ask whoever runs it.',
  hook_payload_over_size_limit: 'A hook of this backend answered too much. Ask whoever runs it.',
}

/** Words for a code that has some of its own. */
export const wordsFor = ({ code = '', message }: Failure): string | undefined => {
  if (code === 'captcha_failed') return captchaWords(message)
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

/** What people call a provider. */
export const providerName = (id: string): string =>
  Object.hasOwn(NAMES, id)
    ? (NAMES[id] ?? id)
    : `${id.charAt(0).toUpperCase()}${id.slice(1).replaceAll('_', ' ')}`
