// How far work on many files is, and what was refused.
import { ProgressBar } from 'react-aria-components'
import { cx } from '../../widgets/cx.ts'
import { Notice } from '../shell/page.tsx'
import { countOf, type Job } from './job.ts'
import styles from './files.module.css'
import upload from './uploads.module.css'

const SHOWN = 50

/** What a dialog shows of the work while it runs and when it ended with refusals. */
export function JobProgress({ job, verb }: { readonly job: Job; readonly verb: string }) {
  if (job.phase === 'counting')
    return (
      <output className={styles.faint}>
        {job.found === 0 ? 'Counting…' : `Counting… ${countOf(job.found, 'file')} so far`}
      </output>
    )
  if (job.phase === 'uncounted')
    return <Notice tone="fail">The folder could not be read. {job.message}</Notice>
  if (job.phase === 'ready') return null
  const { total, done, failures } = job
  return (
    <>
      {job.phase === 'ended' ? null : (
        <div className={styles.jobLine}>
          <ProgressBar
            aria-label={verb}
            value={total === 0 ? 100 : ((done + failures.length) / total) * 100}
            className={cx(upload.bar, styles.jobBar)}
          >
            {({ percentage }) => <span className={upload.fill} style={{ width: `${percentage ?? 0}%` }} />}
          </ProgressBar>
          <span>
            {(done + failures.length).toLocaleString('en')} of {total.toLocaleString('en')}
          </span>
        </div>
      )}
      {failures.length === 0 ? null : (
        <Notice tone="fail">
          <span>
            {countOf(failures.length, 'file was', 'files were')} refused
            {job.phase === 'ended' ? '; the rest is done.' : '.'}
          </span>
          <ul className={styles.failures}>
            {failures.slice(0, SHOWN).map(({ path, message }) => (
              <li key={path}>
                <code>{path}</code> {message}
              </li>
            ))}
            {failures.length > SHOWN ? <li>and {failures.length - SHOWN} more</li> : null}
          </ul>
        </Notice>
      )}
    </>
  )
}
