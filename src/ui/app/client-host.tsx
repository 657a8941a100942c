// Owns the client of the connection in use: made when it is chosen, disposed when it is left.
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { ChartroomProvider } from '../react.ts'
import { createClientStore, createTraceStoreLoader } from './client-store.ts'
import type { Connection } from './connections.ts'
import { ControlContext } from './control-context.ts'
import { TraceStoreContext } from './trace-store-context.ts'

export interface ClientHostProps {
  readonly connection: Connection
  readonly splash: ReactNode
  readonly children: ReactNode
}

/** Gives its children the client of `connection`. */
export function ClientHost({ connection, splash, children }: ClientHostProps) {
  const { url, key } = connection
  const [traces] = useState(createTraceStoreLoader)
  const [store] = useState(() => createClientStore(traces))
  const client = useSyncExternalStore(store.subscribe, store.client)
  useEffect(() => {
    store.open({ url, key, storageKey: `chartroom.session.${url}` })
    return store.close
  }, [store, url, key])
  if (client === undefined) return splash
  return (
    <TraceStoreContext value={traces}>
      <ControlContext value={store.control()}>
        <ChartroomProvider client={client}>{children}</ChartroomProvider>
      </ControlContext>
    </TraceStoreContext>
  )
}
