// Shown instead of a page that failed to render because of a bug in Chartroom.
import { Link, type ErrorComponentProps } from '@tanstack/react-router'
import { Button } from '../../widgets/button.tsx'
import { ErrorState } from '../../widgets/state.tsx'
import { CopyError } from './copy-error.tsx'
import styles from './page.module.css'

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** A page failed; the bar, the other sections and the console keep working. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  const known = asError(error)
  return (
    <ErrorState
      title="This page failed to render"
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
