// Second factors of a user, as the auth server lists them.
import type { ChartroomClient } from '../../client/index.ts'

type User = NonNullable<Awaited<ReturnType<ChartroomClient['supabase']['auth']['getUser']>>['data']['user']>
export type Factor = NonNullable<User['factors']>[number]

const TYPES: Readonly<Record<string, string>> = {
  totp: 'authenticator app',
  phone: 'text message',
  webauthn: 'security key',
}

export const factorType = ({ factor_type }: Pick<Factor, 'factor_type'>): string =>
  TYPES[factor_type] ?? factor_type

export const factorName = (factor: Pick<Factor, 'friendly_name' | 'factor_type' | 'id'>): string =>
  factor.friendly_name || `${factorType(factor)} ${factor.id.slice(0, 4)}`

/** Verified factors that an app code can confirm here. */
export const verifiedFactors = (factors: readonly Factor[] | undefined): readonly Factor[] =>
  (factors ?? []).filter(({ status, factor_type }) => status === 'verified' && factor_type === 'totp')
