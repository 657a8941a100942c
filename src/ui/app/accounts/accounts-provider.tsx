// The accounts signed in at the connected backend, and the stored list that follows the current session.
import { useEffect, useMemo, useState, useSyncExternalStore, type ReactNode, createContext, use } from 'react'
import type { ChartroomClient, ClientStatus, RequestOptions } from '../../../services/client/index.ts'
import { useClient, useStatus } from '../../react/index.ts'
import {
  type AccountClient,
  accountName,
  type Accounts,
  accountsIn,
  type AccountStore,
  type AccountUser,
  ANONYMOUS,
  createOtherClients,
  freeSlot,
  type OtherClients,
  rememberAddress,
  twinsOf,
} from '../../../services/workbench/accounts/index.ts'
import { workRecordings } from '../work-recordings.ts'

export interface AccountsProviderProps {
  readonly backend: { readonly url: string; readonly key: string }
  readonly store: AccountStore
  readonly children: ReactNode
}

const userIn = ({ session }: ClientStatus): string | undefined => {
  if (session.phase === 'signedOut') return ''
  if (session.phase !== 'authenticated') return undefined
  const { id, email, isAnonymous = false } = session.user
  return JSON.stringify({ id, ...(email === undefined ? {} : { email }), isAnonymous } satisfies AccountUser)
}

/** Signs out sessions of the same user in other slots, so that each account is listed once. */
const endTwins = (store: AccountStore, slot: string, others: OtherClients, user: AccountUser) => {
  const twins = twinsOf(store.book(), slot, user.id)
  store.dispatch({ type: 'account.seen', slot, user })
  for (const twin of twins)
    void others
      .of(twin)
      .auth.signOut({ scope: 'local' })
      .then(() => others.drop(twin))
}

const useBookkeeping = (store: AccountStore, slot: string, others: OtherClients) => {
  const { url } = useClient()
  const user = useStatus(userIn)
  useEffect(() => {
    if (user === '') store.dispatch({ type: 'account.gone', slot })
    if (user === '' || user === undefined) return
    const seen = JSON.parse(user) as AccountUser
    endTwins(store, slot, others, seen)
    rememberAddress(url, seen.email)
  }, [user, url, store, slot, others])
}

const accessing = (client: ChartroomClient, access: 'public' | 'user'): AccountClient => ({
  with: (options: RequestOptions) => client.with({ ...options, access }),
  fetch: (path, init, options) => client.fetch(path, init, { ...options, access }),
  client,
})

const nameOf = (store: AccountStore, slot: string): string => {
  const account = accountsIn(store.book()).find(({ id }) => id === slot)
  return account ? `Client of ${accountName(account)}` : 'Client of another account'
}

/** Rendered inside the provider of the current client. */
export function AccountsProvider({ backend: { url, key }, store, children }: AccountsProviderProps) {
  const client = useClient()
  const book = useSyncExternalStore(store.subscribe, store.book)
  // The slot of the current client: it does not change while the next account's client is being created.
  const [slot] = useState(store.slot)
  const [others] = useState(() =>
    createOtherClients(
      { url, key },
      {
        onGone: gone => store.dispatch({ type: 'account.gone', slot: gone }),
        onMade: (made, { recording }, control) => {
          if (recording) workRecordings(client).add(nameOf(store, made), { recording, control, stays: true })
        },
      },
    ),
  )
  useEffect(() => others.dispose, [others])
  useEffect(() => others.replaceKey(key), [others, key])
  useBookkeeping(store, slot, others)
  const accounts = useMemo<Accounts>(() => {
    const list = accountsIn(book)
    const clientOf = (who: string): AccountClient => {
      if (who === ANONYMOUS) return accessing(client, 'public')
      return accessing(who === slot ? client : others.of(who), 'user')
    }
    return {
      list,
      active: list.find(({ id }) => id === slot),
      add: () => {
        rememberAddress(url, undefined)
        store.use(freeSlot(store.book()))
      },
      switchTo: store.use,
      signOut: async (id, scope = 'local') => {
        if (id === slot) return client.auth.signOut({ scope })
        const result = await others.of(id).auth.signOut({ scope })
        others.drop(id)
        store.dispatch({ type: 'account.gone', slot: id })
        return result
      },
      clientOf,
    }
  }, [book, slot, client, others, store, url])
  return <AccountsContext value={accounts}>{children}</AccountsContext>
}

const AccountsContext = createContext<Accounts | undefined>(undefined)

/** Returns the accounts. @throws outside of their provider. */
export const useAccounts = (): Accounts => {
  const accounts = use(AccountsContext)
  if (accounts === undefined) throw new Error('useAccounts needs an AccountsProvider above it')
  return accounts
}
