// Loads the user with all server-side data; reloads it after auth events that change it. Malformed parts of the
// response are dropped, so that no page breaks on them.
import { createContext, use, useEffect } from 'react'
import type { ChartroomClient, Failure } from '../../../../services/client/index.ts'
import { useClient } from '../../../react/index.ts'
import { callAuth } from '../../../../services/workbench/auth/index.ts'
import { usePageRequest, valueOf } from '../../use-page-request.ts'
import { fallback, looseObject, optional, pipe, safeParse, string, transform, unknown } from 'valibot'
import { isAnyKeyOf, readList } from '../../../../services/workbench/storage/index.ts'

type Auth = ChartroomClient['supabase']['auth']
type Answered = Awaited<ReturnType<Auth['getUser']>>['data']['user']

/** In the shape of the official types. */
export type User = NonNullable<Answered>
export type Factor = NonNullable<User['factors']>[number]
export type Identity = NonNullable<User['identities']>[number]

export interface UserView {
  /** Undefined until loaded. */
  readonly user: User | undefined
  readonly failure: Failure | undefined
  readonly reload: () => void
}

/** Auth events after which the loaded user may be stale. */
const NEWS: ReadonlySet<string> = new Set(['USER_UPDATED', 'MFA_CHALLENGE_VERIFIED', 'SIGNED_IN'])

const NO_USER: Failure = { kind: 'decode', message: 'The response has no user.' }

export const useUserView = (): UserView => {
  const client = useClient()
  const {
    data: user,
    failure,
    reload,
  } = usePageRequest(['user'], async (): Promise<User> => {
    const value = readUser(valueOf(await callAuth(client, auth => auth.getUser())).user)
    return value ?? valueOf({ ok: false, failure: NO_USER })
  })
  useEffect(() => {
    const { data } = client.supabase.auth.onAuthStateChange(event => {
      if (NEWS.has(event)) reload()
    })
    return () => data.subscription.unsubscribe()
  }, [client, reload])
  return { user, failure, reload }
}

export const UserContext = createContext<UserView>({
  user: undefined,
  failure: undefined,
  reload: () => undefined,
})

/** The user shown on the account page. */
export const useUser = (): UserView => use(UserContext)

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
