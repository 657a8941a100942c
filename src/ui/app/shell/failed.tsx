// Shown instead of the whole app when it failed to render.
import { Button } from '../../widgets/button.tsx'
import { ErrorState } from '../../widgets/state.tsx'
import { CopyError } from './copy-error.tsx'
import styles from './page.module.css'

/** The whole app failed. */
export function AppFailed({ error }: { readonly error: Error }) {
  return (
    <ErrorState
      title="Chartroom failed to render"
      action={
        <span className={styles.ways}>
          <Button variant="primary" onPress={() => location.reload()}>
            Reload
          </Button>
          <CopyError error={error} />
        </span>
      }
    >
      This is a bug in Chartroom. Your data is not affected, and you stay signed in. ({error.message})
    </ErrorState>
  )
}
