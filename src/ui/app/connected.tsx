// The app at one host: its client, and the frame for what works with it.
import { use, useEffect, useState } from 'react'
import { ClientHost } from './client-host.tsx'
import type { Connection } from './connections.ts'
import { OpeningContext } from './opening.ts'
import { createRouterLater, RouterContext } from './router-later.ts'
import { loadSignedIn } from './shell/load-signed-in.ts'
import { Shell } from './shell/shell.tsx'
import { Splash } from './shell/splash.tsx'

/** By then whatever was opened first is there and has the line to itself no longer. */
const QUIET_AFTER_MS = 15_000

/** What does not come is asked for again by whoever shows it. */
const prepareSignedIn = () => void loadSignedIn().catch(() => undefined)
const preparePages = () =>
  import('./router.tsx').then(
    router => router.preparePages(),
    () => undefined,
  )

/** Make it anew for another host. */
export function Connected({ connection }: { readonly connection: Connection }) {
  const [router] = useState(createRouterLater)
  const { quiet } = use(OpeningContext)
  useEffect(() => {
    // Meanwhile somebody types a password.
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
