// Describes the progress of an import.
import type { OnDuplicate, RowImportState } from '../../jobs/create-row-import.ts'
import { formatCount, plural } from '../../text/format.ts'
import { csvHead, csvLines } from '../csv.ts'
import type { TableInfo } from '../schema.ts'
import type { Source, SourceRow } from './read-rows.ts'

/** Rows with a known result. */
export const settledRows = ({ written, skipped, refused, unknown }: RowImportState): number =>
  written + skipped + refused.length + unknown.reduce((sum, [from, to]) => sum + to - from, 0)

/** The results so far. */
export function sumOf(state: RowImportState, leftOut: number): string {
  const { written, skipped, refused, unknown } = state
  const doubt = unknown.reduce((sum, [from, to]) => sum + to - from, 0)
  return [
    `${formatCount(written)} written`,
    skipped > 0 && `${formatCount(skipped)} already existed`,
    refused.length > 0 && `${formatCount(refused.length)} failed`,
    doubt > 0 && `${formatCount(doubt)} unknown`,
    leftOut > 0 && `${formatCount(leftOut)} skipped (invalid)`,
  ]
    .filter(part => part !== false)
    .join(' · ')
}

type Progress = Pick<RowImportState, 'phase' | 'request' | 'failure' | 'sameFailures' | 'total' | 'written'>

/** The title of the progress bar. @param leftOut rows of the file that were not sent, as they are invalid */
export function formatPhase(state: Progress, leftOut: number): string {
  const { phase, request, failure, sameFailures, total, written } = state
  switch (phase) {
    case 'deciding':
    case 'sending':
      if (request === 'pause') return 'Pausing after the current rows…'
      return request === 'cancel' ? 'Canceling after the current rows…' : 'Importing'
    case 'backingOff':
      return 'Waiting to retry'
    case 'unconfirmed':
      return 'No response'
    case 'paused':
      return failure === undefined
        ? 'Paused'
        : sameFailures > 1
          ? `Paused: ${sameFailures} rows failed for the same reason`
          : 'Paused'
    case 'refused':
      return 'Nothing was imported'
    case 'canceled':
      return `Canceled: ${plural(written, 'row')} stay in the table`
    case 'done':
      if (written < total) return 'Done'
      return leftOut === 0
        ? `All ${plural(total, 'row')} imported`
        : `${formatCount(written)} of ${plural(total + leftOut, 'row')} imported`
  }
}

/** Why undo can't remove the rows of an import that has not started yet; undefined when it can. */
export const undoBlockOf = (
  { columns, rights }: Pick<TableInfo, 'columns' | 'rights'>,
  onDuplicate: OnDuplicate,
): string | undefined => {
  if (onDuplicate === 'update') return 'It may have updated rows that existed before.'
  if (!columns.some(({ isKey }) => isKey)) return 'The primary key of the table is unknown.'
  return rights.delete ? undefined : 'You may not delete rows of this table.'
}

/** Describes what undo of an ended import can't remove; undefined when it removes every added row. */
export const undoLimit = (
  block: string | undefined,
  { written, unreturned, unknown }: Pick<RowImportState, 'written' | 'unreturned' | 'unknown'>,
): string | undefined => {
  if (written === 0) return undefined
  if (block !== undefined) return `This import can’t be undone. ${block}`
  const doubt = unknown.reduce((sum, [from, to]) => sum + to - from, 0)
  const hidden = 'You may add rows to this table, but not read them.'
  if (unreturned >= written) return `This import can’t be undone. ${hidden}`
  const limits = [
    ...(unreturned > 0 ? [`Undo leaves ${plural(unreturned, 'row')} in the table. ${hidden}`] : []),
    ...(doubt > 0 ? [`Undo leaves the ${plural(doubt, 'row')} with an unknown result.`] : []),
  ]
  return limits.length === 0 ? undefined : limits.join(' ')
}

export interface FailedRow {
  readonly source: SourceRow
  readonly message: string
}

/** Added after the file's own columns. */
const REASON = 'import_error'

/** CSV for CSV input, JSON for JSON input. */
export function failedRowsFile({ kind, names }: Source, failed: readonly FailedRow[]): Blob {
  const rows = failed.map(({ source, message }) => ({
    ...Object.fromEntries(
      names.flatMap((name, at) => (source.cells[at] === undefined ? [] : [[name, source.cells[at]]])),
    ),
    [REASON]: message,
  }))
  if (kind === 'json')
    return new Blob([`[\n${rows.map(row => JSON.stringify(row)).join(',\n')}\n]\n`], {
      type: 'application/json',
    })
  const columns = [...names, REASON]
  return new Blob([csvHead(columns, 'exact'), csvLines(columns, rows, 'exact')], { type: 'text/csv' })
}
