// Parses a user from the auth server; drops malformed parts so that no page breaks on them.
import { fallback, looseObject, optional, pipe, safeParse, string, transform, unknown } from 'valibot'
import { isAnyKeyOf, readList } from '../../../../services/workbench/storage/index.ts'
import type { User } from './use-user.ts'

const text = fallback(optional(string()), undefined)
const fields = fallback(isAnyKeyOf, {})

const identity = looseObject({
  identity_id: string(),
  provider: string(),
  identity_data: fields,
  created_at: text,
  last_sign_in_at: text,
})

const factor = looseObject({
  id: string(),
  status: string(),
  factor_type: string(),
  friendly_name: text,
  created_at: text,
})

const user = looseObject({
  id: string(),
  email: text,
  new_email: text,
  phone: text,
  new_phone: text,
  created_at: fallback(string(), ''),
  last_sign_in_at: text,
  app_metadata: fields,
  user_metadata: fields,
  identities: pipe(
    optional(unknown()),
    transform(list => readList(identity, list) ?? []),
  ),
  factors: pipe(
    optional(unknown()),
    transform(list => readList(factor, list) ?? []),
  ),
})

/** Undefined if the value is not a user. */
export function readUser(input: unknown): User | undefined {
  const read = safeParse(user, input)
  return read.success ? (read.output as unknown as User) : undefined
}
