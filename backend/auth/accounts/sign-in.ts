// The password grant: a wrong password and an unknown user give the same response in about the same time.
import { audit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { weaknessOf, verifyPassword } from './passwords.ts'
import { textIn, validPhone, type Body } from '../requests.ts'
import { fieldOf, textOf } from '../../shared/fields.ts'
import { endSessions, openSession } from '../sessions/sessions.ts'
import { findUserByEmail, findUserById, findUserByPhone, isBanned, type UserRow } from './users.ts'

/** Handles `grant_type=password`. */
export async function passwordGrant(context: AuthContext, request: Request, body: Body): Promise<Response> {
  const email = textIn(body, 'email')
  const phone = textIn(body, 'phone')
  const password = textIn(body, 'password')
  requireOneContact(context, email, phone)
  const user = await context.database.owner(tx =>
    email === '' ? findUserByPhone(tx, validPhone(phone)) : findUserByEmail(tx, email),
  )
  const fits = await verifyPassword(context.settings, password, user?.encrypted_password)
  if (!user?.encrypted_password) throw wrongCredentials()
  if (isBanned(context, user)) throw new AuthError(400, 'user_banned', 'User is banned')
  await askHook(context, request, user, fits)
  if (!fits) throw wrongCredentials()
  requireConfirmed(user, email !== '')
  const session = await context.database.owner(async tx => {
    const now = await findUserById(tx, user.id)
    // While the password was compared, it may have been changed, or the user deleted.
    if (now?.encrypted_password !== user.encrypted_password) throw wrongCredentials()
    await audit(tx, context, now, 'login', { provider: email === '' ? 'phone' : 'email' })
    return openSession(tx, context, now, { method: 'password', request })
  })
  const weak = weaknessOf(context.settings, password)
  return Response.json({ ...session, weak_password: weak ?? null })
}

/** @throws AuthError if the project's hook rejects the attempt */
async function askHook(
  { database, hooks }: AuthContext,
  request: Request,
  user: UserRow,
  valid: boolean,
): Promise<void> {
  if (!hooks.has('password_verification_attempt')) return
  const rejection = await database.owner(async tx => {
    const answer = await hooks.run(tx, {
      name: 'password_verification_attempt',
      key: user.id,
      request,
      payload: { user_id: user.id, valid },
    })
    if (textOf(answer, 'decision') !== 'reject') return undefined
    // Committed before the error is thrown.
    if (fieldOf(answer, 'should_logout_user') === true) await endSessions(tx, user, 'global', undefined)
    return textOf(answer, 'message') || 'Further password verification attempts will be rejected.'
  })
  if (rejection !== undefined) throw new AuthError(400, 'invalid_credentials', rejection)
}

function requireOneContact({ settings }: AuthContext, email: string, phone: string): void {
  if (email !== '' && phone !== '') {
    const message = 'Only an email address or phone number should be provided on login.'
    throw new AuthError(400, 'validation_failed', message)
  }
  if (email !== '') {
    if (!settings.email.enableSignup) {
      throw new AuthError(422, 'email_provider_disabled', 'Email logins are disabled')
    }
  } else if (phone === '') {
    throw new AuthError(400, 'validation_failed', 'missing email or phone')
  } else if (!settings.sms.enableSignup) {
    throw new AuthError(422, 'phone_provider_disabled', 'Phone logins are disabled')
  }
}

function requireConfirmed(user: UserRow, byEmail: boolean): void {
  if (byEmail && user.email_confirmed_at === null) {
    throw new AuthError(400, 'email_not_confirmed', 'Email not confirmed')
  }
  if (!byEmail && user.phone_confirmed_at === null) {
    throw new AuthError(400, 'phone_not_confirmed', 'Phone not confirmed')
  }
}

function wrongCredentials(): AuthError {
  return new AuthError(400, 'invalid_credentials', 'Invalid login credentials')
}
