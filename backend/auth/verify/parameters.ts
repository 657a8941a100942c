// The parameters of a verification: a link's token, or an address with its code.
import { AuthError } from '../errors.ts'
import { tokenFor } from '../mail/one-time-tokens.ts'
import { textIn, validEmail, validPhone, type Body } from '../requests.ts'

export type MailVerification = 'signup' | 'invite' | 'recovery' | 'magiclink' | 'email' | 'email_change'
export type SmsVerification = 'sms' | 'phone_change'

/** Looked up by token only. */
export interface ByToken {
  readonly by: 'token'
  readonly type: string
  readonly token: string
}

/** Looked up by address. */
export interface ByAddress {
  readonly by: 'email' | 'phone'
  readonly type: string
  readonly address: string
  /** The code entered by the user. */
  readonly code: string
  /** The token that belongs to the code. */
  readonly token: string
}

export type Verification = ByToken | ByAddress

/** Reads the parameters of a followed link. @throws 400 `validation_failed` */
export function readLink(parameters: URLSearchParams): ByToken {
  const type = requireType(parameters.get('type') ?? '')
  const token = parameters.get('token') ?? ''
  if (token === '') throw invalid('Verify requires a token or a token hash')
  return { by: 'token', type, token }
}

/** Reads a posted verification. @throws 400 `validation_failed`, 422 for an invalid address */
export function readPosted(body: Body): Verification {
  const code = textIn(body, 'token')
  const token = textIn(body, 'token_hash')
  const email = textIn(body, 'email')
  const phone = textIn(body, 'phone')
  const type = requireType(textIn(body, 'type'))
  if ((code === '') === (token === '')) throw invalid('Verify requires either a token or a token hash')
  if (token !== '') {
    if (email === '' && phone === '' && textIn(body, 'redirect_to') === '')
      return { by: 'token', type, token }
    throw invalid('Only the token_hash and type should be provided')
  }
  if ((email === '') === (phone === '')) {
    throw invalid('Only an email address or phone number should be provided on verify')
  }
  const address = email === '' ? validPhone(phone) : validAddress(email)
  return { by: email === '' ? 'phone' : 'email', type, address, code, token: tokenFor(address, code) }
}

export function isSms(type: string): type is SmsVerification {
  return type === 'sms' || type === 'phone_change'
}

function requireType(type: string): string {
  if (type !== '') return type
  throw invalid('Verify requires a verification type')
}

function validAddress(email: string): string {
  try {
    return validEmail(email)
  } catch {
    throw new AuthError(422, 'validation_failed', 'Invalid email format')
  }
}

export function invalid(message: string): AuthError {
  return new AuthError(400, 'validation_failed', message)
}
