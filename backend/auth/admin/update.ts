// PUT /admin/users/:id: a server changes a user.
import type { Queries } from '../../database/index.ts'
import { audit, traitsOf } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { addIdentity, changeIdentity } from '../accounts/identity-rows.ts'
import { setPassword } from '../accounts/change-password.ts'
import { hashPassword, requireStrength } from '../accounts/passwords.ts'
import type { Body } from '../requests.ts'
import {
  describeUser,
  findUserByPhone,
  isEmailTaken,
  mergeMetadata,
  timeOf,
  updateUser,
  type UserBody,
  type UserPatch,
  type UserRow,
} from '../accounts/users.ts'
import { loadUser } from './load.ts'
import { readAdminUser, type AdminUser } from './parameters.ts'

export async function adminUpdateUser(context: AuthContext, id: string, body: Body): Promise<UserBody> {
  await context.database.owner(tx => loadUser(tx, id))
  const input = readAdminUser(context, body)
  const { password } = input
  if (password !== undefined) requireStrength(context.settings, password)
  const passwordHash = password === undefined ? undefined : await hashPassword(context.settings, password)
  return context.database.owner(async tx => {
    const user = await loadUser(tx, id)
    await requireFree(tx, user, input)
    if (passwordHash !== undefined) await setPassword(tx, context, user, passwordHash, undefined)
    if (input.email !== '') {
      await setIdentity(tx, context, user, 'email', input.email, input.emailConfirm)
    }
    if (input.phone !== '') {
      await setIdentity(tx, context, user, 'phone', input.phone, input.phoneConfirm)
    }
    const changed = await updateUser(tx, context, user.id, patchOf(context, user, input))
    await audit(tx, context, 'service_role', 'user_modified', traitsOf(changed))
    return describeUser(tx, changed)
  })
}

async function requireFree(tx: Queries, user: UserRow, { email, phone }: AdminUser): Promise<void> {
  if (email !== '' && (await isEmailTaken(tx, email, user.id))) {
    throw new AuthError(422, 'email_exists', 'A user with this email address has already been registered')
  }
  const owner = phone === '' ? undefined : await findUserByPhone(tx, phone)
  if (owner && owner.id !== user.id) {
    throw new AuthError(422, 'phone_exists', 'A user with this phone number has already been registered')
  }
}

function patchOf(context: AuthContext, user: UserRow, input: AdminUser): UserPatch {
  const now = timeOf(context)
  const becomesPermanent =
    (input.email !== '' && input.emailConfirm) || (input.phone !== '' && input.phoneConfirm)
  const verified = input.emailConfirm ? { email_verified: true } : {}
  const metadata = { ...verified, ...input.userMetadata }
  return {
    ...(input.role === '' ? {} : { role: input.role }),
    ...(input.email === '' ? {} : { email: input.email }),
    ...(input.phone === '' ? {} : { phone: input.phone }),
    ...(input.emailConfirm ? { email_confirmed_at: now, confirmation_token: '' } : {}),
    ...(input.phoneConfirm ? { phone_confirmed_at: now, confirmation_token: '' } : {}),
    ...(becomesPermanent ? { is_anonymous: false } : {}),
    ...(input.bannedUntil === undefined ? {} : { banned_until: input.bannedUntil }),
    ...(input.appMetadata
      ? { raw_app_meta_data: mergeMetadata(user.raw_app_meta_data, input.appMetadata) }
      : {}),
    ...(Object.keys(metadata).length > 0
      ? { raw_user_meta_data: mergeMetadata(user.raw_user_meta_data, metadata) }
      : {}),
  }
}

async function setIdentity(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  provider: 'email' | 'phone',
  contact: string,
  isVerified: boolean,
): Promise<void> {
  const data = { [provider]: contact, [`${provider}_verified`]: isVerified }
  if (await changeIdentity(tx, context, user.id, provider, data)) return
  const identity = { userId: user.id, provider, providerId: user.id }
  const unverified = { sub: user.id, email_verified: false, phone_verified: false }
  await addIdentity(tx, context, { ...identity, data: { ...unverified, ...data } })
}
