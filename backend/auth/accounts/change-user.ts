// PUT /user: users change their own password, email, phone or metadata.
import type { Queries } from '../../database/index.ts'
import { audit } from '../audit.ts'
import { requireCaller, type Caller } from '../sessions/caller.ts'
import { changeContact } from './change-contact.ts'
import { setPassword } from './change-password.ts'
import { readChange, requireAllowed, type Change } from './change-rules.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { requireNonce } from '../mail/reauthentication.ts'
import { readBody } from '../requests.ts'
import { describeUser, mergeMetadata, updateUser, type UserRow } from './users.ts'

const REAUTHENTICATE_AFTER_MS = 24 * 3_600_000

export async function changeUser(context: AuthContext, request: Request): Promise<Response> {
  const { database, limits } = context
  const before = await database.owner(tx => requireCaller(tx, context, request))
  limits.request('user')
  const change = readChange(context.settings, await readBody(request))
  await database.owner(async tx => {
    await requireAllowed(tx, before, change)
    await requireReauthentication(tx, context, before, change)
  })
  const passwordHash = await newPasswordHash(context, before.user, change.password)
  const user = await database.owner(async tx => {
    const caller = await requireCaller(tx, context, request)
    // While the password was hashed, another request may have changed the state that the rules check.
    await requireAllowed(tx, caller, change)
    await requireReauthentication(tx, context, caller, change)
    let changed = await changePassword(tx, context, caller, passwordHash)
    changed = await changeMetadata(tx, context, changed, change)
    changed = await changeContact(tx, context, changed, { ...change, request })
    await audit(tx, context, changed, 'user_modified')
    return describeUser(tx, changed)
  })
  return Response.json(user)
}

async function requireReauthentication(
  tx: Queries,
  context: AuthContext,
  { user, session }: Caller,
  { password, nonce }: Change,
): Promise<void> {
  if (password === undefined || !context.settings.email.securePasswordChange) return
  if (context.clock.now() <= session.created_ms + REAUTHENTICATE_AFTER_MS) return
  if (nonce === '') {
    throw new AuthError(400, 'reauthentication_needed', 'Password update requires reauthentication')
  }
  await requireNonce(tx, context, user, nonce)
}

async function newPasswordHash(
  { settings }: AuthContext,
  user: UserRow,
  password: string | undefined,
): Promise<string | undefined> {
  if (password === undefined) return undefined
  if (user.encrypted_password && (await verifyPassword(settings, password, user.encrypted_password))) {
    throw new AuthError(422, 'same_password', 'New password should be different from the old password.')
  }
  return hashPassword(settings, password)
}

/** Ends all sessions except the current one, since they were opened with the old password. */
async function changePassword(
  tx: Queries,
  context: AuthContext,
  { user, sessionId }: Caller,
  passwordHash: string | undefined,
): Promise<UserRow> {
  return passwordHash === undefined ? user : setPassword(tx, context, user, passwordHash, sessionId)
}

async function changeMetadata(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  { data }: Change,
): Promise<UserRow> {
  if (!data) return user
  return updateUser(tx, context, user.id, {
    raw_user_meta_data: mergeMetadata(user.raw_user_meta_data, data),
  })
}
