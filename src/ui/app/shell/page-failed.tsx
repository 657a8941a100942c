// What stands in place of a page that failed while it was drawn: a fault of Chartroom itself.
import { Link, type ErrorComponentProps } from '@tanstack/react-router'
import { Button } from '../../widgets/button.tsx'
import { ErrorState } from '../../widgets/state.tsx'
import { CopyError } from './copy-error.tsx'
import styles from './page.module.css'

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** A page that failed; the bar, the other sections and the console go on. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  const known = asError(error)
  return (
    <ErrorState
      title="This page could not be shown"
      isPage
      action={
        <span className={styles.ways}>
          <Button variant="primary" onPress={reset}>
            Try again
          </Button>
          <CopyError error={known} />
        </span>
      }
    >
      The fault is Chartroom’s own; your data is not affected, and the console has what led here. (
      {known.message}) <Link to="/data">Go to your data</Link>.
    </ErrorState>
  )
}
