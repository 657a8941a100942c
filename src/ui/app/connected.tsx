// The app at one host: its client, and the pages that work with it.
import { RouterProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { ClientHost } from './client-host.tsx'
import type { Connection } from './connections.ts'
import { createAppRouter } from './router.tsx'
import { Splash } from './shell/splash.tsx'

/** Make it anew for another host. */
export function Connected({ connection }: { readonly connection: Connection }) {
  const [router] = useState(createAppRouter)
  return (
    <ClientHost connection={connection} splash={<Splash text={`Connecting to ${connection.name}…`} />}>
      <RouterProvider router={router} />
    </ClientHost>
  )
}
