// Sign-in with an external identity: finds, links or creates the account, and confirms it or asks for
// confirmation.
import type { Queries } from '../../database/index.ts'
import { audit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { addIdentity, type IdentityRow } from '../accounts/identity-rows.ts'
import { sendConfirmation } from '../mail/send-mail.ts'
import { admitUser } from '../accounts/admit-user.ts'
import { isBanned, mergeMetadata, timeOf, updateUser, type UserRow } from '../accounts/users.ts'
import {
  confirmAddress,
  dropUnconfirmed,
  identityTraits,
  listProviders,
  takeAddressFromIdentities,
} from './account.ts'
import { autoconfirms, decideLinking, findIdentity, type ExternalIdentity } from './linking.ts'

/** The signed-in user, or a refusal whose writes must be committed. */
export type ExternalOutcome = { readonly user: UserRow } | { readonly refusal: AuthError }

/** Finds, links or creates the account of an identity. */
export async function accountFor(
  tx: Queries,
  context: AuthContext,
  identity: ExternalIdentity,
  request: Request,
): Promise<ExternalOutcome> {
  const decision = await decideLinking(tx, identity)
  const entry =
    decision.kind === 'create'
      ? await makeAccount(tx, context, identity, { email: decision.email, request })
      : await enterAccount(tx, context, identity, decision.user)
  if (isBanned(context, entry.user)) throw new AuthError(403, 'user_banned', 'User is banned')
  const { provider } = identity
  if (identity.isEmailOptional || entry.user.email_confirmed_at !== null) {
    await audit(tx, context, entry.user, 'login', { provider })
    return { user: entry.user }
  }
  const user = await dropUnconfirmed(tx, context, entry.user, entry.row)
  const isConfirmed = autoconfirms(context.settings) && decision.email !== ''
  if (identity.emailVerified || isConfirmed) {
    await audit(tx, context, user, 'user_signedup', { provider })
    return { user: await confirmAddress(tx, context, user) }
  }
  return {
    refusal: await askToConfirm(tx, context, user, {
      provider,
      email: decision.email,
      request,
    }),
  }
}

interface Entry {
  readonly user: UserRow
  readonly row: IdentityRow
}

async function enterAccount(
  tx: Queries,
  context: AuthContext,
  identity: ExternalIdentity,
  user: UserRow,
): Promise<Entry> {
  const existingIdentity = await findIdentity(tx, identity.provider, identity.sub)
  const row = existingIdentity
    ? await renewIdentity(tx, context, existingIdentity, identity)
    : await attachIdentity(tx, context, user, identity)
  const updated = await updateUser(tx, context, user.id, {
    raw_user_meta_data: mergeMetadata(user.raw_user_meta_data, identity.data),
  })
  return { user: await listProviders(tx, context, updated), row }
}

async function makeAccount(
  tx: Queries,
  context: AuthContext,
  identity: ExternalIdentity,
  { email, request }: { readonly email: string; readonly request: Request },
): Promise<Entry> {
  if (!context.settings.enableSignup) {
    throw new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance')
  }
  const user = await admitUser(tx, context, request, {
    ...(email === '' ? {} : { email }),
    provider: identity.provider,
    userMetadata: identity.data,
  })
  return { user, row: await keepIdentity(tx, context, user, identity) }
}

async function attachIdentity(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  identity: ExternalIdentity,
): Promise<IdentityRow> {
  const row = await keepIdentity(tx, context, user, identity)
  await audit(tx, context, user, 'identity_linked', identityTraits(row))
  return row
}

function keepIdentity(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  { provider, sub, data }: ExternalIdentity,
): Promise<IdentityRow> {
  return addIdentity(tx, context, { userId: user.id, provider, providerId: sub, data })
}

async function renewIdentity(
  tx: Queries,
  context: AuthContext,
  identity: IdentityRow,
  { data }: ExternalIdentity,
): Promise<IdentityRow> {
  const [row] = await tx.query<IdentityRow>(
    `update auth.identities set identity_data = $2, last_sign_in_at = $3, updated_at = $3 where id = $1 returning *`,
    [identity.id, JSON.stringify(data), timeOf(context)],
  )
  return row ?? identity
}

async function askToConfirm(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  {
    provider,
    email,
    request,
  }: { readonly provider: string; readonly email: string; readonly request: Request },
): Promise<AuthError> {
  if (email !== '') await sendConfirmation(tx, context, user, { request })
  const advice =
    email === ''
      ? `Verify the email with ${provider} in order to sign in`
      : `A confirmation email has been sent to your ${provider} email`
  const message = `Unverified email with ${provider}. ${advice}`
  return new AuthError(422, 'provider_email_needs_verification', message)
}

/** Adds an identity to the account of the user who requested it. */
export async function linkIdentity(
  tx: Queries,
  context: AuthContext,
  identity: ExternalIdentity,
  user: UserRow,
  request: Request,
): Promise<ExternalOutcome> {
  const existingIdentity = await findIdentity(tx, identity.provider, identity.sub)
  if (existingIdentity) {
    const whose = existingIdentity.user_id === user.id ? '' : ' to another user'
    throw new AuthError(422, 'identity_already_exists', `Identity is already linked${whose}`)
  }
  await attachIdentity(tx, context, user, identity)
  if (user.email) return { user: await listProviders(tx, context, user) }
  const addressed = await takeAddressFromIdentities(tx, context, user)
  if (addressed === 'conflict') {
    throw new AuthError(400, 'email_exists', 'A user with this email address has already been registered')
  }
  if (!identity.emailVerified) {
    await sendConfirmation(tx, context, addressed, { request })
    const message = `Unverified email with ${identity.provider}. A confirmation email has been sent to your ${identity.provider} email`
    return { refusal: new AuthError(422, 'email_not_confirmed', message) }
  }
  await confirmAddress(tx, context, addressed)
  const permanent = await updateUser(tx, context, user.id, { is_anonymous: false })
  return { user: await listProviders(tx, context, permanent) }
}
