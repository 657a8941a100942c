// Applies a valid token or code: confirms an address, changes it, or proves that it is the user's.
import type { Queries } from '../../database/index.ts'
import { audit, type AuditAction } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { addIdentity, changeIdentity, identitiesOf } from '../accounts/identity-rows.ts'
import { confirmAddress, listProviders } from '../identities/account.ts'
import { clearToken, clearTokens, findToken, hasToken, type TokenType } from '../mail/one-time-tokens.ts'
import { findUserByEmail, findUserByPhone, timeOf, updateUser, type UserRow } from '../accounts/users.ts'
import type { Owner } from './owner.ts'

/**
 * Uses up the token.
 * @returns the updated user; `undefined` while the other address has not confirmed
 */
export async function confirm(
  tx: Queries,
  context: AuthContext,
  { user, type }: Owner,
  token: string,
): Promise<UserRow | undefined> {
  const confirmed = await apply(tx, context, { user, type }, token)
  if (!confirmed) return undefined
  await audit(tx, context, confirmed, ...noteOf({ user, type }))
  return listProviders(tx, context, confirmed)
}

function noteOf({ user, type }: Owner): [action: AuditAction, traits?: Record<string, unknown>] {
  switch (type) {
    case 'recovery':
    case 'magiclink':
      return user.email_confirmed_at === null ? ['user_signedup', { provider: 'email' }] : ['login']
    case 'email_change':
    case 'phone_change':
      return ['user_modified']
    case 'signup':
    case 'invite':
      return ['user_signedup', { provider: 'email' }]
    case 'sms':
      return ['user_signedup', { provider: 'phone' }]
  }
}

function apply(
  tx: Queries,
  context: AuthContext,
  { user, type }: Owner,
  token: string,
): Promise<UserRow | undefined> {
  switch (type) {
    case 'signup':
    case 'invite':
      return confirmSignup(tx, context, user)
    case 'recovery':
    case 'magiclink':
      return confirmRecovery(tx, context, user)
    case 'email_change':
      return confirmEmailChange(tx, context, user, token)
    case 'sms':
      return confirmPhone(tx, context, user)
    case 'phone_change':
      return finishPhoneChange(tx, context, user, user.phone_change ?? '')
  }
}

async function confirmSignup(tx: Queries, context: AuthContext, user: UserRow): Promise<UserRow> {
  const confirmed = await confirmAddress(tx, context, user)
  for (const { provider, email } of await identitiesOf(tx, user.id)) {
    const isOwn = Boolean(email) && email === user.email?.toLowerCase()
    if (isOwn) await changeIdentity(tx, context, user.id, provider, { email_verified: true })
  }
  return confirmed
}

/** The link also confirms the address, since the user can read its emails. */
async function confirmRecovery(tx: Queries, context: AuthContext, user: UserRow): Promise<UserRow> {
  await clearTokens(tx, user.id)
  return user.email_confirmed_at === null ? confirmAddress(tx, context, user) : user
}

async function confirmEmailChange(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  token: string,
): Promise<UserRow | undefined> {
  const { email } = context.settings
  const needsBoth = email.enableConfirmations && email.doubleConfirmChanges && Boolean(user.email)
  if (!needsBoth || user.email_change_confirm_status !== 0) {
    return finishEmailChange(tx, context, user, user.email_change ?? '')
  }
  const type = await whichSide(tx, context, user, token)
  if (type) await clearToken(tx, user.id, type)
  await updateUser(tx, context, user.id, { email_change_confirm_status: 1 })
  return undefined
}

async function whichSide(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  token: string,
): Promise<TokenType | undefined> {
  for (const type of ['email_change_token_current', 'email_change_token_new'] as const) {
    const tokenOwner = await findToken(tx, context, token, [type])
    if (tokenOwner?.user_id === user.id || (await hasToken(tx, context, user.id, type, token))) return type
  }
  return undefined
}

/**
 * Sets the user's new address; an anonymous user becomes permanent.
 * @throws 422 `email_exists` if another user has taken the address in the meantime
 */
export async function finishEmailChange(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  newEmail: string,
): Promise<UserRow> {
  const holder = await findUserByEmail(tx, newEmail)
  if (holder && holder.id !== user.id) {
    throw new AuthError(422, 'email_exists', 'A user with this email address has already been registered')
  }
  await setIdentity(tx, context, user.id, 'email', { email: newEmail, email_verified: true })
  await clearTokens(tx, user.id)
  const changed = await updateUser(tx, context, user.id, {
    email: newEmail,
    is_anonymous: false,
    email_change: '',
    email_change_confirm_status: 0,
  })
  return changed.email_confirmed_at === null ? confirmAddress(tx, context, changed) : changed
}

async function confirmPhone(tx: Queries, context: AuthContext, user: UserRow): Promise<UserRow> {
  await clearTokens(tx, user.id)
  return updateUser(tx, context, user.id, { phone_confirmed_at: timeOf(context), is_anonymous: false })
}

/**
 * Sets the user's new phone number.
 * @throws 422 `phone_exists` if another user has taken the number in the meantime
 */
export async function finishPhoneChange(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  phone: string,
): Promise<UserRow> {
  const holder = await findUserByPhone(tx, phone)
  if (holder && holder.id !== user.id) {
    throw new AuthError(422, 'phone_exists', 'A user with this phone number has already been registered')
  }
  await setIdentity(tx, context, user.id, 'phone', { phone, phone_verified: true })
  await clearTokens(tx, user.id)
  return updateUser(tx, context, user.id, {
    phone,
    phone_confirmed_at: timeOf(context),
    phone_change: '',
    is_anonymous: false,
  })
}

async function setIdentity(
  tx: Queries,
  context: AuthContext,
  userId: string,
  provider: 'email' | 'phone',
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (await changeIdentity(tx, context, userId, provider, data)) return
  const claims = { sub: userId, email_verified: false, phone_verified: false, ...data }
  await addIdentity(tx, context, { userId, provider, providerId: userId, data: claims })
}
