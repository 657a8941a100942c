// The app connected to one backend: its client and the app frame.
import { use, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { Connection } from '../../services/workbench/hosts/index.ts'
import { AppStartupContext } from './app-startup.ts'
import { forgetMoment } from './console-search.ts'
import { ConnectedContext, type ConnectedApp } from './connected-context.ts'
import { createLazyRouter } from './lazy-router.ts'
import { loadBanner, loadSignedIn } from './shell/load-signed-in.ts'
import { Shell } from './shell/shell.tsx'
import { Splash } from './shell/splash.tsx'
import { useTimeout } from '../widgets/time.ts'
import { ChartroomProvider } from '../react/index.ts'
import { AccountsProvider } from './accounts/accounts-provider.tsx'
import { createAccountStore, storageKeyOf } from '../../services/workbench/accounts/index.ts'
import { createClientStore, createTraceStoreLoader } from '../../services/workbench/storage/index.ts'

/** By then the first view has loaded and does not compete for bandwidth. */
const QUIET_AFTER_MS = 15_000

/** The component that shows a part retries a failed load. */
const prepareSignedIn = () => void Promise.allSettled([loadSignedIn(), loadBanner()])
const preparePages = () =>
  import('./router.tsx').then(
    router => router.preparePages(),
    () => undefined,
  )

interface ConnectedProps {
  readonly connection: Connection
  /** Whether the page began with this backend. */
  readonly isFirst: boolean
}

/** The client of `connection` for the account of this tab, and the app frame. Remount it for another backend. */
export function Connected({ connection, isFirst }: ConnectedProps) {
  const { url, key, schema: schemaFile } = connection
  const [router] = useState(createLazyRouter)
  const [traces] = useState(createTraceStoreLoader)
  const { quiet } = use(AppStartupContext)
  useEffect(() => {
    // Loads while the user types a password.
    void quiet.then(prepareSignedIn)
  }, [quiet])
  useTimeout(() => void preparePages(), QUIET_AFTER_MS)
  const [store] = useState(() => createClientStore(traces, quiet))
  const [book] = useState(() => createAccountStore(url, location.search))
  const slot = useSyncExternalStore(book.subscribe, book.slot)
  const client = useSyncExternalStore(store.subscribe, store.client)
  const control = store.control()
  useEffect(() => book.use(book.slot()), [book])
  const openedSlot = useRef<string | undefined>(undefined)
  useEffect(() => {
    const isSame = openedSlot.current === undefined ? isFirst : openedSlot.current === slot
    openedSlot.current = slot
    if (!isSame) forgetMoment(window)
    // Tokens in a link from someone else must not sign the user in: PKCE only accepts codes requested here.
    store.open({ url, key, auth: { storageKey: storageKeyOf(url, slot), flowType: 'pkce' } })
    return store.close
  }, [store, url, key, slot, isFirst])
  const app = useMemo<ConnectedApp>(
    () => ({ router, control, traces, schemaFile }),
    [router, control, traces, schemaFile],
  )
  if (client === undefined) return <Splash text={`Connecting to ${connection.name}…`} />
  return (
    <ConnectedContext value={app}>
      <ChartroomProvider client={client}>
        {/* Another client means another user or backend: no page state is carried over. */}
        <AccountsProvider key={store.generation()} backend={connection} store={book}>
          <Shell />
        </AccountsProvider>
      </ChartroomProvider>
    </ConnectedContext>
  )
}
