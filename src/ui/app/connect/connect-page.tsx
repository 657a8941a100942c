// First page without a connection: saved backends, and a form for another one.
import { useTitle } from '../hooks.ts'
import { Brand } from '../shell/brand.tsx'
import { ThemeToggle } from '../shell/theme-toggle.tsx'
import { useUsable } from '../app-startup.ts'
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
            Any Supabase-compatible backend: hosted, self-hosted or local. Chartroom connects to it directly
            from this browser.
          </p>
          {hasSaved ? <SavedList /> : null}
          {otherHosts && hasSaved ? <h2 className={styles.subtitle}>Another backend</h2> : null}
          {otherHosts ? <ConnectForm /> : null}
        </div>
      </main>
    </div>
  )
}
