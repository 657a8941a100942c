// Failed rows as a file: the original columns plus the reason, so that the user can fix and import it.
import { csvHead, csvLines } from '../csv/csv-writer.ts'
import type { Source, SourceRow } from './import-types.ts'

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
