// Shown instead of the whole app when it failed to render, with a button that copies the error.
import { Button } from '../../widgets/button.tsx'
import { ErrorState } from '../../widgets/state.tsx'
import styles from './page.module.css'
import { notify } from './notify.ts'

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

/** Message and stack trace. */
export function CopyError({ error }: { readonly error: Error }) {
  const copy = () =>
    navigator.clipboard.writeText(error.stack ?? error.message).then(
      () => notify({ tone: 'ok', title: 'Copied' }),
      () => notify({ tone: 'fail', title: 'This page can’t access the clipboard', detail: error.message }),
    )
  return <Button onPress={() => void copy()}>Copy error details</Button>
}
