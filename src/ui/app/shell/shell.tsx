// The frame of the signed-in app; signed out it shows the sign-in page at the same address.
import { Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import type { ClientStatus } from '../../../index.ts'
import { useStatus } from '../../react.ts'
import { useSessionNews } from '../auth/use-session-news.ts'
import { TablesProvider } from '../data/tables.tsx'
import { lazyPart } from '../lazy-part.tsx'
import { Tour } from '../tour/tour.tsx'
import { useWorkspace } from '../workspace.tsx'
import { Banner } from './banner.tsx'
import { PAGE_ID, PageNews, SkipLink } from './by-ear-and-key.tsx'
import { ConsoleDock } from './console-dock.tsx'
import { Nav } from './nav.tsx'
import styles from './shell.module.css'
import { Splash } from './splash.tsx'
import { TopBar } from './top-bar.tsx'
import { useConsoleToggle } from './use-console-toggle.ts'
import { useShellCommands } from './use-shell-commands.ts'

/** Whoever is signed in already needs neither. */
const AuthPage = lazyPart('the page to sign in', async () => (await import('../auth/auth-page.tsx')).AuthPage)
const RecoveryPage = lazyPart(
  'the page for a new password',
  async () => (await import('../auth/recovery-page.tsx')).RecoveryPage,
)

const isRecovering = ({ session }: ClientStatus): boolean =>
  session.phase === 'authenticated' && session.recovery === 'active'

function Work() {
  const phase = useStatus(status => status.session.phase)
  const [isLater, setLater] = useState(false)
  const isAsked = useStatus(isRecovering)
  // The next recovery asks again.
  if (!isAsked && isLater) setLater(false)
  const isRecovery = isAsked && !isLater
  useSessionNews()
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
      if (isRecovery) return <RecoveryPage onLater={() => setLater(true)} />
      return (
        <TablesProvider>
          <div className={styles.work}>
            <Nav />
            <Tour />
            <div id={PAGE_ID} tabIndex={-1} className={styles.page}>
              <Outlet />
            </div>
          </div>
        </TablesProvider>
      )
  }
}

/** Bar, banner, work and console. */
export function Shell() {
  const toggle = useConsoleToggle()
  const { active } = useWorkspace()
  const isIn = useStatus(({ session }) => session.phase === 'authenticated')
  useShellCommands(toggle)
  return (
    <div className={styles.shell}>
      {isIn ? <SkipLink /> : null}
      <TopBar consoleToggle={toggle} />
      <PageNews />
      <Banner host={active?.name ?? 'The backend'} />
      {/* The console belongs to the main content: it shows the same work from another side. */}
      <main className={styles.main}>
        <ConsoleDock toggle={toggle}>
          <Work />
        </ConsoleDock>
      </main>
    </div>
  )
}
