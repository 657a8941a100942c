// A person as a provider describes them, and what the auth server keeps of that.
import { createHash } from 'node:crypto'
import { hasUserNames, type ProviderName } from './providers.ts'

/** Who signed in at the provider. */
export interface Profile {
  readonly email: string
  /** Empty when the person gave none. */
  readonly name: string
  /** Whether the provider vouches for the address. */
  readonly emailVerified: boolean
}

/** What `auth.identities.identity_data` holds of a social identity. */
export interface IdentityData {
  readonly iss: string
  readonly sub: string
  readonly email: string
  readonly email_verified: boolean
  readonly phone_verified: false
  readonly name?: string
  readonly full_name?: string
  readonly provider_id: string
  readonly preferred_username?: string
  readonly user_name?: string
}

/** The same person gets the same id at each return, and another one at another provider. */
export function subjectOf(provider: ProviderName, email: string): string {
  const digest = createHash('sha256').update(`${provider} ${email.toLowerCase()}`).digest()
  return String(10n ** 20n + (digest.readBigUInt64BE() % 10n ** 19n))
}

/** @param issuer the provider's address, as its ID tokens name it. */
export function identityDataOf(provider: ProviderName, issuer: string, profile: Profile): IdentityData {
  const sub = subjectOf(provider, profile.email)
  const userName = profile.email.split('@')[0] ?? ''
  return {
    iss: issuer,
    sub,
    ...(profile.name === '' ? {} : { name: profile.name, full_name: profile.name }),
    ...(hasUserNames(provider) ? { preferred_username: userName, user_name: userName } : {}),
    email: profile.email.toLowerCase(),
    email_verified: profile.emailVerified,
    phone_verified: false,
    provider_id: sub,
  }
}
