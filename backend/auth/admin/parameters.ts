// Fields that an admin may set when creating or changing a user.
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { flagIn, objectIn, optionalText, textIn, validEmail, validPhone, type Body } from '../requests.ts'
import { bannedUntil } from './ban.ts'

export interface AdminUser {
  readonly id: string
  readonly aud: string
  readonly role: string
  readonly email: string
  readonly phone: string
  readonly password: string | undefined
  readonly passwordHash: string
  readonly emailConfirm: boolean
  readonly phoneConfirm: boolean
  readonly userMetadata: Body | undefined
  readonly appMetadata: Body | undefined
  /** Value for `users.banned_until`; `undefined` changes nothing. */
  readonly bannedUntil: string | null | undefined
}

/** Maximum length of varchar(255) columns. */
const MAX_LENGTH = 255

/** @throws 400 for an invalid body. */
export function readAdminUser(context: AuthContext, body: Body): AdminUser {
  const email = textIn(body, 'email')
  const phone = textIn(body, 'phone')
  const password = optionalText(body, 'password')
  return {
    id: textIn(body, 'id'),
    aud: shortText(body, 'aud'),
    role: shortText(body, 'role'),
    email: email === '' ? '' : validEmail(email),
    phone: phone === '' ? '' : validPhone(phone),
    password,
    passwordHash: textIn(body, 'password_hash'),
    emailConfirm: flagIn(body, 'email_confirm'),
    phoneConfirm: flagIn(body, 'phone_confirm'),
    userMetadata: objectIn(body, 'user_metadata'),
    appMetadata: objectIn(body, 'app_metadata'),
    bannedUntil: bannedUntil(textIn(body, 'ban_duration'), context.clock.now()),
  }
}

function shortText(body: Body, name: string): string {
  const text = textIn(body, name)
  if (text.length <= MAX_LENGTH) return text
  throw new AuthError(400, 'validation_failed', `${name} is longer than ${MAX_LENGTH} characters`)
}
