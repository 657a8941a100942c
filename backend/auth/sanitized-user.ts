// What a sign-up answers for an address that is taken, so that nobody learns that it is.
import { randomUUID } from 'node:crypto'
import type { AuthContext } from './context.ts'
import type { Body } from './requests.ts'
import { timeOf, type UserBody } from './users.ts'

export function sanitizedUser(context: AuthContext, email: string, data: Body): UserBody {
  const now = timeOf(context)
  return {
    id: randomUUID(),
    aud: 'authenticated',
    role: '',
    email,
    phone: '',
    confirmation_sent_at: now,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: data,
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  }
}
