// Owns the client of the connection and account in use: made when it is chosen, disposed when it is left.
import { use, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { ChartroomProvider } from '../react.ts'
import { AccountsProvider } from './accounts/accounts-provider.tsx'
import { createBookStore } from './accounts/book-store.ts'
import { storageKeyOf } from './accounts/book.ts'
import { createClientStore, createTraceStoreLoader } from './client-store.ts'
import type { Connection } from './connections.ts'
import { ControlContext } from './control-context.ts'
import { OpeningContext } from './opening.ts'
import { TraceStoreContext } from './trace-store-context.ts'

export interface ClientHostProps {
  readonly connection: Connection
  readonly splash: ReactNode
  readonly children: ReactNode
}

/** Gives its children the client of `connection`, as the account that this tab works as. */
export function ClientHost({ connection, splash, children }: ClientHostProps) {
  const { url, key } = connection
  const [traces] = useState(createTraceStoreLoader)
  const { quiet } = use(OpeningContext)
  const [store] = useState(() => createClientStore(traces, quiet))
  const [book] = useState(() => createBookStore(url, location.search))
  const slot = useSyncExternalStore(book.subscribe, book.slot)
  const client = useSyncExternalStore(store.subscribe, store.client)
  useEffect(() => book.use(book.slot()), [book])
  useEffect(() => {
    // A link with somebody else's tokens must not sign the visitor in: only an answer to a request made here does.
    store.open({ url, key, storageKey: storageKeyOf(url, slot), flowType: 'pkce' })
    return store.close
  }, [store, url, key, slot])
  if (client === undefined) return splash
  return (
    <TraceStoreContext value={traces}>
      <ControlContext value={store.control()}>
        <ChartroomProvider client={client}>
          {/* Another client is another person or place: nothing of a page is carried over. */}
          <AccountsProvider key={store.generation()} backend={connection} store={book}>
            {children}
          </AccountsProvider>
        </ChartroomProvider>
      </ControlContext>
    </TraceStoreContext>
  )
}
