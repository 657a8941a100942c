// Describes the state of a file job (delete, move, copy).
import type { FileJobState } from '../jobs/create-file-job.ts'
import { formatCount, plural } from '../text/format.ts'

/** Disables input while the job runs; closing its dialog stops it. */
export const isBusy = ({ phase }: Pick<FileJobState, 'phase'>): boolean =>
  phase === 'working' || phase === 'canceling' || phase === 'backingOff' || phase === 'asking'

/** Whether it completed or was canceled. */
export const isJobOver = ({ phase }: Pick<FileJobState, 'phase'>): boolean =>
  phase === 'ended' || phase === 'done'

type Counts = Pick<FileJobState, 'total' | 'done' | 'skipped' | 'refused'>

/** Files that were not started, or whose result is unknown. */
export const leftOf = ({ total, done, skipped, refused }: Counts): number =>
  total - done - skipped - refused.length

/** The result in one line. */
export function endWords(verb: string, job: Counts): string {
  const { total, done, skipped, refused } = job
  if (done === total) return `${verb} ${plural(total, 'file')}`
  const left = leftOf(job)
  const rest = [
    ...(refused.length > 0 ? [`${plural(refused.length, 'was', 'were')} refused`] : []),
    ...(skipped > 0 ? [`${formatCount(skipped)} skipped`] : []),
    ...(left > 0 ? [`${formatCount(left)} not started`] : []),
  ]
  return `${verb} ${formatCount(done)} of ${plural(total, 'file')}; ${rest.join(', ')}`
}
