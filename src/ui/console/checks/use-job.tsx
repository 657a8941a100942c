// A job of the shown trace as React state, its progress once it takes long enough to notice, its error; and
// saving the trace.
import { CircleAlert } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { ProgressBar } from 'react-aria-components'
import { Button } from '../../widgets/button.tsx'
import type { JobProgress, JobKind } from './jobs.ts'
import styles from './checks.module.css'
import { useChecksContext } from './checks-context.ts'
import type { RunJob, JobState } from './job-runner.ts'
import { saveAs } from '../../widgets/save-as.ts'
import { messageOf } from '../text.ts'
import { formatSize } from '../../../machines/index.ts'

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

export interface Job<K extends JobKind> extends Pick<RunJob<K>, 'start' | 'stop' | 'cancel'> {
  readonly state: JobState<K>
}

export function useJob<K extends JobKind>(kind: K): Job<K> {
  const runner = useChecksContext().runner.of(kind)
  const state = useSyncExternalStore(runner.subscribe, runner.state, runner.state)
  const { start, stop, cancel } = runner
  return { state, start, stop, cancel }
}

type SaveState =
  | { readonly phase: 'none' | 'going' }
  | { readonly phase: 'saved'; readonly bytes: number }
  | { readonly phase: 'failed'; readonly message: string }

interface TraceSave {
  readonly state: SaveState
  readonly save: (name: string) => void
}

export function useTraceSave(): TraceSave {
  const { file } = useChecksContext()
  const [state, setState] = useState<SaveState>({ phase: 'none' })
  const save = (name: string) => {
    setState({ phase: 'going' })
    file().then(
      blob => {
        saveAs(blob, name)
        setState({ phase: 'saved', bytes: blob.size })
      },
      (error: unknown) => setState({ phase: 'failed', message: messageOf(error) }),
    )
  }
  return { state, save }
}

/** Status of the save. */
export function TraceSaveLine({ state }: { readonly state: SaveState }) {
  if (state.phase === 'going') return <JobLine doing="Saving the trace" progress={{}} />
  if (state.phase === 'failed') return <JobFailure message={`The trace was not saved: ${state.message}`} />
  return (
    <span role="status" className={styles.faint}>
      {state.phase === 'saved' ? `Trace saved, ${formatSize(state.bytes)}` : ''}
    </span>
  )
}
