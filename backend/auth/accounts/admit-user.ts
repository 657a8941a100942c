// Creates the user of a sign-up, unless the project's hook refuses; users that an admin creates are not checked.
import { randomUUID } from 'node:crypto'
import type { Queries } from '../../database/index.ts'
import type { AuthContext } from '../context.ts'
import { steadyText } from '../hooks/repeatable.ts'
import { createUser, providersOf, type NewUser, type UserRow } from './users.ts'

/** @throws AuthError with the refusal of the hook */
export async function admitUser(
  tx: Queries,
  context: AuthContext,
  request: Request,
  input: NewUser,
): Promise<UserRow> {
  const id = steadyText(tx, randomUUID)
  if (context.hooks.has('before_user_created')) {
    await context.hooks.run(tx, {
      name: 'before_user_created',
      key: id,
      request,
      payload: { user: { id, ...describeNewcomer(input) } },
    })
  }
  return createUser(tx, context, { ...input, id })
}

/** The user as the official server describes one that is not stored yet. */
function describeNewcomer(input: NewUser): Record<string, unknown> {
  return {
    aud: input.aud ?? 'authenticated',
    role: input.role ?? '',
    email: input.email?.toLowerCase() ?? '',
    phone: input.phone ?? '',
    app_metadata: { ...providersOf(input), ...input.appMetadata },
    user_metadata: { ...input.userMetadata },
    identities: [],
    created_at: NEVER,
    updated_at: NEVER,
    is_anonymous: input.isAnonymous ?? false,
  }
}

const NEVER = '0001-01-01T00:00:00Z'
