// What stands in place of the whole app when it failed while it was drawn.
import { Button } from '../../widgets/button.tsx'
import { ErrorState } from '../../widgets/state.tsx'
import { CopyError } from './copy-error.tsx'
import styles from './page.module.css'

/** The whole app failed. */
export function AppFailed({ error }: { readonly error: Error }) {
  return (
    <ErrorState
      title="Chartroom could not be shown"
      action={
        <span className={styles.ways}>
          <Button variant="primary" onPress={() => location.reload()}>
            Reload
          </Button>
          <CopyError error={error} />
        </span>
      }
    >
      The fault is Chartroom’s own; your data is not affected, and you stay signed in. ({error.message})
    </ErrorState>
  )
}
