// PUT /user: a user changes their own password, address or metadata.
import { randomUUID } from 'node:crypto'
import type { Queries } from '../database.ts'
import { requireCaller, type Caller } from './caller.ts'
import type { AuthContext } from './context.ts'
import { AuthError } from './errors.ts'
import { addIdentity, changeIdentity } from './identity-rows.ts'
import { hashPassword, requireStrength, verifyPassword } from './passwords.ts'
import { objectIn, optionalText, readBody, textIn, validEmail, type Body } from './requests.ts'
import { hasVerifiedFactor } from './session-validity.ts'
import { endSessions } from './sessions.ts'
import {
  describeUser,
  findUserByEmail,
  mergeMetadata,
  updateUser,
  type UserPatch,
  type UserRow,
} from './users.ts'

const REAUTHENTICATE_AFTER_MS = 24 * 3_600_000

interface Change {
  readonly email: string
  readonly password: string | undefined
  readonly nonce: string
  readonly data: Body | undefined
  readonly appMetadata: Body | undefined
}

export async function changeUser(context: AuthContext, request: Request): Promise<Response> {
  const { database, limits, settings } = context
  const before = await database.owner(tx => requireCaller(tx, context, request))
  limits.request('user', request)
  const body = await readBody(request)
  const email = textIn(body, 'email')
  const change: Change = {
    email: email === '' ? '' : validEmail(email),
    password: optionalText(body, 'password'),
    nonce: textIn(body, 'nonce'),
    data: objectIn(body, 'data'),
    appMetadata: objectIn(body, 'app_metadata'),
  }
  if (textIn(body, 'phone') !== '' && !settings.sms.enableSignup) {
    throw new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled')
  }
  if (change.password !== undefined) requireStrength(settings, change.password)
  await database.owner(tx => requireAllowed(tx, before, change))
  const passwordHash = await newPasswordHash(context, before, change)
  const user = await database.owner(async tx => {
    const caller = await requireCaller(tx, context, request)
    return describeUser(tx, await applyChange(tx, context, caller, { ...change, passwordHash }))
  })
  return Response.json(user)
}

async function requireAllowed(tx: Queries, { user, session }: Caller, change: Change): Promise<void> {
  if (change.appMetadata) {
    throw new AuthError(403, 'not_admin', 'Updating app_metadata requires admin privileges')
  }
  const changesEmail = change.email !== '' && change.email !== user.email
  const needsFactor = Boolean(change.password) || changesEmail
  if (needsFactor && session.aal !== 'aal2' && (await hasVerifiedFactor(tx, user.id))) {
    const message = 'AAL2 session is required to update email or password when MFA is enabled.'
    throw new AuthError(401, 'insufficient_aal', message)
  }
  if (user.is_anonymous && change.password && change.email === '') {
    const message = 'Updating password of an anonymous user without an email or phone is not allowed'
    throw new AuthError(422, 'validation_failed', message)
  }
  if (user.is_sso_user && (needsFactor || change.nonce !== '')) {
    const message = 'Updating email, phone, password of a SSO account only possible via SSO'
    throw new AuthError(422, 'user_sso_managed', message)
  }
  if (changesEmail && (await isTaken(tx, user, change.email))) {
    throw new AuthError(422, 'email_exists', 'A user with this email address has already been registered')
  }
}

async function isTaken(tx: Queries, user: UserRow, email: string): Promise<boolean> {
  const [other] = await tx.query(
    `select 1 from auth.identities where email = $1 and user_id <> $2 and provider not like 'sso:%' limit 1`,
    [email, user.id],
  )
  return other !== undefined || (await findUserByEmail(tx, email)) !== undefined
}

async function newPasswordHash(
  context: AuthContext,
  { user, session }: Caller,
  { password }: Change,
): Promise<string | undefined> {
  if (password === undefined) return undefined
  const { settings, clock } = context
  const isStale = clock.now() > session.created_ms + REAUTHENTICATE_AFTER_MS
  if (settings.email.securePasswordChange && isStale) {
    throw new AuthError(400, 'reauthentication_needed', 'Password update requires reauthentication')
  }
  if (user.encrypted_password && (await verifyPassword(password, user.encrypted_password))) {
    throw new AuthError(422, 'same_password', 'New password should be different from the old password.')
  }
  return hashPassword(password)
}

type Applied = Change & { readonly passwordHash: string | undefined }

async function applyChange(
  tx: Queries,
  context: AuthContext,
  { user, sessionId }: Caller,
  { email, data, passwordHash }: Applied,
): Promise<UserRow> {
  const patch: UserPatch = {
    ...(passwordHash === undefined ? {} : { encrypted_password: passwordHash }),
    ...(data ? { raw_user_meta_data: mergeMetadata(user.raw_user_meta_data, data) } : {}),
  }
  const changed = await updateUser(tx, context, user.id, patch)
  // Who knew the old password is shown the door; the session at hand stays.
  if (passwordHash !== undefined) await endSessions(tx, user, 'others', sessionId)
  if (email === '' || email === user.email) return changed
  return convert(tx, context, changed, email)
}

/** An anonymous user becomes a permanent one. */
async function convert(tx: Queries, context: AuthContext, user: UserRow, email: string): Promise<UserRow> {
  const now = new Date(context.clock.now()).toISOString()
  const data = { sub: user.id, email, email_verified: true, phone_verified: false }
  if (!(await changeIdentity(tx, context, user.id, 'email', data))) {
    await addIdentity(tx, context, { userId: user.id, provider: 'email', providerId: user.id, data })
  }
  void randomUUID
  return updateUser(tx, context, user.id, {
    email,
    is_anonymous: false,
    email_confirmed_at: now,
    raw_app_meta_data: mergeMetadata(user.raw_app_meta_data, { provider: 'email', providers: ['email'] }),
  })
}
