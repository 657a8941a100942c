// The workbench: providers, and the switch between the connect page and a connected client.
import { useMemo, useState, useSyncExternalStore } from 'react'
import { ErrorBoundary } from '../widgets/error-boundary.tsx'
import { AppCommands } from './commands/app-commands.tsx'
import { lazyPart } from './lazy-part.tsx'
import { AppStartupContext, useIsQuiet, useNewAppStartup } from './app-startup.ts'
import { AppFailed } from './shell/failed.tsx'
import { hasNotices, onNotices } from './shell/notices-asked.ts'
import { Splash } from './shell/splash.tsx'
import { setTheme, useAppliedTheme, useTheme, type Theme } from './theme.ts'
import { wasSignedIn } from './was-signed-in.ts'
import { useWorkspace, WorkspaceProvider } from './workspace.tsx'
import type { AppCommand } from './commands/app-command.ts'
import { useAppCommands } from './commands/use-app-commands.ts'

/** Split into chunks: the first view stays small, and the rest loads while the workspace starts. */
const parts = {
  connected: async () => (await import('./connected.tsx')).Connected,
  connect: async () => (await import('./connect/connect-page.tsx')).ConnectPage,
  notices: async () => (await import('./shell/toasts.tsx')).Toasts,
  signedIn: async () => (await import('./shell/load-signed-in.ts')).loadSignedIn(),
  signedOut: () => import('./auth/auth-page.tsx'),
}
const Connected = lazyPart('the app', parts.connected, { whileLoading: <Splash text="Loading…" /> })
const ConnectPage = lazyPart('the connect page', parts.connect)
const Toasts = lazyPart('notices', parts.notices, { whileLoading: null })
/** Preload for the likely start view. The component that shows a part retries if its code fails to load. */
for (const load of [parts.connected, wasSignedIn(location.search) ? parts.signedIn : parts.signedOut])
  void load().catch(() => undefined)

function Gate() {
  const { active } = useWorkspace()
  const [first] = useState(active?.id)
  if (active === undefined) return <ConnectPage />
  return <Connected key={active.id} connection={active} isFirst={active.id === first} />
}

/** Root component of the app. */
export function App() {
  const theme = useAppliedTheme()
  const opening = useNewAppStartup()
  const isQuiet = useIsQuiet(opening)
  const isTelling = useSyncExternalStore(onNotices, hasNotices)
  return (
    <AppStartupContext value={opening}>
      <ErrorBoundary fallback={AppFailed}>
        <AppCommands>
          <ThemeCommands />
          <WorkspaceProvider splash={<Splash text="Looking for a backend…" />}>
            <Gate />
          </WorkspaceProvider>
        </AppCommands>
      </ErrorBoundary>
      {isQuiet || isTelling ? <Toasts theme={theme} /> : null}
    </AppStartupContext>
  )
}

const TITLES: Readonly<Record<Theme, string>> = {
  system: 'Theme: system',
  light: 'Theme: light',
  dark: 'Theme: dark',
}

/** Registers a command for each theme; the current one is disabled. */
function ThemeCommands() {
  const theme = useTheme()
  const commands = useMemo<readonly AppCommand[]>(
    () =>
      (['system', 'light', 'dark'] as const).map(each => ({
        id: `theme.${each}`,
        title: TITLES[each],
        section: 'View',
        words: 'colors appearance mode',
        ...(each === theme && { disabled: 'current' }),
        run: () => setTheme(each),
      })),
    [theme],
  )
  useAppCommands(commands)
  return null
}
