// Converts auth server responses to failures with user-facing messages.
import { type Failure, isKeyRefusal } from '../../../machines/index.ts'
import { plainFailure, type AuthResponse } from './auth-response.ts'

type FailureText = Pick<Failure, 'kind' | 'message'>

const failureText: FailureText = {
  kind: 'conflict',
  message: 'An account with this email already exists. Sign in instead.',
}

/** Common, because email programs that scan links use them up. */
const spent: FailureText = {
  kind: 'auth',
  message: 'This link or code has expired or was already used. Request a new one.',
}

const otherBrowser: FailureText = {
  kind: 'auth',
  message: 'This link was requested in another browser. Open it there, or request a new one here.',
}

const BY_CODE: Readonly<Record<string, FailureText>> = {
  invalid_credentials: { kind: 'auth', message: 'Wrong email or password.' },
  email_not_confirmed: {
    kind: 'auth',
    message: 'This email is not confirmed yet. Open the link that we emailed you.',
  },
  user_banned: { kind: 'forbidden', message: 'This account is blocked. Contact the backend’s operator.' },
  user_already_exists: failureText,
  email_exists: failureText,
  otp_expired: spent,
  flow_state_not_found: spent,
  flow_state_expired: spent,
  bad_code_verifier: otherBrowser,
  verifier_missing: otherBrowser,
  flow_mismatch: {
    kind: 'auth',
    message:
      'This link would sign in anyone who opens it, so it was ignored. Sign in here, or request a link on this page.',
  },
  access_denied: { kind: 'auth', message: 'Sign-in was declined.' },
  identity_already_exists: { kind: 'conflict', message: 'This sign-in already belongs to another account.' },
  signup_disabled: { kind: 'forbidden', message: 'This backend does not accept new accounts.' },
  email_provider_disabled: {
    kind: 'forbidden',
    message: 'This backend does not allow sign-in by email.',
  },
}

/** Codes whose own message says what to do. */
const TEXT_CODES: ReadonlySet<string> = new Set([
  'weak_password',
  'validation_failed',
  'email_address_invalid',
])

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
/** Character sets as the server spells them out, and their names; a set precedes its subsets. */
const CHARACTERS: readonly (readonly [RegExp | string, string])[] = [
  ['at least one character of each: ', ''],
  [LETTERS + LETTERS.toUpperCase(), 'a letter'],
  [LETTERS, 'a lower-case letter'],
  [LETTERS.toUpperCase(), 'an upper-case letter'],
  ['0123456789', 'a digit'],
  [/!@#(?:(?!!@#)[^\s~])*~/, 'a symbol'],
]

const inWords = (message: string) =>
  CHARACTERS.reduce((text, [characters, name]) => text.replace(characters, name), message)

const failureTextOf = (code: string) => (Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined)

export function authFailure(answer: AuthResponse): Failure {
  const { code = '', message, refusal } = answer
  if (isKeyRefusal(refusal)) return plainFailure(answer)
  if (TEXT_CODES.has(code)) return plainFailure(answer, { kind: 'validation', message: inWords(message) })
  return plainFailure(answer, failureTextOf(code))
}

/** Converts an error in a URL. Uses only our own messages, since anyone can craft a URL. */
export function linkFailure(params: Readonly<Record<string, string>>): Failure {
  const codes = [params['error_code'], params['error']].filter(code => /^[a-z_]{1,64}$/.test(code ?? ''))
  const failure = codes.flatMap(code => (code !== undefined && failureTextOf(code)) || [])[0]
  const code = codes[0] ?? 'unknown'
  return {
    kind: 'auth',
    message: `This link did not sign you in (${code}). Request a new one.`,
    ...failure,
    code,
  }
}
