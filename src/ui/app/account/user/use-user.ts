// Loads the user with all server-side data; reloads it after auth events that change it.
import { createContext, use, useEffect, useState } from 'react'
import type { ChartroomClient, Failure } from '../../../../services/client/index.ts'
import { useClient } from '../../../react/index.ts'
import { callAuth } from '../../../../services/workbench/auth/index.ts'
import { useRenewable } from '../../renewable.ts'
import { useRetry } from '../../retry.ts'
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

export const useUserView = (): UserView => {
  const client = useClient()
  const [user, setUser] = useState<User>()
  const [failure, setFailure] = useState<Failure>()
  const [signal, reload] = useRenewable()
  useEffect(() => {
    let current = true
    void callAuth(client, auth => auth.getUser()).then(called => {
      if (!current) return
      setFailure(called.ok ? undefined : called.failure)
      const fresh = called.ok ? readUser(called.value.user) : undefined
      if (fresh) setUser(fresh)
    })
    return () => {
      current = false
    }
  }, [client, signal])
  useEffect(() => {
    const { data } = client.supabase.auth.onAuthStateChange(event => {
      if (NEWS.has(event)) reload()
    })
    return () => data.subscription.unsubscribe()
  }, [client, reload])
  useRetry('user', failure, reload)
  return { user, failure, reload }
}

export const UserContext = createContext<UserView>({
  user: undefined,
  failure: undefined,
  reload: () => undefined,
})

/** The user shown on the account page. */
export const useUser = (): UserView => use(UserContext)
