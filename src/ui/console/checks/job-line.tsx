// Shows a job's progress once it takes long enough to notice, and its error.
import { CircleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ProgressBar } from 'react-aria-components'
import { Button } from '../../widgets/button.tsx'
import type { JobProgress } from './jobs.ts'
import styles from './checks.module.css'

/** Shorter work shows no progress. */
const NOTICED_MS = 300

export interface JobLineProps {
  readonly doing: string
  readonly progress: JobProgress
  readonly onCancel?: () => void
  /** Ends the job early with the result so far. */
  readonly onStop?: () => void
}

export function JobLine({ doing, progress, onCancel, onStop }: JobLineProps) {
  const [isShown, show] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => show(true), NOTICED_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!isShown) return null
  const { share, words } = progress
  const percent = share === undefined ? {} : { value: Math.round(share * 100) }
  return (
    <div className={styles.job}>
      <ProgressBar
        {...percent}
        isIndeterminate={share === undefined}
        aria-label={doing}
        className={styles.meter ?? ''}
      >
        <span className={styles.track}>
          <span
            className={styles.fill}
            data-endless={share === undefined || undefined}
            style={share === undefined ? undefined : { width: `${share * 100}%` }}
          />
        </span>
      </ProgressBar>
      <span role="status" className={styles.faint}>
        {doing}
        {words === undefined ? '' : ` · ${words}`}
      </span>
      {onStop ? (
        <Button size="s" variant="quiet" onPress={onStop}>
          Stop here
        </Button>
      ) : null}
      {onCancel ? (
        <Button size="s" variant="quiet" onPress={onCancel}>
          Cancel
        </Button>
      ) : null}
    </div>
  )
}

export function JobFailure({ message }: { readonly message: string }) {
  return (
    <p role="alert" className={styles.failure}>
      <CircleAlert size={14} aria-hidden /> {message}
    </p>
  )
}
