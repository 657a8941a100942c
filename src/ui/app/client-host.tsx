// Owns the client of the current connection and account: creates it when chosen, disposes it when left.
import { use, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { ChartroomProvider } from '../react/index.ts'
import { AccountsProvider } from './accounts/accounts-provider.tsx'
import { createAccountStore, storageKeyOf } from '../../services/workbench/accounts/index.ts'
import { createClientStore, createTraceStoreLoader } from '../../services/workbench/storage/index.ts'
import type { Connection } from '../../services/workbench/hosts/index.ts'
import { ControlContext } from './control-context.ts'
import { AppStartupContext } from './app-startup.ts'
import { TraceStoreContext } from './trace-store-context.ts'

export interface ClientHostProps {
  readonly connection: Connection
  readonly splash: ReactNode
  readonly children: ReactNode
}

/** Provides its children with the client of `connection` for the account of this tab. */
export function ClientHost({ connection, splash, children }: ClientHostProps) {
  const { url, key } = connection
  const [traces] = useState(createTraceStoreLoader)
  const { quiet } = use(AppStartupContext)
  const [store] = useState(() => createClientStore(traces, quiet))
  const [book] = useState(() => createAccountStore(url, location.search))
  const slot = useSyncExternalStore(book.subscribe, book.slot)
  const client = useSyncExternalStore(store.subscribe, store.client)
  useEffect(() => book.use(book.slot()), [book])
  useEffect(() => {
    // Tokens in a link from someone else must not sign the user in: PKCE only accepts codes requested here.
    store.open({ url, key, storageKey: storageKeyOf(url, slot), flowType: 'pkce' })
    return store.close
  }, [store, url, key, slot])
  if (client === undefined) return splash
  return (
    <TraceStoreContext value={traces}>
      <ControlContext value={store.control()}>
        <ChartroomProvider client={client}>
          {/* Another client means another user or backend: no page state is carried over. */}
          <AccountsProvider key={store.generation()} backend={connection} store={book}>
            {children}
          </AccountsProvider>
        </ChartroomProvider>
      </ControlContext>
    </TraceStoreContext>
  )
}
