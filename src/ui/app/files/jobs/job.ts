// Work on many files (delete, move, copy) in words, as its machine has it.
import type { FileJobState } from '../../../../transfers.ts'
import { formatCount, plural } from '../../format.ts'

/** Nothing can be chosen meanwhile; closing its dialog stops it. */
export const isBusy = ({ phase }: Pick<FileJobState, 'phase'>): boolean =>
  phase === 'working' || phase === 'stopping' || phase === 'waiting' || phase === 'asking'

/** It came to its end, or was stopped. */
export const isOver = ({ phase }: Pick<FileJobState, 'phase'>): boolean =>
  phase === 'ended' || phase === 'done'

type Counts = Pick<FileJobState, 'total' | 'done' | 'skipped' | 'refused'>

/** Files that were not begun, or that nobody said anything about. */
export const leftOf = ({ total, done, skipped, refused }: Counts): number =>
  total - done - skipped - refused.length

/** How it ended, in one line. */
export function endWords(verb: string, job: Counts): string {
  const { total, done, skipped, refused } = job
  if (done === total) return `${verb} ${plural(total, 'file')}`
  const left = leftOf(job)
  const rest = [
    ...(refused.length > 0 ? [`${plural(refused.length, 'was', 'were')} refused`] : []),
    ...(skipped > 0 ? [`${formatCount(skipped)} skipped`] : []),
    ...(left > 0 ? [`${formatCount(left)} not begun`] : []),
  ]
  return `${verb} ${formatCount(done)} of ${plural(total, 'file')}; ${rest.join(', ')}`
}
