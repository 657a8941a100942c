// The frame of all pages: sections, page, and notices after sign-in.
import { Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import type { ClientStatus } from '../../../services/client/index.ts'
import { useStatus } from '../../react/index.ts'
import { useSessionAnnouncements } from '../auth/use-session-announcements.ts'
import { TablesProvider } from '../data/tables.tsx'
import { lazyPart } from '../lazy-part.tsx'
import { Tour } from '../tour/tour.tsx'
import { PAGE_ID } from './skip-links.tsx'
import { Nav } from './nav.tsx'
import styles from './shell.module.css'

const RecoveryPage = lazyPart(
  'the new-password page',
  async () => (await import('../auth/recovery-page.tsx')).RecoveryPage,
)

const isRecovering = ({ session }: ClientStatus): boolean =>
  session.phase === 'authenticated' && session.recovery === 'active'

/** Rendered while a user is signed in. */
export function Work() {
  const [isLater, setLater] = useState(false)
  const isAsked = useStatus(isRecovering)
  // Reset, so that the next recovery asks again.
  if (!isAsked && isLater) setLater(false)
  useSessionAnnouncements()
  if (isAsked && !isLater) return <RecoveryPage onLater={() => setLater(true)} />
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
