// Automatic linking rules: which account an external identity belongs to, based only on verified addresses.
import type { Queries } from '../../database/index.ts'
import { AuthError } from '../errors.ts'
import type { IdentityRow } from '../accounts/identity-rows.ts'
import type { AuthSettings } from '../settings.ts'
import { findUserByEmail, findUserById, type UserRow } from '../accounts/users.ts'

/** Profile data from a provider, as it will be stored. */
export interface ExternalIdentity {
  readonly provider: string
  readonly sub: string
  readonly email: string
  readonly emailVerified: boolean
  /** A wallet has no email address that could be confirmed. */
  readonly isEmailOptional?: boolean
  readonly data: Readonly<Record<string, unknown>>
}

export type LinkingDecision =
  | {
      readonly kind: 'exists'
      readonly user: UserRow
      readonly identity: IdentityRow
      readonly email: string
    }
  | { readonly kind: 'link'; readonly user: UserRow; readonly email: string }
  /** `email` is empty if another user already has the address and this identity's address is unverified. */
  | { readonly kind: 'create'; readonly email: string }

/** Whether addresses are confirmed without an email. */
export function autoconfirms({ email }: Pick<AuthSettings, 'email'>): boolean {
  return !email.enableConfirmations
}

/** @throws 409 `conflict` if several accounts have the address. */
export async function decideLinking(tx: Queries, identity: ExternalIdentity): Promise<LinkingDecision> {
  const existingIdentity = await findIdentity(tx, identity.provider, identity.sub)
  const owner = existingIdentity && (await findUserById(tx, existingIdentity.user_id))
  if (existingIdentity && owner)
    return { kind: 'exists', user: owner, identity: existingIdentity, email: owner.email ?? '' }
  const email = identity.email.toLowerCase()
  const claimants = await usersWithAddress(tx, email)
  // Stricter than the official server, which links them if sign-up requires no confirmation.
  if (!identity.emailVerified) return { kind: 'create', email: claimants.length > 0 ? '' : email }
  const [claimant, ...otherClaimants] = claimants
  if (otherClaimants.length > 0) throw severalAccounts()
  const user = claimant === undefined ? undefined : await findUserById(tx, claimant)
  return user ? { kind: 'link', user, email } : { kind: 'create', email }
}

export async function findIdentity(
  tx: Queries,
  provider: string,
  providerId: string,
): Promise<IdentityRow | undefined> {
  const [row] = await tx.query<IdentityRow>(
    'select * from auth.identities where provider = $1 and provider_id = $2',
    [provider, providerId],
  )
  return row
}

/** Users with an identity of this address, or else the user with the address itself. */
async function usersWithAddress(tx: Queries, email: string): Promise<string[]> {
  const rows = await tx.query<{ user_id: string }>(
    `select distinct user_id from auth.identities where email = $1 and provider not like 'sso:%'`,
    [email],
  )
  if (rows.length > 0) return rows.map(row => row.user_id)
  const user = await findUserByEmail(tx, email)
  return user ? [user.id] : []
}

function severalAccounts(): AuthError {
  return new AuthError(
    409,
    'conflict',
    'Multiple accounts with the same email address in the same linking domain detected: default',
  )
}
