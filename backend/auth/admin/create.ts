// POST /admin/users: a server creates a user.
import { randomBytes } from 'node:crypto'
import type { Queries } from '../../database/index.ts'
import { audit, traitsOf } from '../audit.ts'
import { isUuid } from '../sessions/caller.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { hashPassword, isPasswordHash } from '../accounts/passwords.ts'
import type { Body } from '../requests.ts'
import {
  asCreated,
  createUser,
  describeUser,
  findUserById,
  findUserByPhone,
  isEmailTaken,
  updateUser,
  type UserBody,
} from '../accounts/users.ts'
import { readAdminUser, type AdminUser } from './parameters.ts'

const NIL = '00000000-0000-0000-0000-000000000000'

/** Passwords need no strength here: the official server only checks those of changes. */
export async function adminCreateUser(context: AuthContext, body: Body): Promise<UserBody> {
  const input = readAdminUser(context, body)
  if (input.email === '' && input.phone === '') {
    throw invalid('Cannot create a user without either an email or phone')
  }
  if (input.password !== undefined && input.passwordHash !== '') {
    throw invalid('Only a password or a password hash should be provided')
  }
  if (input.id !== '' && !isUuid(input.id)) throw invalid('ID must conform to the uuid v4 format')
  if (input.id === NIL) throw invalid('ID cannot be a nil uuid')
  if (input.passwordHash !== '' && !isPasswordHash(input.passwordHash)) {
    throw invalid('Unsupported password hash; only bcrypt hashes are supported')
  }
  // Without a password, an unknown random one is set.
  const unknown = () => randomBytes(32).toString('base64url')
  const passwordHash =
    input.passwordHash || (await hashPassword(context.settings, input.password || unknown()))
  return context.database.owner(tx => create(tx, context, input, passwordHash))
}

async function create(
  tx: Queries,
  context: AuthContext,
  input: AdminUser,
  passwordHash: string,
): Promise<UserBody> {
  await requireFree(tx, input)
  const user = await createUser(tx, context, {
    ...optionalEntry('id', input.id.toLowerCase()),
    ...optionalEntry('email', input.email),
    ...optionalEntry('phone', input.phone),
    ...optionalEntry('aud', input.aud),
    ...optionalEntry('role', input.role),
    passwordHash,
    userMetadata: input.userMetadata ?? {},
    appMetadata: input.appMetadata ?? {},
    emailConfirmed: input.emailConfirm,
    phoneConfirmed: input.phoneConfirm,
  })
  const provider = input.email === '' ? 'phone' : 'email'
  await audit(tx, context, 'service_role', 'user_signedup', { provider, ...traitsOf(user) })
  const banned = input.bannedUntil
    ? await updateUser(tx, context, user.id, { banned_until: input.bannedUntil })
    : user
  return asCreated(await describeUser(tx, banned))
}

async function requireFree(tx: Queries, { id, email, phone }: AdminUser): Promise<void> {
  if (email !== '' && (await isEmailTaken(tx, email))) {
    throw new AuthError(422, 'email_exists', 'A user with this email address has already been registered')
  }
  if (phone !== '' && (await findUserByPhone(tx, phone))) {
    throw new AuthError(422, 'phone_exists', 'Phone number already registered by another user')
  }
  if (id !== '' && (await findUserById(tx, id))) {
    throw new AuthError(422, 'user_already_exists', 'A user with this id already exists')
  }
}

function optionalEntry<Name extends string>(name: Name, value: string): { [K in Name]?: string } {
  return value === '' ? {} : ({ [name]: value } as { [K in Name]: string })
}

function invalid(message: string): AuthError {
  return new AuthError(400, 'validation_failed', message)
}
