// The workbench: providers, and the gate from no connection to a connected client.
import { RouterProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorBoundary } from '../widgets/error-boundary.tsx'
import { ClientHost } from './client-host.tsx'
import { AppCommands } from './commands/app-commands.tsx'
import { lazyPart } from './lazy-part.tsx'
import { createAppRouter } from './router.tsx'
import { AppFailed } from './shell/failed.tsx'
import { Splash } from './shell/splash.tsx'
import { ThemeCommands } from './shell/theme-commands.tsx'
import { Toasts } from './shell/toasts.tsx'
import { useTheme } from './theme.ts'
import { ThemeContext } from './theme-context.ts'
import { useWorkspace, WorkspaceProvider } from './workspace.tsx'

/** Most of the time somebody is connected already. */
const ConnectPage = lazyPart(
  'the page to connect',
  async () => (await import('./connect/connect-page.tsx')).ConnectPage,
)

function Gate() {
  const { active } = useWorkspace()
  const [router] = useState(createAppRouter)
  if (active === undefined) return <ConnectPage />
  return (
    <ClientHost
      key={active.id}
      connection={active}
      splash={<Splash text={`Connecting to ${active.name}…`} />}
    >
      <RouterProvider router={router} />
    </ClientHost>
  )
}

/** The whole app. */
export function App() {
  const theme = useTheme()
  return (
    <ThemeContext value={theme}>
      <ErrorBoundary fallback={AppFailed}>
        <AppCommands>
          <ThemeCommands />
          <WorkspaceProvider splash={<Splash text="Looking for a backend…" />}>
            <Gate />
          </WorkspaceProvider>
        </AppCommands>
      </ErrorBoundary>
      <Toasts theme={theme[0]} />
    </ThemeContext>
  )
}
