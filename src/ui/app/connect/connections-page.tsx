// The backends that this browser knows: switch, forget, add.
import { useTitle } from '../hooks.ts'
import { useWorkspace } from '../workspace.tsx'
import { PageHead } from '../shell/page.tsx'
import styles from './connect.module.css'
import { ConnectForm } from './connect-form.tsx'
import { SavedList } from './saved-list.tsx'

/** Sessions are kept per backend, so switching back finds you signed in. */
export function ConnectionsPage() {
  useTitle('Connections')
  const { otherHosts } = useWorkspace()
  return (
    <>
      <PageHead
        title="Connections"
        note="Kept in this browser: address and publishable key. Never a secret."
      />
      <div className={styles.body}>
        <SavedList />
        {otherHosts ? (
          <>
            <h2 className={styles.subtitle}>Another host</h2>
            <ConnectForm />
          </>
        ) : (
          <p className={styles.lead}>
            This Chartroom is for these hosts alone; whoever put it here chose them.
          </p>
        )}
      </div>
    </>
  )
}
