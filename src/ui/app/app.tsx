// The workbench: providers, and the gate from no connection to a connected client.
import { RouterProvider } from '@tanstack/react-router'
import { useState, type CSSProperties } from 'react'
import { Toaster } from 'sonner'
import { ErrorBoundary } from '../widgets/error-boundary.tsx'
import { ClientHost } from './client-host.tsx'
import { ConnectPage } from './connect/connect-page.tsx'
import { createAppRouter } from './router.tsx'
import { AppFailed } from './shell/failed.tsx'
import { Splash } from './shell/splash.tsx'
import { useTheme } from './theme.ts'
import { ThemeContext } from './theme-context.ts'
import { useWorkspace, WorkspaceProvider } from './workspace.tsx'

/** Where it is narrow the sections are at the bottom, and stay in reach. */
const ABOVE_SECTIONS = { bottom: 68 }

const TOAST_COLOURS = {
  '--normal-bg': 'var(--raised)',
  '--normal-text': 'var(--ink)',
  '--normal-border': 'var(--line)',
  fontFamily: 'inherit',
} as CSSProperties

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
        <WorkspaceProvider splash={<Splash text="Looking for a backend…" />}>
          <Gate />
        </WorkspaceProvider>
      </ErrorBoundary>
      <Toaster
        theme={theme[0]}
        position="bottom-right"
        mobileOffset={ABOVE_SECTIONS}
        closeButton
        visibleToasts={4}
        style={TOAST_COLOURS}
      />
    </ThemeContext>
  )
}
