// A change of address: who has to confirm it, as far as the server tells.
import type { User } from './use-user.ts'

/** An address that was mailed a code, and whether it is the present one or the new one. */
export interface Consent {
  readonly side: 'present' | 'new'
  readonly address: string
}

/** The address that waits to be confirmed. */
export const pendingEmail = (user: Pick<User, 'new_email'>): string | undefined => user.new_email || undefined

/** Hosts ask both addresses unless they are told not to; a guest has but one. */
export const consentsOf = (user: Pick<User, 'email' | 'new_email'>): readonly Consent[] => {
  const next = pendingEmail(user)
  if (next === undefined) return []
  return [
    ...(user.email ? [{ side: 'present', address: user.email } as const] : []),
    { side: 'new', address: next },
  ]
}
