// Sign-up: by e-mail and password, and anonymously.
import type { Queries } from '../database.ts'
import type { AuthContext } from './context.ts'
import { AuthError } from './errors.ts'
import { hashPassword, requireStrength } from './passwords.ts'
import { objectIn, textIn, validEmail, validPhone, type Body } from './requests.ts'
import { openSession, type SessionBody } from './sessions.ts'
import { sanitizedUser } from './sanitized-user.ts'
import { createUser, describeUser, findUserByEmail, findUserByPhone, type UserBody } from './users.ts'

/** Answers POST /signup. */
export async function signUp(context: AuthContext, request: Request, body: Body): Promise<Response> {
  const email = textIn(body, 'email')
  const phone = textIn(body, 'phone')
  if (email === '' && phone === '') return signUpAnonymously(context, request, body)
  context.limits.request('signup', request)
  requireSignUps(context)
  const password = textIn(body, 'password')
  if (password === '') throw new AuthError(400, 'validation_failed', 'Signup requires a valid password')
  requireStrength(context.settings, password)
  if (email !== '' && phone !== '') {
    const message = 'Only an email address or phone number should be provided on signup.'
    throw new AuthError(400, 'validation_failed', message)
  }
  const input = { password, data: objectIn(body, 'data') ?? {}, request, body }
  const answer =
    email === ''
      ? await signUpByPhone(context, { ...input, phone })
      : await signUpByEmail(context, { ...input, email: email })
  return Response.json(answer)
}

interface SignUp {
  readonly password: string
  readonly data: Body
  readonly request: Request
  readonly body: Body
}

async function signUpByEmail(
  context: AuthContext,
  { password, data, request, ...input }: SignUp & { readonly email: string },
): Promise<SessionBody | UserBody> {
  const { settings, database } = context
  if (!settings.email.enableSignup) {
    throw new AuthError(400, 'email_provider_disabled', 'Email signups are disabled')
  }
  const email = validEmail(input.email)
  // Hashed even for an address that is taken, so that the time tells nothing.
  const passwordHash = await hashPassword(password)
  const emailConfirmed = !settings.email.enableConfirmations
  return database.owner(async tx => {
    const before = await findUserByEmail(tx, email)
    if (before?.email_confirmed_at) {
      if (emailConfirmed) throw new AuthError(422, 'user_already_exists', 'User already registered')
      return sanitizedUser(context, email, data)
    }
    const user =
      before ?? (await createUser(tx, context, newUser({ email, passwordHash, data, emailConfirmed })))
    if (emailConfirmed) return openSession(tx, context, user, { method: 'password', request })
    return describeUser(tx, user)
  })
}

interface NewByEmail {
  readonly email: string
  readonly passwordHash: string
  readonly data: Body
  readonly emailConfirmed: boolean
}

function newUser({ email, passwordHash, data, emailConfirmed }: NewByEmail) {
  return { email, passwordHash, emailConfirmed, userMetadata: data }
}

async function signUpByPhone(
  context: AuthContext,
  { password, data, request, ...input }: SignUp & { readonly phone: string },
): Promise<SessionBody | UserBody> {
  const { settings, database } = context
  if (!settings.sms.enableSignup) {
    throw new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled')
  }
  const phone = validPhone(input.phone)
  const passwordHash = await hashPassword(password)
  if (settings.sms.enableConfirmations) {
    throw new AuthError(422, 'sms_send_failed', 'Error sending confirmation sms: there is no SMS provider')
  }
  return database.owner(async tx => {
    if (await findUserByPhone(tx, phone)) {
      throw new AuthError(422, 'user_already_exists', 'User already registered')
    }
    const user = await createUser(tx, context, {
      phone,
      passwordHash,
      userMetadata: data,
      phoneConfirmed: true,
    })
    return openSession(tx, context, user, { method: 'password', request })
  })
}

async function signUpAnonymously(context: AuthContext, request: Request, body: Body): Promise<Response> {
  if (!context.settings.enableAnonymousSignIns) {
    throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled')
  }
  context.limits.request('anonymous', request)
  requireSignUps(context)
  const userMetadata = objectIn(body, 'data') ?? {}
  const session = await context.database.owner(async (tx: Queries) => {
    const user = await createUser(tx, context, { isAnonymous: true, userMetadata })
    return openSession(tx, context, user, { method: 'anonymous', request })
  })
  return Response.json(session)
}

function requireSignUps({ settings }: AuthContext): void {
  if (settings.enableSignup) return
  throw new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance')
}
