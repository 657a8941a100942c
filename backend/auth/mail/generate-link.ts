// Generates a link for a server that sends it itself: finds or creates the account and stores a token, but
// sends no email.
import type { Queries } from '../../database/index.ts'
import { audit, traitsOf } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { actionLink } from './links.ts'
import { generateOtp, storeToken, tokenFor, type TokenType } from './one-time-tokens.ts'
import { validEmail } from '../requests.ts'
import { admitUser } from '../accounts/admit-user.ts'
import {
  describeUser,
  findUserByEmail,
  mergeMetadata,
  timeOf,
  updateUser,
  type UserBody,
  type UserPatch,
  type UserRow,
} from '../accounts/users.ts'

export type LinkType =
  'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change_current' | 'email_change_new'

export interface LinkOrder {
  readonly type: LinkType
  readonly email: string
  readonly newEmail: string
  readonly data: Readonly<Record<string, unknown>>
  readonly passwordHash?: string
  readonly redirectTo: string
}

const TOKENS = {
  signup: 'confirmation_token',
  invite: 'confirmation_token',
  magiclink: 'recovery_token',
  recovery: 'recovery_token',
  email_change_current: 'email_change_token_current',
  email_change_new: 'email_change_token_new',
} as const satisfies Record<LinkType, TokenType>

export function isLinkType(type: string): type is LinkType {
  return Object.hasOwn(TOKENS, type)
}

/** Generates a link. @throws 404 `user_not_found`, 422 `email_exists` */
export async function generateLink(
  tx: Queries,
  context: AuthContext,
  request: Request,
  linkOrder: LinkOrder,
): Promise<UserBody> {
  const before = await findUserByEmail(tx, linkOrder.email)
  // An unknown user cannot sign in, so the link signs them up.
  const order: LinkOrder =
    !before && linkOrder.type === 'magiclink' ? { ...linkOrder, type: 'signup' } : linkOrder
  const account = before ?? (await makeUser(tx, context, request, order))
  const address = order.type === 'email_change_new' ? validEmail(order.newEmail) : order.email
  const otp = generateOtp(context.settings.email.otpLength)
  const token = tokenFor(address, otp)
  const user = await updateUser(tx, context, account.id, await patchFor(tx, context, account, order))
  await storeToken(tx, context, { userId: user.id, type: TOKENS[order.type], relatesTo: address, token })
  if (order.type === 'invite') await audit(tx, context, 'service_role', 'user_invited', traitsOf(user))
  if (TOKENS[order.type] === 'recovery_token') await audit(tx, context, user, 'user_recovery_requested')
  const type = order.type.startsWith('email_change') ? 'email_change' : order.type
  return {
    ...(await describeUser(tx, user)),
    action_link: actionLink(context, { token, type, redirectTo: order.redirectTo }),
    email_otp: otp,
    hashed_token: token,
    verification_type: order.type,
    redirect_to: order.redirectTo,
  }
}

async function makeUser(
  tx: Queries,
  context: AuthContext,
  request: Request,
  { type, email, data, passwordHash }: LinkOrder,
): Promise<UserRow> {
  if (type !== 'signup' && type !== 'invite') {
    throw new AuthError(404, 'user_not_found', 'User with this email not found')
  }
  const password = passwordHash === undefined || type === 'invite' ? {} : { passwordHash }
  return admitUser(tx, context, request, { email, userMetadata: data, ...password })
}

async function patchFor(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  order: LinkOrder,
): Promise<UserPatch> {
  const now = timeOf(context)
  switch (order.type) {
    case 'magiclink':
    case 'recovery':
      return { recovery_sent_at: now }
    case 'invite':
      refuseConfirmed(user)
      return { confirmation_sent_at: now, invited_at: now }
    case 'signup':
      refuseConfirmed(user)
      return {
        confirmation_sent_at: now,
        raw_user_meta_data: mergeMetadata(user.raw_user_meta_data, order.data),
      }
    case 'email_change_current':
    case 'email_change_new':
      return changeOf(tx, context, user, order)
  }
}

async function changeOf(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  { type, newEmail }: LinkOrder,
): Promise<UserPatch> {
  if (type === 'email_change_current' && !context.settings.email.doubleConfirmChanges) {
    const message = 'Enable secure email change to generate link for current email'
    throw new AuthError(400, 'validation_failed', message)
  }
  const address = validEmail(newEmail)
  const holder = await findUserByEmail(tx, address)
  if (holder && holder.id !== user.id) throw addressInUse()
  return { email_change: address, email_change_sent_at: timeOf(context), email_change_confirm_status: 0 }
}

function refuseConfirmed(user: UserRow): void {
  if (user.email_confirmed_at !== null) throw addressInUse()
}

/** The error for an address that already has an account. */
export function addressInUse(): AuthError {
  return new AuthError(422, 'email_exists', 'A user with this email address has already been registered')
}
