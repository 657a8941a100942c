// Loads the user with all server-side data; reloads it after auth events that change it.
import { createContext, use, useEffect } from 'react'
import type { ChartroomClient, Failure } from '../../../../services/client/index.ts'
import { useClient } from '../../../react/index.ts'
import { callAuth } from '../../../../services/workbench/auth/index.ts'
import { usePageRequest, valueOf } from '../../use-page-request.ts'
import { readUser } from './read-user.ts'

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
