// Emails that a user requests: password recovery, resending, reauthentication.
import type { Hono } from 'hono'
import { requireCaller } from '../sessions/caller.ts'
import { audit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { startFlow } from '../flows/flow.ts'
import { readChallenge } from '../flows/pkce.ts'
import { readBody, textIn, validEmail, type Body } from '../requests.ts'
import { resend } from '../mail/resend.ts'
import { sendMail } from '../mail/send-mail.ts'
import { sendSms } from '../mail/send-sms.ts'
import { findUserByEmail, type UserRow } from '../accounts/users.ts'

export function addMailRoutes(app: Hono, context: AuthContext): void {
  app.post('/auth/v1/recover', async ({ req: { raw: request } }) => {
    context.limits.request('recover')
    if (!context.settings.email.enableSignup) {
      throw new AuthError(400, 'email_provider_disabled', 'Email logins are disabled')
    }
    await recover(context, request, await readBody(request))
    return Response.json({})
  })
  app.post('/auth/v1/resend', async ({ req: { raw: request } }) => {
    context.limits.request('resend')
    return Response.json(await resend(context, request, await readBody(request)))
  })
  app.get('/auth/v1/reauthenticate', async ({ req: { raw: request } }) =>
    Response.json(await reauthenticate(context, request)),
  )
}

/** The response does not reveal whether the address is known. */
async function recover(context: AuthContext, request: Request, body: Body): Promise<void> {
  if (textIn(body, 'email') === '') {
    throw new AuthError(400, 'validation_failed', 'Password recovery requires an email')
  }
  const email = validEmail(textIn(body, 'email'))
  const challenge = readChallenge(textIn(body, 'code_challenge'), textIn(body, 'code_challenge_method'))
  await context.database.owner(async tx => {
    const user = await findUserByEmail(tx, email)
    if (!user) return
    if (challenge) {
      const flow = { provider: 'recovery', method: 'recovery', challenge, userId: user.id } as const
      await startFlow(tx, context, flow)
    }
    await audit(tx, context, user, 'user_recovery_requested')
    await sendMail(tx, context, user, 'recovery', { request, isPkce: challenge !== undefined })
  })
}

function reauthenticate(context: AuthContext, request: Request): Promise<unknown> {
  return context.database.owner(async tx => {
    const { user } = await requireCaller(tx, context, request)
    requireConfirmed(user)
    await audit(tx, context, user, 'user_reauthenticate_requested')
    if (user.email) {
      await sendMail(tx, context, user, 'reauthentication', { request })
      return {}
    }
    const { messageId } = await sendSms(tx, context, user, {
      phone: user.phone ?? '',
      kind: 'reauthentication',
      request,
    })
    return { message_id: messageId }
  })
}

function requireConfirmed(user: UserRow): void {
  if (!user.email && !user.phone) {
    const message = 'Reauthentication requires the user to have an email or a phone number'
    throw new AuthError(400, 'validation_failed', message)
  }
  if (user.email && user.email_confirmed_at === null) {
    throw new AuthError(422, 'email_not_confirmed', 'Please verify your email first.')
  }
  if (!user.email && user.phone_confirmed_at === null) {
    throw new AuthError(422, 'phone_not_confirmed', 'Please verify your phone first.')
  }
}
