// The app connected to one backend: its client and the app frame.
import { use, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import type { Connection } from '../../services/workbench/hosts/index.ts'
import { AppStartupContext } from './app-startup.ts'
import { createLazyRouter, RouterContext } from './lazy-router.ts'
import { loadBanner, loadSignedIn } from './shell/load-signed-in.ts'
import { Shell } from './shell/shell.tsx'
import { Splash } from './shell/splash.tsx'
import { useTimeout } from '../widgets/time.ts'
import { ChartroomProvider } from '../react/index.ts'
import { AccountsProvider } from './accounts/accounts-provider.tsx'
import { createAccountStore, storageKeyOf } from '../../services/workbench/accounts/index.ts'
import { createClientStore, createTraceStoreLoader } from '../../services/workbench/storage/index.ts'
import { ControlContext, SchemaFileContext, TraceStoreContext } from './client-contexts.ts'

/** By then the first view has loaded and does not compete for bandwidth. */
const QUIET_AFTER_MS = 15_000

/** The component that shows a part retries a failed load. */
const prepareSignedIn = () => void Promise.allSettled([loadSignedIn(), loadBanner()])
const preparePages = () =>
  import('./router.tsx').then(
    router => router.preparePages(),
    () => undefined,
  )

/** Remount it for another backend. */
export function Connected({ connection }: { readonly connection: Connection }) {
  const [router] = useState(createLazyRouter)
  const { quiet } = use(AppStartupContext)
  useEffect(() => {
    // Loads while the user types a password.
    void quiet.then(prepareSignedIn)
  }, [quiet])
  useTimeout(() => void preparePages(), QUIET_AFTER_MS)
  return (
    <ClientHost connection={connection} splash={<Splash text={`Connecting to ${connection.name}…`} />}>
      <RouterContext value={router}>
        <Shell />
      </RouterContext>
    </ClientHost>
  )
}

interface ClientHostProps {
  readonly connection: Connection
  readonly splash: ReactNode
  readonly children: ReactNode
}

/** Provides its children with the client of `connection` for the account of this tab. */
function ClientHost({ connection, splash, children }: ClientHostProps) {
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
    store.open({ url, key, auth: { storageKey: storageKeyOf(url, slot), flowType: 'pkce' } })
    return store.close
  }, [store, url, key, slot])
  if (client === undefined) return splash
  return (
    <TraceStoreContext value={traces}>
      <ControlContext value={store.control()}>
        <SchemaFileContext value={connection.schema}>
          <ChartroomProvider client={client}>
            {/* Another client means another user or backend: no page state is carried over. */}
            <AccountsProvider key={store.generation()} backend={connection} store={book}>
              {children}
            </AccountsProvider>
          </ChartroomProvider>
        </SchemaFileContext>
      </ControlContext>
    </TraceStoreContext>
  )
}
