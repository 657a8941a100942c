// What users may change about themselves, and under which conditions.
import type { Queries } from '../../database/index.ts'
import type { Caller } from '../sessions/caller.ts'
import { changesEmail, changesPhone, requireFree } from './change-contact.ts'
import { AuthError } from '../errors.ts'
import { requireStrength } from './passwords.ts'
import { readChallenge, type Challenge } from '../flows/pkce.ts'
import { WRONG_CHANNEL } from '../mail/send-sms.ts'
import { objectIn, optionalText, textIn, validEmail, validPhone, type Body } from '../requests.ts'
import { hasVerifiedFactor } from '../sessions/session-validity.ts'
import type { AuthSettings } from '../settings.ts'

/** Empty strings change nothing. */
export interface Change {
  readonly email: string
  readonly phone: string
  readonly password: string | undefined
  readonly nonce: string
  readonly data: Body | undefined
  readonly appMetadata: Body | undefined
  readonly challenge: Challenge | undefined
}

export function readChange(settings: AuthSettings, body: Body): Change {
  const email = textIn(body, 'email')
  const phone = textIn(body, 'phone')
  const password = optionalText(body, 'password')
  if (phone !== '' && !['', 'sms'].includes(textIn(body, 'channel'))) {
    throw new AuthError(400, 'validation_failed', WRONG_CHANNEL)
  }
  const change: Change = {
    email: email === '' ? '' : validEmail(email),
    phone: phone === '' ? '' : validPhone(phone),
    password,
    nonce: textIn(body, 'nonce'),
    data: objectIn(body, 'data'),
    appMetadata: objectIn(body, 'app_metadata'),
    challenge: readChallenge(textIn(body, 'code_challenge'), textIn(body, 'code_challenge_method')),
  }
  if (phone !== '' && !settings.sms.enableSignup) {
    throw new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled')
  }
  if (password !== undefined) requireStrength(settings, password)
  return change
}

/** @throws in the official order: 403, 401, 422. */
export async function requireAllowed(tx: Queries, { user, session }: Caller, change: Change): Promise<void> {
  const changesContact = changesEmail(user, change) || changesPhone(user, change)
  const changesKeys = change.password !== undefined || changesContact
  if (change.appMetadata) {
    throw new AuthError(403, 'not_admin', 'Updating app_metadata requires admin privileges')
  }
  if (changesKeys && session.aal !== 'aal2' && (await hasVerifiedFactor(tx, user.id))) {
    const message = 'AAL2 session is required to update email or password when MFA is enabled.'
    throw new AuthError(401, 'insufficient_aal', message)
  }
  if (user.is_anonymous && change.password !== undefined && !changesContact) {
    const message = 'Updating password of an anonymous user without an email or phone is not allowed'
    throw new AuthError(422, 'validation_failed', message)
  }
  if (user.is_sso_user && (changesKeys || change.nonce !== '')) {
    const message = 'Updating email, phone, password of a SSO account only possible via SSO'
    throw new AuthError(422, 'user_sso_managed', message)
  }
  await requireFree(tx, user, change)
}
