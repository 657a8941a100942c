// The frame of all pages: sections, page, and notices after sign-in.
import { Outlet } from '@tanstack/react-router'
import { useSessionAnnouncements } from '../auth/use-session-announcements.ts'
import { TablesProvider } from '../data/tables.tsx'
import { Tour } from '../tour/tour.tsx'
import { PAGE_ID } from './skip-links.tsx'
import { Nav } from './nav.tsx'
import styles from './shell.module.css'

/** Rendered while a user is signed in. */
export function Work() {
  useSessionAnnouncements()
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
