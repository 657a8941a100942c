// What a sign-up answers for an address that is taken, so that nobody learns that it is.
import { randomUUID } from 'node:crypto'
import type { AuthContext } from '../context.ts'
import type { Body } from '../requests.ts'
import { timeOf, type UserBody } from './users.ts'

/** @param contact the address or number that was asked for. */
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
