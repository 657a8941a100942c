// The Connections page: switch, remove and add backends.
import { useEffect, useId } from 'react'
import { useClient } from '../../react/index.ts'
import { useTitle } from '../hooks.ts'
import { useBackendTrouble } from '../shell/use-backend-trouble.ts'
import { useWorkspace } from '../workspace.tsx'
import { cx } from '../../widgets/cx.ts'
import { PageHead } from '../shell/page.tsx'
import styles from './connect.module.css'
import { ConnectForm } from './connect-form.tsx'
import { SavedList } from './saved-list.tsx'

/** Sessions are stored per backend, so they are still there after switching back. */
export function ConnectionsPage() {
  useTitle('Connections')
  const { otherHosts } = useWorkspace()
  const title = useId()
  const client = useClient()
  // The page itself asks nothing that could be refused.
  useEffect(() => client.checkKey(), [client])
  const isKeyRejected = useBackendTrouble()?.fault === 'keyRejected'
  return (
    <>
      <PageHead title="Connections" note="Stored in this browser: URL and publishable key, never a secret." />
      <div className={cx(styles.body, otherHosts && styles.columns)}>
        <SavedList isKeyRejected={isKeyRejected} />
        {otherHosts ? (
          <section className={styles.other} aria-labelledby={title}>
            <h2 id={title} className={styles.subtitle}>
              Another backend
            </h2>
            <ConnectForm />
          </section>
        ) : (
          <p className={styles.lead}>This deployment of Chartroom only allows these backends.</p>
        )}
      </div>
    </>
  )
}
