// The sign-up response for an address that is already taken, which does not reveal that.
import { randomUUID } from 'node:crypto'
import type { AuthContext } from '../context.ts'
import type { Body } from '../requests.ts'
import { timeOf, type UserBody } from './users.ts'

/** @param contact the requested address or number. */
export function sanitizedUser(
  context: AuthContext,
  contact: { readonly email: string } | { readonly phone: string },
  data: Body,
): UserBody {
  const now = timeOf(context)
  const provider = 'email' in contact ? 'email' : 'phone'
  return {
    id: randomUUID(),
    aud: 'authenticated',
    role: '',
    email: '',
    phone: '',
    ...contact,
    confirmation_sent_at: now,
    app_metadata: { provider, providers: [provider] },
    user_metadata: data,
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  }
}
