// Progress of a file job, with blocking problems and refused files.
import { Progress } from '../../../widgets/progress.tsx'
import { Button } from '../../../widgets/button.tsx'
import type { FileJob, FileJobState, RefusedFile } from '../../../../services/workbench/jobs/index.ts'
import { formatCount, plural } from '../../../../services/workbench/text/index.ts'
import { Notice } from '../../shell/page.tsx'
import styles from '../files.module.css'
import { isJobOver, leftOf } from '../../../../services/workbench/files/index.ts'
import { NameConflictDialog } from './name-conflict-dialog.tsx'

const SHOWN = 50

export interface JobProgressProps {
  readonly job: FileJobState
  readonly verb: string
  readonly send: FileJob['send']
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
