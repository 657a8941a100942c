// What PostgreSQL knows of a request: its role, claims and headers, as settings of the transaction.
import type { Claims } from '../keys/index.ts'
import type { ApiRequest } from './request/index.ts'
import type { Name, Routine, SchemaCache } from './schema/index.ts'
import { type Fragment, join, qualified, quoted, sql, value } from './sql/fragment.ts'

export interface Caller {
  readonly claims: Claims
  /** A role that exists, and that `authenticator` may have. */
  readonly role: string
}

/** The first statement of a transaction. */
export function settingsStatement(
  cache: SchemaCache,
  request: ApiRequest,
  { claims, role }: Caller,
  { routine, isReadOnly }: { readonly routine: Routine | undefined; readonly isReadOnly: boolean },
): Fragment {
  const path = [request.schema, ...cache.settings.extraSearchPath]
  const entries: readonly (readonly [name: string, text: string])[] = [
    // Set before the role, which may not have permission for them.
    ...Object.entries({ ...cache.roleSettings('authenticator'), ...cache.roleSettings(role) }),
    ['search_path', path.map(quoted).join(', ')],
    ['request.method', request.method],
    ['request.path', request.path],
    ['request.headers', JSON.stringify(request.headers)],
    ['request.cookies', JSON.stringify(request.cookies)],
    ['request.jwt.claims', JSON.stringify(claims)],
    ...Object.entries(cache.settings.appSettings),
    ...(request.prefer.timezone === undefined ? [] : [['timezone', request.prefer.timezone] as const]),
    ...Object.entries(routine?.settings ?? {}),
    ...(isReadOnly ? [['transaction_read_only', 'on'] as const] : []),
    ['session_authorization', 'authenticator'],
    ['role', role],
  ]
  const calls = entries.map(([name, text]) => sql`set_config(${value(name)}, ${value(text)}, true)`)
  return sql`select ${join(calls, ', ')}`
}

export const preRequestStatement = (name: Name): Fragment => sql`select ${qualified(name)}()`
