// The app at one host: its client, and the pages that work with it.
import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ClientHost } from './client-host.tsx'
import type { Connection } from './connections.ts'
import { createAppRouter, preparePages } from './router.tsx'
import { Splash } from './shell/splash.tsx'

/** By then whatever was opened first is there and has the line to itself no longer. */
const QUIET_AFTER_MS = 15_000

/** Make it anew for another host. */
export function Connected({ connection }: { readonly connection: Connection }) {
  const [router] = useState(createAppRouter)
  useEffect(() => {
    const timer = setTimeout(preparePages, QUIET_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <ClientHost connection={connection} splash={<Splash text={`Connecting to ${connection.name}…`} />}>
      <RouterProvider router={router} />
    </ClientHost>
  )
}
