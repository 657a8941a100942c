// Sign-up: by email and password, and anonymously.
import type { Queries } from '../../database/index.ts'
import { createByEmail, createByPhone, requireSignUps } from './create-account.ts'
import { audit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { hashPassword, requireStrength } from './passwords.ts'
import { readChallenge } from '../flows/pkce.ts'
import { objectIn, textIn, validEmail, validPhone, type Body } from '../requests.ts'
import { WRONG_CHANNEL } from '../mail/send-sms.ts'
import { openSession, type SessionBody } from '../sessions/sessions.ts'
import { fieldOf } from '../../shared/fields.ts'
import { admitUser } from './admit-user.ts'
import { sanitizedUser } from './sanitized-user.ts'
import {
  asCreated,
  describeUser,
  findUserByEmail,
  findUserByPhone,
  type UserBody,
  type UserRow,
} from './users.ts'

/** Handles POST /signup. */
export async function signUp(context: AuthContext, request: Request, body: Body): Promise<Response> {
  const email = textIn(body, 'email')
  const phone = textIn(body, 'phone')
  if (email === '' && phone === '') return signUpAnonymously(context, request, body)
  context.limits.request('signup')
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
  { password, data, request, body, ...input }: SignUp & { readonly email: string },
): Promise<SessionBody | UserBody> {
  const { settings, database } = context
  const challenge = readChallenge(textIn(body, 'code_challenge'), textIn(body, 'code_challenge_method'))
  if (!settings.email.enableSignup) {
    throw new AuthError(400, 'email_provider_disabled', 'Email signups are disabled')
  }
  const email = validEmail(input.email)
  // Hashed even if the address is taken, so that the response time reveals nothing.
  const passwordHash = await hashPassword(settings, password)
  return database.owner(async tx => {
    const before = await findUserByEmail(tx, email)
    if (before?.email_confirmed_at) {
      if (confirmsAnyAtOnce(context)) throw alreadyRegistered()
      await audit(tx, context, before, 'user_repeated_signup', { provider: 'email' })
      return sanitizedUser(context, { email }, data)
    }
    const user = await createByEmail(tx, context, { email, passwordHash, data, request, challenge })
    await auditSignUp(tx, context, user, 'email', user.email_confirmed_at)
    if (user.email_confirmed_at)
      return asSignedUp(await openSession(tx, context, user, { method: 'password', request }))
    const described = await describeUser(tx, user)
    // Signing up with an invited address does not prove ownership of it.
    return user.invited_at ? { ...described, user_metadata: {}, identities: [] } : described
  })
}

async function signUpByPhone(
  context: AuthContext,
  { password, data, request, body, ...input }: SignUp & { readonly phone: string },
): Promise<SessionBody | UserBody> {
  const { settings, database } = context
  if (!['', 'sms'].includes(textIn(body, 'channel'))) {
    throw new AuthError(400, 'validation_failed', WRONG_CHANNEL)
  }
  if (textIn(body, 'code_challenge') !== '') {
    throw new AuthError(400, 'validation_failed', 'PKCE not supported for phone signups')
  }
  if (!settings.sms.enableSignup) {
    throw new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled')
  }
  const phone = validPhone(input.phone)
  const passwordHash = await hashPassword(settings, password)
  return database.owner(async tx => {
    const before = await findUserByPhone(tx, phone)
    if (before?.phone_confirmed_at) {
      if (confirmsAnyAtOnce(context)) throw alreadyRegistered()
      return sanitizedUser(context, { phone }, data)
    }
    const user = await createByPhone(tx, context, { phone, passwordHash, data, request })
    await auditSignUp(tx, context, user, 'phone', user.phone_confirmed_at)
    if (user.phone_confirmed_at) return openSession(tx, context, user, { method: 'password', request })
    return describeUser(tx, user)
  })
}

/** The official server describes the user here before the database has, and its identity after. */
function asSignedUp({ user, ...session }: SessionBody): SessionBody {
  const { identities } = user
  return {
    ...session,
    user: {
      ...asCreated(user),
      identities: Array.isArray(identities) ? identities.map(asVerified) : identities,
    },
  }
}

function asVerified(identity: unknown): unknown {
  const data = fieldOf(identity, 'identity_data')
  if (typeof identity !== 'object' || typeof data !== 'object') return identity
  return { ...identity, identity_data: { ...data, email_verified: true } }
}

async function auditSignUp(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  provider: string,
  confirmedAt: string | null,
): Promise<void> {
  await audit(tx, context, user, confirmedAt ? 'user_signedup' : 'user_confirmation_requested', { provider })
}

function confirmsAnyAtOnce({ settings }: AuthContext): boolean {
  return !settings.email.enableConfirmations || !settings.sms.enableConfirmations
}

function alreadyRegistered(): AuthError {
  return new AuthError(422, 'user_already_exists', 'User already registered')
}

async function signUpAnonymously(context: AuthContext, request: Request, body: Body): Promise<Response> {
  if (!context.settings.enableAnonymousSignIns) {
    throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled')
  }
  context.limits.request('anonymous')
  requireSignUps(context)
  const userMetadata = objectIn(body, 'data') ?? {}
  const session = await context.database.owner(async (tx: Queries) => {
    const user = await admitUser(tx, context, request, { isAnonymous: true, userMetadata })
    return openSession(tx, context, user, { method: 'anonymous', request })
  })
  return Response.json(session)
}
