// A user's profile at a provider, and the identity data that the auth server stores.
import { createHash } from 'node:crypto'
import { hasUserNames, type ProviderName } from './providers.ts'

/** Profile of the user who signed in at the provider. */
export interface Profile {
  readonly email: string
  /** Empty if the user has no name. */
  readonly name: string
  /** Whether the provider has verified the email. */
  readonly emailVerified: boolean
}

/** Content of `auth.identities.identity_data` for a social identity. */
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

/** Stable id of a user at a provider; the same user has different ids at different providers. */
export function subjectOf(provider: ProviderName, email: string): string {
  const digest = createHash('sha256').update(`${provider} ${email.toLowerCase()}`).digest()
  return String(10n ** 20n + (digest.readBigUInt64BE() % 10n ** 19n))
}

/** @param issuer the provider's URL, as in its ID tokens. */
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
