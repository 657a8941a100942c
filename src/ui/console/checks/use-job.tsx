// A job of the shown trace as React state, its progress once it takes long enough to notice, its error; and
// saving the trace.
import { CircleAlert } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { ProgressBar } from 'react-aria-components'
import { Button } from '../../widgets/button.tsx'
import { useNoticed } from '../../widgets/state.tsx'
import type { JobProgress, JobKind } from './jobs.ts'
import styles from './checks.module.css'
import { useConsole } from '../use-console.ts'
import type { RunJob, JobState } from './job-runner.ts'
import { saveAs } from '../../widgets/save-as.ts'
import { messageOf } from '../text.ts'
import { formatSize } from '../../../machines/index.ts'

export interface JobLineProps {
  readonly doing: string
  readonly progress: JobProgress
  readonly onCancel?: () => void
  /** Ends the job early with the result so far. */
  readonly onStop?: () => void
}

export function JobLine({ doing, progress, onCancel, onStop }: JobLineProps) {
  if (!useNoticed()) return null
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

export interface JobStatusProps<K extends JobKind> {
  readonly doing: string
  readonly job: Pick<Job<K>, 'state' | 'cancel'> & Partial<Pick<Job<K>, 'stop'>>
  /** Said before the error. */
  readonly failed?: string
}

/** A job's progress while it runs, and its error. `stop` ends it early with the result so far. */
export function JobStatus<K extends JobKind>({ doing, job, failed = '' }: JobStatusProps<K>) {
  const { state, cancel, stop } = job
  if (state.phase === 'failed') return <JobFailure message={`${failed}${state.message}`} />
  if (state.phase !== 'going') return null
  return <JobLine doing={doing} progress={state.progress} onCancel={cancel} {...(stop && { onStop: stop })} />
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
  const runner = useConsole().checks.runner.of(kind)
  const state = useSyncExternalStore(runner.subscribe, runner.state, runner.state)
  const { start, stop, cancel } = runner
  return { state, start, stop, cancel }
}

type SaveState =
  | { readonly phase: 'none' | 'going' }
  | { readonly phase: 'saved'; readonly bytes: number }
  | { readonly phase: 'failed'; readonly message: string }

export function useTraceSave() {
  const { file } = useConsole().checks
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
