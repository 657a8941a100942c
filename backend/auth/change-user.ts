// PUT /user: a user changes their own password, address or metadata.
import type { Queries } from '../database.ts'
import { requireCaller, type Caller } from './caller.ts'
import { changeContact, changesEmail, changesPhone, requireFree, type NewContact } from './change-contact.ts'
import type { AuthContext } from './context.ts'
import { AuthError } from './errors.ts'
import { hashPassword, requireStrength, verifyPassword } from './passwords.ts'
import { readChallenge } from './pkce.ts'
import { useNonce } from './reauthentication.ts'
import { objectIn, optionalText, readBody, textIn, validEmail, validPhone, type Body } from './requests.ts'
import { hasVerifiedFactor } from './session-validity.ts'
import { endSessions } from './sessions.ts'
import { describeUser, mergeMetadata, updateUser, type UserPatch, type UserRow } from './users.ts'

const REAUTHENTICATE_AFTER_MS = 24 * 3_600_000

interface Change extends NewContact {
  readonly password: string | undefined
  readonly nonce: string
  readonly data: Body | undefined
  readonly appMetadata: Body | undefined
}

export async function changeUser(context: AuthContext, request: Request): Promise<Response> {
  const { database, limits, settings } = context
  const before = await database.owner(tx => requireCaller(tx, context, request))
  limits.request('user', request)
  const change = readChange(context, request, await readBody(request))
  if (change.password !== undefined) requireStrength(settings, change.password)
  await database.owner(tx => requireAllowed(tx, before, change))
  const passwordHash = await newPasswordHash(context, before, change)
  const user = await database.owner(async tx => {
    const caller = await requireCaller(tx, context, request)
    return describeUser(tx, await applyChange(tx, context, caller, { ...change, passwordHash }))
  })
  return Response.json(user)
}

function readChange({ settings }: AuthContext, request: Request, body: Body): Change {
  const email = textIn(body, 'email')
  const phone = textIn(body, 'phone')
  const change = {
    email: email === '' ? '' : validEmail(email),
    phone: phone === '' ? '' : validPhone(phone),
    password: optionalText(body, 'password'),
    nonce: textIn(body, 'nonce'),
    data: objectIn(body, 'data'),
    appMetadata: objectIn(body, 'app_metadata'),
    challenge: readChallenge(textIn(body, 'code_challenge'), textIn(body, 'code_challenge_method')),
    request,
  }
  if (phone !== '' && !settings.sms.enableSignup) {
    throw new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled')
  }
  return change
}

async function requireAllowed(tx: Queries, { user, session }: Caller, change: Change): Promise<void> {
  if (change.appMetadata) {
    throw new AuthError(403, 'not_admin', 'Updating app_metadata requires admin privileges')
  }
  const needsFactor = Boolean(change.password) || changesEmail(user, change) || changesPhone(user, change)
  if (needsFactor && session.aal !== 'aal2' && (await hasVerifiedFactor(tx, user.id))) {
    const message = 'AAL2 session is required to update email or password when MFA is enabled.'
    throw new AuthError(401, 'insufficient_aal', message)
  }
  if (user.is_anonymous && change.password && change.email === '' && change.phone === '') {
    const message = 'Updating password of an anonymous user without an email or phone is not allowed'
    throw new AuthError(422, 'validation_failed', message)
  }
  if (user.is_sso_user && (needsFactor || change.nonce !== '')) {
    const message = 'Updating email, phone, password of a SSO account only possible via SSO'
    throw new AuthError(422, 'user_sso_managed', message)
  }
  await requireFree(tx, user, change)
}

async function newPasswordHash(
  context: AuthContext,
  { user, session }: Caller,
  { password, nonce }: Change,
): Promise<string | undefined> {
  if (password === undefined) return undefined
  const { settings, clock, database } = context
  const isStale = clock.now() > session.created_ms + REAUTHENTICATE_AFTER_MS
  if (settings.email.securePasswordChange && isStale) {
    if (nonce === '') {
      throw new AuthError(400, 'reauthentication_needed', 'Password update requires reauthentication')
    }
    await database.owner(tx => useNonce(tx, context, user, nonce))
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
  { data, passwordHash, ...contact }: Applied,
): Promise<UserRow> {
  const patch: UserPatch = {
    ...(passwordHash === undefined ? {} : { encrypted_password: passwordHash }),
    ...(data ? { raw_user_meta_data: mergeMetadata(user.raw_user_meta_data, data) } : {}),
  }
  const changed = await updateUser(tx, context, user.id, patch)
  // Who knew the old password is shown the door; the session at hand stays.
  if (passwordHash !== undefined) await endSessions(tx, user, 'others', sessionId)
  return changeContact(tx, context, changed, contact)
}
