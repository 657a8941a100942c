// Where an import is, in words.
import type { RowImportState } from '../../../../transfers.ts'
import { formatCount, plural } from '../../format.ts'

/** Rows of which the fate is known. */
export const settledRows = ({ written, skipped, refused, unknown }: RowImportState): number =>
  written + skipped + refused.length + unknown.reduce((sum, [from, to]) => sum + to - from, 0)

/** What has come of it so far. */
export function sumOf(state: RowImportState, leftOut: number): string {
  const { written, skipped, refused, unknown } = state
  const doubt = unknown.reduce((sum, [from, to]) => sum + to - from, 0)
  return [
    `${formatCount(written)} written`,
    skipped > 0 && `${formatCount(skipped)} there already`,
    refused.length > 0 && `${formatCount(refused.length)} refused`,
    doubt > 0 && `${formatCount(doubt)} unknown`,
    leftOut > 0 && `${formatCount(leftOut)} left out from the start`,
  ]
    .filter(part => part !== false)
    .join(' · ')
}

/** The title of the bar. */
export function phaseWords({ phase, wish, failure, alike, total, written }: RowImportState): string {
  switch (phase) {
    case 'choosing':
    case 'sending':
      if (wish === 'pause') return 'Pausing after the rows that are under way…'
      return wish === 'cancel' ? 'Ending after the rows that are under way…' : 'Importing'
    case 'waiting':
      return 'Waiting to try again'
    case 'doubtful':
      return 'No answer came'
    case 'paused':
      return failure === undefined
        ? 'Paused'
        : alike > 1
          ? `Paused: ${alike} rows were refused for one reason`
          : 'Paused'
    case 'refused':
      return 'Nothing was imported'
    case 'cancelled':
      return `Ended by you: ${plural(written, 'row')} stay in the table`
    case 'done':
      return written === total ? `All ${plural(total, 'row')} are in the table` : 'Done'
  }
}
