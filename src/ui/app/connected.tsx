// The app connected to one backend: its client and the app frame.
import { use, useEffect, useState } from 'react'
import { ClientHost } from './client-host.tsx'
import type { Connection } from '../../services/workbench/hosts/index.ts'
import { AppStartupContext } from './app-startup.ts'
import { createLazyRouter, RouterContext } from './lazy-router.ts'
import { loadSignedIn } from './shell/load-signed-in.ts'
import { Shell } from './shell/shell.tsx'
import { Splash } from './shell/splash.tsx'

/** By then the first view has loaded and does not compete for bandwidth. */
const QUIET_AFTER_MS = 15_000

/** The component that shows the part retries a failed load. */
const prepareSignedIn = () => void loadSignedIn().catch(() => undefined)
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
    const timer = setTimeout(() => void preparePages(), QUIET_AFTER_MS)
    return () => clearTimeout(timer)
  }, [quiet])
  return (
    <ClientHost connection={connection} splash={<Splash text={`Connecting to ${connection.name}…`} />}>
      <RouterContext value={router}>
        <Shell />
      </RouterContext>
    </ClientHost>
  )
}
