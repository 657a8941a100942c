// Changes a user's email address or phone number, at once or after confirmation, depending on the settings.
import type { Queries } from '../../database/index.ts'
import type { AuthContext } from '../context.ts'
import { AuthError } from '../errors.ts'
import { startFlow } from '../flows/flow.ts'
import { listProviders } from '../identities/account.ts'
import type { Challenge } from '../flows/pkce.ts'
import { startEmailChange } from '../mail/send-mail.ts'
import { sendSms } from '../mail/send-sms.ts'
import { findUserByEmail, findUserByPhone, type UserRow } from './users.ts'
import { finishEmailChange, finishPhoneChange } from '../verify/confirm.ts'

/** The requested changes; empty fields change nothing. */
export interface NewContact {
  readonly email: string
  readonly phone: string
  readonly challenge: Challenge | undefined
  readonly request: Request
}

export function changesEmail(user: UserRow, { email }: Pick<NewContact, 'email'>): boolean {
  return email !== '' && email !== user.email
}

export function changesPhone(user: UserRow, { phone }: Pick<NewContact, 'phone'>): boolean {
  return phone !== '' && phone !== user.phone
}

/** @throws 422 `email_exists`, 422 `phone_exists` */
export async function requireFree(
  tx: Queries,
  user: UserRow,
  contact: Pick<NewContact, 'email' | 'phone'>,
): Promise<void> {
  if (changesEmail(user, contact) && (await isTaken(tx, user, contact.email))) {
    throw new AuthError(422, 'email_exists', 'A user with this email address has already been registered')
  }
  if (changesPhone(user, contact) && (await findUserByPhone(tx, contact.phone))) {
    throw new AuthError(422, 'phone_exists', 'A user with this phone number has already been registered')
  }
}

async function isTaken(tx: Queries, user: UserRow, email: string): Promise<boolean> {
  const [holder] = await tx.query(
    `select 1 from auth.identities where email = $1 and user_id <> $2 and provider not like 'sso:%' limit 1`,
    [email, user.id],
  )
  return holder !== undefined || (await findUserByEmail(tx, email)) !== undefined
}

export async function changeContact(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  contact: NewContact,
): Promise<UserRow> {
  const changed = changesEmail(user, contact) ? await changeEmail(tx, context, user, contact) : user
  return changesPhone(user, contact) ? changePhone(tx, context, changed, contact) : changed
}

async function changeEmail(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  { email, challenge, request }: NewContact,
): Promise<UserRow> {
  // For an anonymous user this is a sign-up; a permanent user must always confirm the new address.
  if (user.is_anonymous && !context.settings.email.enableConfirmations) {
    return listProviders(tx, context, await finishEmailChange(tx, context, user, email))
  }
  if (challenge) {
    const flow = { provider: 'email_change', method: 'email_change', challenge, userId: user.id } as const
    await startFlow(tx, context, flow)
  }
  return startEmailChange(tx, context, user, email, { request, isPkce: challenge !== undefined })
}

async function changePhone(
  tx: Queries,
  context: AuthContext,
  user: UserRow,
  { phone, request }: NewContact,
): Promise<UserRow> {
  if (context.settings.sms.enableConfirmations) {
    return (await sendSms(tx, context, user, { phone, kind: 'phone_change', request })).user
  }
  return listProviders(tx, context, await finishPhoneChange(tx, context, user, phone))
}
