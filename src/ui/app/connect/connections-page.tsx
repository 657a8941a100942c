// The Connections page: switch, remove and add backends.
import { useTitle } from '../hooks.ts'
import { useWorkspace } from '../workspace.tsx'
import { PageHead } from '../shell/page.tsx'
import styles from './connect.module.css'
import { ConnectForm } from './connect-form.tsx'
import { SavedList } from './saved-list.tsx'

/** Sessions are stored per backend, so they are still there after switching back. */
export function ConnectionsPage() {
  useTitle('Connections')
  const { otherHosts } = useWorkspace()
  return (
    <>
      <PageHead title="Connections" note="Stored in this browser: URL and publishable key, never a secret." />
      <div className={styles.body}>
        <SavedList />
        {otherHosts ? (
          <>
            <h2 className={styles.subtitle}>Another backend</h2>
            <ConnectForm />
          </>
        ) : (
          <p className={styles.lead}>This deployment of Chartroom only allows these backends.</p>
        )}
      </div>
    </>
  )
}
