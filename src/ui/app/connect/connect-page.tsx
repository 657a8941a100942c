// The first page when nothing is connected: saved backends, and any other by address and key.
import { useTitle } from '../hooks.ts'
import { Brand } from '../shell/brand.tsx'
import { ThemeToggle } from '../shell/theme-toggle.tsx'
import { useUsable } from '../opening.ts'
import { useWorkspace } from '../workspace.tsx'
import form from '../shell/form.module.css'
import styles from './connect.module.css'
import { ConnectForm } from './connect-form.tsx'
import { SavedList } from './saved-list.tsx'

/** Shown instead of the app until a backend is chosen. */
export function ConnectPage() {
  const { connections, otherHosts } = useWorkspace()
  useTitle('Connect')
  useUsable()
  const hasSaved = connections.list.length > 0
  return (
    <div className={styles.page}>
      <header className={styles.pageBar}>
        <Brand />
        <ThemeToggle />
      </header>
      <main className={form.entry}>
        <div className={form.card}>
          <h1 className={form.title}>Connect to a backend</h1>
          <p className={styles.lead}>
            Any Supabase-compatible host: hosted, self-hosted or running on this machine. Chartroom talks to
            it from this browser alone.
          </p>
          {hasSaved ? <SavedList /> : null}
          {otherHosts && hasSaved ? <h2 className={styles.subtitle}>Another host</h2> : null}
          {otherHosts ? <ConnectForm /> : null}
        </div>
      </main>
    </div>
  )
}
