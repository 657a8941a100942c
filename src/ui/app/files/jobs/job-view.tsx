// Progress of a file job, with blocking problems and refused files.
import { Progress } from '../../../widgets/progress.tsx'
import { Button } from '../../../widgets/button.tsx'
import type {
  FileJob,
  FileJobState,
  JobEvent,
  RefusedFile,
  ConflictAnswer,
} from '../../../../services/workbench/jobs/index.ts'
import { formatCount, plural } from '../../../../services/workbench/text/index.ts'
import { Notice } from '../../shell/page.tsx'
import styles from '../files.module.css'
import { isJobOver, leftOf, nameOf, isBusy } from '../../../../services/workbench/files/index.ts'
import upload from '../uploads/uploads.module.css'
import type { ReactNode } from 'react'
import { DialogActions } from '../../../widgets/dialog.tsx'

const ANSWERS: readonly (readonly [ConflictAnswer, string])[] = [
  ['replace', 'Replace'],
  ['keepBoth', 'Keep both'],
  ['skip', 'Skip'],
]

interface NameConflictDialogProps {
  readonly job: FileJobState
  readonly onAnswer: (answer: ConflictAnswer, all: boolean) => void
}

interface AnswersProps {
  readonly label: string
  readonly suffix?: string
  readonly onAnswer: (answer: ConflictAnswer) => void
}

/** Asks what to do with existing files, one by one or all at once. */
function Answers({ label, suffix = '', onAnswer }: AnswersProps) {
  return (
    <span className={upload.answers} role="group" aria-label={label}>
      {ANSWERS.map(([answer, title]) => (
        <Button key={answer} size="s" onPress={() => onAnswer(answer)}>
          {title}
          {suffix}
        </Button>
      ))}
    </span>
  )
}

/** Asked last, when all other files are done. */
function NameConflictDialog({ job, onAnswer }: NameConflictDialogProps) {
  const [first] = job.conflicts
  if (first === undefined) return null
  const name = nameOf(first.target)
  return (
    <Notice>
      <span>
        The file <code title={first.target}>{name}</code> already exists. Replacing deletes the existing file.
      </span>
      <Answers label={`${name} already exists`} onAnswer={answer => onAnswer(answer, false)} />
      {job.conflicts.length < 2 ? null : (
        <>
          <span>{plural(job.conflicts.length, 'file')} already exist in total.</span>
          <Answers label="All existing files" suffix=" all" onAnswer={answer => onAnswer(answer, true)} />
        </>
      )}
    </Notice>
  )
}

const SHOWN = 50

export interface JobProgressProps {
  readonly job: FileJobState
  readonly verb: string
  readonly send: (event: JobEvent<FileJob>) => void
}

function Refusals({ refused, isAll }: { readonly refused: readonly RefusedFile[]; readonly isAll: boolean }) {
  if (refused.length === 0) return null
  return (
    <Notice tone="fail">
      <span>
        {plural(refused.length, 'file was', 'files were')} refused
        {isAll ? '; the rest is done.' : '.'}
      </span>
      <ul className={styles.failures}>
        {refused.slice(0, SHOWN).map(({ path, message }) => (
          <li key={path}>
            <code>{path}</code> {message}
          </li>
        ))}
        {refused.length > SHOWN ? <li>and {formatCount(refused.length - SHOWN)} more</li> : null}
      </ul>
    </Notice>
  )
}

/** The job's progress while it runs, and its refusals at the end. */
export function JobProgress({ job, verb, send }: JobProgressProps) {
  const { phase, total, done, skipped, refused, failure } = job
  if (phase === 'counting')
    return (
      <output className={styles.faint}>
        {job.found === 0 ? 'Counting…' : `Counting… ${plural(job.found, 'file')} so far`}
      </output>
    )
  if (phase === 'uncounted') return <Notice tone="fail">Could not read the folder. {failure?.message}</Notice>
  if (phase === 'ready') return null
  const over = done + skipped + refused.length
  const tone = phase === 'backingOff' ? 'waiting' : phase === 'asking' ? 'held' : 'going'
  return (
    <>
      {isJobOver(job) ? null : (
        <Progress
          label={verb}
          share={total === 0 ? 1 : over / total}
          text={`${formatCount(over)} of ${plural(total, 'file')}`}
          tone={tone}
        />
      )}
      {phase === 'backingOff' && failure ? (
        <Notice>
          {failure.message} Retrying automatically.{' '}
          <Button size="s" onPress={() => send({ type: 'job.resume' })}>
            Retry now
          </Button>
        </Notice>
      ) : null}
      {phase === 'asking' ? (
        <NameConflictDialog job={job} onAnswer={(answer, all) => send({ type: 'job.answer', answer, all })} />
      ) : null}
      {phase === 'ended' && failure ? <Notice tone="fail">{failure.message}</Notice> : null}
      <Refusals refused={refused} isAll={isJobOver(job) && leftOf(job) === 0} />
    </>
  )
}

interface JobActionsProps {
  readonly job: FileJobState
  readonly send: (event: JobEvent<FileJob>) => void
  readonly onClose: () => void
  /** Label of the button that closes without changes. */
  readonly keep: string
  /** The start button; hidden after the end and while a question is open. */
  readonly children: ReactNode
}

export function JobActions({ job, send, onClose, keep, children }: JobActionsProps) {
  const { phase, refused } = job
  return (
    <DialogActions>
      {isBusy(job) ? (
        <Button isDisabled={phase === 'canceling'} onPress={() => send({ type: 'job.cancel' })}>
          Stop
        </Button>
      ) : (
        <Button onPress={onClose}>{isJobOver(job) ? 'Close' : keep}</Button>
      )}
      {phase === 'uncounted' ? (
        <Button onPress={() => send({ type: 'job.recount' })}>Try again</Button>
      ) : null}
      {phase === 'ended' ? (
        <Button onPress={() => send({ type: 'job.retry' })}>
          {refused.length > 0 ? 'Try again' : 'Resume'}
        </Button>
      ) : null}
      {isJobOver(job) || phase === 'asking' ? null : children}
    </DialogActions>
  )
}
