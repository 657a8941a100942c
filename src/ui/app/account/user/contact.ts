// Pending email changes and the addresses that have to confirm them, as far as the server reports them.
import type { User } from './use-user.ts'

/** An address that was sent a code: the current one or the new one. */
export interface Consent {
  readonly side: 'present' | 'new'
  readonly address: string
}

/** The email address that is not confirmed yet. */
export const pendingEmail = (user: Pick<User, 'new_email'>): string | undefined => user.new_email || undefined

/** By default, backends ask both addresses to confirm; a guest has only one. */
export const consentsOf = (user: Pick<User, 'email' | 'new_email'>): readonly Consent[] => {
  const next = pendingEmail(user)
  if (next === undefined) return []
  return [
    ...(user.email ? [{ side: 'present', address: user.email } as const] : []),
    { side: 'new', address: next },
  ]
}
