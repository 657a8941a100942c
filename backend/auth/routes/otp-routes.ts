// Passwordless sign-in: a link or code by email, a code for a test number.
import type { Hono } from 'hono'
import { createByEmail, createByPhone, requireSignUps } from '../accounts/create-account.ts'
import { audit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { startFlow } from '../flows/flow.ts'
import { readChallenge } from '../flows/pkce.ts'
import { flagIn, objectIn, readBody, textIn, validEmail, validPhone, type Body } from '../requests.ts'
import { sendMail } from '../mail/send-mail.ts'
import { sendSms, WRONG_CHANNEL } from '../mail/send-sms.ts'
import { findUserByEmail, findUserByPhone } from '../accounts/users.ts'

export function addOtpRoutes(app: Hono, context: AuthContext): void {
  app.post('/auth/v1/otp', async ({ req: { raw: request } }) => {
    context.limits.request('otp')
    return Response.json(await answerOtp(context, request, await readBody(request)))
  })
  app.post('/auth/v1/magiclink', async ({ req: { raw: request } }) => {
    context.limits.request('magiclink')
    return Response.json(await sendLink(context, request, await readBody(request)))
  })
}

async function answerOtp(context: AuthContext, request: Request, body: Body): Promise<unknown> {
  const email = textIn(body, 'email')
  const phone = textIn(body, 'phone')
  if (email !== '' && phone !== '') throw invalid('Only an email address or phone number should be provided')
  if (email !== '' && textIn(body, 'channel') !== '') {
    throw invalid('Channel should only be specified with Phone OTP')
  }
  challengeIn(body)
  if (!mayCreate(body) && !(await isKnown(context, email, phone))) {
    throw new AuthError(422, 'otp_disabled', 'Signups not allowed for otp')
  }
  if (email !== '') return sendLink(context, request, body)
  if (phone !== '') return sendCode(context, request, body, phone)
  throw invalid('One of email or phone must be set')
}

/** Sends a sign-in link; an unconfirmed address is signed up first. */
async function sendLink(context: AuthContext, request: Request, body: Body): Promise<unknown> {
  if (!context.settings.email.enableSignup) {
    throw new AuthError(422, 'email_provider_disabled', 'Email logins are disabled')
  }
  if (textIn(body, 'email') === '') {
    throw new AuthError(422, 'validation_failed', 'Password recovery requires an email')
  }
  const email = validEmail(textIn(body, 'email'))
  const challenge = challengeIn(body)
  const data = objectIn(body, 'data') ?? {}
  await context.database.owner(async tx => {
    let user = await findUserByEmail(tx, email)
    if (!user || user.email_confirmed_at === null) {
      requireSignUps(context)
      user = await createByEmail(tx, context, { email, data, request, challenge })
      const action = user.email_confirmed_at === null ? 'user_confirmation_requested' : 'user_signedup'
      await audit(tx, context, user, action, { provider: 'email' })
      // The confirmation email also signs in.
      if (user.email_confirmed_at === null) return
    }
    if (challenge) {
      const flow = { provider: 'magiclink', method: 'magiclink', challenge, userId: user.id } as const
      await startFlow(tx, context, flow)
    }
    await audit(tx, context, user, 'user_recovery_requested')
    await sendMail(tx, context, user, 'magiclink', { request, isPkce: challenge !== undefined })
  })
  return {}
}

async function sendCode(context: AuthContext, request: Request, body: Body, type: string): Promise<unknown> {
  if (!context.settings.sms.enableSignup) {
    throw new AuthError(400, 'phone_provider_disabled', 'Unsupported phone provider')
  }
  const phone = validPhone(type)
  if (!['', 'sms'].includes(textIn(body, 'channel'))) throw invalid(WRONG_CHANNEL)
  const data = objectIn(body, 'data') ?? {}
  return context.database.owner(async tx => {
    let user = await findUserByPhone(tx, phone)
    if (!user || user.phone_confirmed_at === null) {
      requireSignUps(context)
      user = await createByPhone(tx, context, { phone, data, request })
      const action = user.phone_confirmed_at === null ? 'user_confirmation_requested' : 'user_signedup'
      await audit(tx, context, user, action, { provider: 'phone' })
      if (user.phone_confirmed_at === null) return {}
    }
    await audit(tx, context, user, 'user_recovery_requested', { channel: 'sms' })
    const { messageId } = await sendSms(tx, context, user, { phone, kind: 'confirmation', request })
    return { message_id: messageId }
  })
}

/** Whether an unknown user may be signed up; defaults to true. */
function mayCreate(body: Body): boolean {
  return (body['create_user'] ?? undefined) === undefined || flagIn(body, 'create_user')
}

async function isKnown(context: AuthContext, email: string, phone: string): Promise<boolean> {
  if (email === '' && phone === '') return true
  const user = await context.database.owner(tx =>
    email === '' ? findUserByPhone(tx, digitsOf(phone)) : findUserByEmail(tx, email),
  )
  return user !== undefined
}

function digitsOf(phone: string): string {
  return phone.replace(/^\+/, '').replaceAll(' ', '')
}

function challengeIn(body: Body) {
  return readChallenge(textIn(body, 'code_challenge'), textIn(body, 'code_challenge_method'))
}

function invalid(message: string): AuthError {
  return new AuthError(400, 'validation_failed', message)
}
