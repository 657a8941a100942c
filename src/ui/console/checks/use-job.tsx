// A job of the shown trace as React state, its progress once it takes long enough to notice, its error; and
// saving the trace.
import { CircleAlert } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { ProgressBar } from 'react-aria-components'
import { Button } from '../../widgets/button.tsx'
import { useNoticed } from '../../widgets/state.tsx'
import type { JobProgress, JobKind } from './jobs.ts'
import parts from '../canvas/parts.module.css'
import styles from './checks.module.css'
import { useConsole } from '../use-console.ts'
import { Job, type JobState, useJobState } from '../job.ts'
import type { Answered, RunJob } from './job-runner.ts'
import { saveAs } from '../../widgets/save-as.ts'
import { formatSize } from '../../../services/workbench/text/index.ts'

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
  readonly job: Pick<TraceJob<K>, 'state' | 'cancel'> & Partial<Pick<TraceJob<K>, 'stop'>>
  /** Said before the error. */
  readonly failed?: string
  /** The result in a few words, which is announced. */
  readonly done?: string | undefined
}

/** A job's progress while it runs, its error, and its result. `stop` ends it early with the result so far. */
export function JobStatus<K extends JobKind>({ doing, job, failed = '', done }: JobStatusProps<K>) {
  const { state, cancel, stop } = job
  return (
    <>
      <JobNews state={state} text={done} />
      {state.phase === 'failed' ? <JobFailure message={`${failed}${state.message}`} /> : null}
      {state.phase === 'going' ? (
        <JobLine doing={doing} progress={state.progress} onCancel={cancel} {...(stop && { onStop: stop })} />
      ) : null}
    </>
  )
}

interface JobNewsProps {
  readonly state: JobState<unknown>
  readonly text: string | undefined
  /** Whether it is visible, too. */
  readonly isShown?: boolean
}

/** Announces the result of a job: always in the page, because a region that is added with its text is not read. */
export function JobNews({ state: { phase }, text = '', isShown = false }: JobNewsProps) {
  return (
    <p role="status" aria-label="Result" className={isShown ? styles.faint : parts.unseen}>
      {phase === 'done' ? text : ''}
    </p>
  )
}

/** Scrolls to the result or the error of a job once it is over. */
export function JobResult({ of: { phase }, children }: JobResultProps) {
  const place = useRef<HTMLDivElement>(null)
  const before = useRef(phase)
  useEffect(() => {
    const isOver = before.current === 'going' && phase !== 'going' && phase !== 'canceled'
    before.current = phase
    const { current } = place
    if (!isOver || !current) return
    // The beginning of what is too long to be shown whole.
    const isLong = current.clientHeight > window.innerHeight / 4
    current.scrollIntoView({ block: isLong ? 'start' : 'nearest' })
  }, [phase])
  return (
    <div ref={place} className={styles.result}>
      {children}
    </div>
  )
}

interface JobResultProps {
  readonly of: JobState<unknown>
  readonly children: ReactNode
}

export function JobFailure({ message }: { readonly message: string }) {
  return (
    <p role="alert" className={styles.failure}>
      <CircleAlert size={14} aria-hidden /> {message}
    </p>
  )
}

export interface TraceJob<K extends JobKind> extends Pick<RunJob<K>, 'start' | 'stop' | 'cancel'> {
  readonly state: JobState<Answered<K>>
}

export function useJob<K extends JobKind>(kind: K): TraceJob<K> {
  const job = useConsole().checks.runner.of(kind)
  const { start, stop, cancel } = job
  return { state: useJobState(job), start, stop, cancel }
}

/** Saves the trace as a file; the result is its size in bytes. */
export function useTraceSave() {
  const { file } = useConsole().checks
  const [job] = useState(() => new Job<number>())
  const save = (name: string) =>
    job.run(async () => {
      const blob = await file()
      saveAs(blob, name)
      return blob.size
    })
  return { state: useJobState(job), save }
}

/** Status of the save. */
export function TraceSaveLine({ state }: { readonly state: JobState<number> }) {
  const text = state.phase === 'done' ? `Trace saved, ${formatSize(state.last)}` : undefined
  return (
    <JobResult of={state}>
      <JobNews state={state} text={text} isShown />
      {state.phase === 'going' ? <JobLine doing="Saving the trace" progress={{}} /> : null}
      {state.phase === 'failed' ? <JobFailure message={`The trace was not saved: ${state.message}`} /> : null}
    </JobResult>
  )
}
