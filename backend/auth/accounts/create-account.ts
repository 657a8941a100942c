// Creates accounts for new users and confirms them at once, by email or by text message.
import type { Queries } from '../../database/index.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { startFlow } from '../flows/flow.ts'
import { confirmAddress } from '../identities/account.ts'
import type { Challenge } from '../flows/pkce.ts'
import { sendConfirmation } from '../mail/send-mail.ts'
import { sendSms } from '../mail/send-sms.ts'
import { clearTokens } from '../mail/one-time-tokens.ts'
import { admitUser } from './admit-user.ts'
import { findUserByEmail, findUserByPhone, timeOf, updateUser, type UserRow } from './users.ts'

interface Newcomer {
  readonly passwordHash?: string
  readonly data: Readonly<Record<string, unknown>>
  readonly request: Request
}

/** @throws 422 `signup_disabled` */
export function requireSignUps({ settings }: AuthContext): void {
  if (settings.enableSignup) return
  throw new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance')
}

/**
 * Finds or creates the unconfirmed account of an address, and confirms it or sends a confirmation email. Data
 * of an existing unconfirmed account is not changed, since its ownership is unproven.
 * @returns the user, confirmed if the settings require no confirmation
 */
export async function createByEmail(
  tx: Queries,
  context: AuthContext,
  newcomer: Newcomer & { readonly email: string; readonly challenge: Challenge | undefined },
): Promise<UserRow> {
  const { email, passwordHash, data, request, challenge } = newcomer
  const user =
    (await findUserByEmail(tx, email)) ??
    (await admitUser(tx, context, request, {
      email,
      userMetadata: data,
      bySignUp: true,
      ...(passwordHash === undefined ? {} : { passwordHash }),
    }))
  if (!context.settings.email.enableConfirmations) return confirmAddress(tx, context, user)
  if (challenge) {
    await startFlow(tx, context, { provider: 'email', method: 'email/signup', challenge, userId: user.id })
  }
  return sendConfirmation(tx, context, user, { request, isPkce: challenge !== undefined })
}

/**
 * Does the same for a phone number.
 * @throws 422 `sms_send_failed` if a confirmation is required and the number is not a test number
 */
export async function createByPhone(
  tx: Queries,
  context: AuthContext,
  newcomer: Newcomer & { readonly phone: string },
): Promise<UserRow> {
  const { phone, passwordHash, data, request } = newcomer
  const user =
    (await findUserByPhone(tx, phone)) ??
    (await admitUser(tx, context, request, {
      phone,
      userMetadata: data,
      bySignUp: true,
      ...(passwordHash === undefined ? {} : { passwordHash }),
    }))
  if (context.settings.sms.enableConfirmations)
    return (await sendSms(tx, context, user, { phone, kind: 'confirmation', request })).user
  await clearTokens(tx, user.id)
  return updateUser(tx, context, user.id, { phone_confirmed_at: timeOf(context) })
}
