// The frame of the signed-in app; signed out it shows the sign-in page at the same address.
import { Outlet } from '@tanstack/react-router'
import { useStatus } from '../../react.ts'
import { AuthPage } from '../auth/auth-page.tsx'
import { TablesProvider } from '../data/tables.tsx'
import { useWorkspace } from '../workspace.tsx'
import { Banner } from './banner.tsx'
import { ConsoleDock } from './console-dock.tsx'
import { Nav } from './nav.tsx'
import styles from './shell.module.css'
import { Splash } from './splash.tsx'
import { TopBar } from './top-bar.tsx'
import { useConsoleToggle } from './use-console-toggle.ts'

function Work() {
  const phase = useStatus(status => status.session.phase)
  switch (phase) {
    case 'booting':
      return <Splash text="Reading your session…" />
    case 'signingOut':
      return <Splash text="Signing out…" />
    case 'disposed':
      return <Splash text="Closing the connection…" />
    case 'signedOut':
    case 'authenticating':
      return <AuthPage />
    case 'authenticated':
      return (
        <TablesProvider>
          <div className={styles.work}>
            <Nav />
            <main className={styles.main}>
              <Outlet />
            </main>
          </div>
        </TablesProvider>
      )
  }
}

/** Bar, banner, work and console. */
export function Shell() {
  const toggle = useConsoleToggle()
  const { active } = useWorkspace()
  return (
    <div className={styles.shell}>
      <TopBar consoleToggle={toggle} />
      <Banner host={active?.name ?? 'The backend'} />
      <ConsoleDock toggle={toggle}>
        <Work />
      </ConsoleDock>
    </div>
  )
}
