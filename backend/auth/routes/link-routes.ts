// Routes for servers: invitations, and links that the server sends itself.
import type { Hono } from 'hono'
import { requireServiceRole } from '../sessions/caller.ts'
import { audit, traitsOf } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { generateLink, isLinkType, addressInUse, type LinkOrder } from '../mail/generate-link.ts'
import { redirectSettings } from '../mail/links.ts'
import { hashPassword, requireStrength } from '../accounts/passwords.ts'
import { isAllowedRedirect, redirectOf } from '../mail/redirects.ts'
import { objectIn, readBody, textIn, validEmail, type Body } from '../requests.ts'
import { sendMail } from '../mail/send-mail.ts'
import { admitUser } from '../accounts/admit-user.ts'
import { describeUser, findUserByEmail, type UserBody } from '../accounts/users.ts'

export function addLinkRoutes(app: Hono, context: AuthContext): void {
  app.post('/auth/v1/invite', async ({ req: { raw: request } }) => {
    await requireServiceRole(context, request)
    return Response.json(await invite(context, request, await readBody(request)))
  })
  app.post('/auth/v1/admin/generate_link', async ({ req: { raw: request } }) => {
    await requireServiceRole(context, request)
    const order = await readOrder(context, request, await readBody(request))
    return Response.json(await context.database.owner(tx => generateLink(tx, context, request, order)))
  })
}

function invite(context: AuthContext, request: Request, body: Body): Promise<UserBody> {
  const email = validEmail(textIn(body, 'email'))
  const data = objectIn(body, 'data') ?? {}
  return context.database.owner(async tx => {
    const before = await findUserByEmail(tx, email)
    if (before?.email_confirmed_at) throw addressInUse()
    const user = before ?? (await admitUser(tx, context, request, { email, userMetadata: data }))
    await audit(tx, context, 'service_role', 'user_invited', traitsOf(user))
    return describeUser(tx, await sendMail(tx, context, user, 'invite', { request }))
  })
}

async function readOrder(context: AuthContext, request: Request, body: Body): Promise<LinkOrder> {
  const email = validEmail(textIn(body, 'email'))
  const type = textIn(body, 'type')
  if (!isLinkType(type)) {
    throw new AuthError(400, 'validation_failed', `Invalid email action link type requested: ${type}`)
  }
  const password = textIn(body, 'password')
  if (type === 'signup') await requirePassword(context, email, password)
  return {
    type,
    email,
    newEmail: textIn(body, 'new_email'),
    data: objectIn(body, 'data') ?? {},
    ...(password === '' ? {} : { passwordHash: await hashPassword(context.settings, password) }),
    redirectTo: targetOf(context, request, textIn(body, 'redirect_to')),
  }
}

/** Required for a new account; ignored for an existing one. */
async function requirePassword(context: AuthContext, email: string, password: string): Promise<void> {
  if (await context.database.owner(tx => findUserByEmail(tx, email))) return
  if (password === '') throw new AuthError(400, 'validation_failed', 'Signup requires a valid password')
  requireStrength(context.settings, password)
}

function targetOf(context: AuthContext, request: Request, address: string): string {
  const settings = redirectSettings(context)
  return isAllowedRedirect(settings, address) ? address : redirectOf(settings, request)
}
