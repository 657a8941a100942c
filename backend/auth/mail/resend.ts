// POST /resend: sends the last email or text message again, with a new code.
import type { Queries } from '../../database/index.ts'
import { audit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { startFlow } from '../flows/flow.ts'
import { readChallenge, type Challenge } from '../flows/pkce.ts'
import { textIn, validEmail, validPhone, type Body } from '../requests.ts'
import { sendConfirmation, startEmailChange } from './send-mail.ts'
import { sendSms } from './send-sms.ts'
import { findUserByEmail, findUserByPhone, type UserRow } from '../accounts/users.ts'

type ResendType = 'signup' | 'email_change' | 'sms' | 'phone_change'

interface ResendRequest {
  readonly type: ResendType
  /** Empty if the phone number is given. */
  readonly email: string
  readonly phone: string
  readonly challenge: Challenge | undefined
}

/** The response is the same for an unknown address and for one with no pending confirmation. */
export async function resend(context: AuthContext, request: Request, body: Body): Promise<unknown> {
  const resend = readAsked(context, body)
  return context.database.owner(async tx => {
    const user =
      resend.email === '' ? await findUserByPhone(tx, resend.phone) : await findUserByEmail(tx, resend.email)
    return user && isWaiting(user, resend.type) ? sendAgain(tx, context, user, resend, request) : {}
  })
}

function readAsked(context: AuthContext, body: Body): ResendRequest {
  const { settings } = context
  const type = textIn(body, 'type')
  const email = textIn(body, 'email')
  const phone = textIn(body, 'phone')
  if (!isResendType(type))
    throw invalid('Missing one of these types: signup, email_change, sms, phone_change')
  const isMail = type === 'signup' || type === 'email_change'
  const challenge = isMail
    ? readChallenge(textIn(body, 'code_challenge'), textIn(body, 'code_challenge_method'))
    : undefined
  if (email === '' && type === 'signup') throw invalid('Type provided requires an email address')
  if (phone === '' && type === 'sms') throw invalid('Type provided requires a phone number')
  if (email !== '' && phone !== '') throw invalid('Only an email address or phone number should be provided.')
  if (email !== '') {
    if (settings.email.enableSignup) return { type, email: validEmail(email), phone: '', challenge }
    throw new AuthError(400, 'email_provider_disabled', 'Email logins are disabled')
  }
  if (phone === '') throw invalid('Missing email address or phone number')
  if (settings.sms.enableSignup) return { type, email: '', phone: validPhone(phone), challenge }
  throw new AuthError(400, 'phone_provider_disabled', 'Phone logins are disabled')
}

function isResendType(type: string): type is ResendType {
  return ['signup', 'email_change', 'sms', 'phone_change'].includes(type)
}

function isWaiting(user: UserRow, type: ResendType): boolean {
  switch (type) {
    case 'signup':
      return user.email_confirmed_at === null
    case 'sms':
      return user.phone_confirmed_at === null
    case 'email_change':
      return Boolean(user.email_change)
    case 'phone_change':
      return Boolean(user.phone_change)
  }
}

async function sendAgain(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  { type, phone, challenge }: ResendRequest,
  request: Request,
): Promise<unknown> {
  const occasion = { request, isPkce: challenge !== undefined }
  if (type === 'signup') await audit(tx, context, user, 'user_confirmation_requested')
  if (type === 'sms') await audit(tx, context, user, 'user_recovery_requested')
  if (type === 'sms' || type === 'phone_change') {
    const to = type === 'sms' ? phone : (user.phone_change ?? '')
    const { messageId } = await sendSms(tx, context, user, {
      phone: to,
      kind: type === 'sms' ? 'confirmation' : type,
      request,
    })
    return { message_id: messageId }
  }
  if (challenge) {
    const method = type === 'signup' ? 'email/signup' : 'email_change'
    await startFlow(tx, context, { provider: method, method, challenge, userId: user.id })
  }
  if (type === 'signup') await sendConfirmation(tx, context, user, occasion)
  else await startEmailChange(tx, context, user, user.email_change ?? '', occasion)
  return {}
}

function invalid(message: string): AuthError {
  return new AuthError(400, 'validation_failed', message)
}
