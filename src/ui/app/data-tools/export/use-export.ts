// Export state: started, tracked, and downloaded when complete.
import { useSelector } from '@xstate/react'
import {
  createRowExport,
  type RowExport,
  type RowExportState,
  rowExportState,
} from '../../../../services/workbench/jobs/index.ts'
import { useClient } from '../../../react/index.ts'
import { saveAs } from '../../../widgets/save-as.ts'
import { fetchOfUser } from '../../../../services/workbench/storage/index.ts'
import {
  createExportWriter,
  createPager,
  type ExportFormat,
  exportName,
  type ExportScope,
  inSmallerPages,
  type Row,
  rowsOfPage,
  scopeQuery,
  type TableInfo,
  type TableToolsProps,
} from '../../../../services/workbench/table/index.ts'
import { exactNumber, JSON_NUMBER, parseExact } from '../../../../services/workbench/text/index.ts'
import { workRecordings } from '../../work-recordings.ts'
import { useJob, useJobs, type ExportJob } from '../jobs.ts'

const saveFile = ({ writer, table, format }: Pick<ExportJob, 'writer' | 'table' | 'format'>, part?: number) =>
  saveAs(writer.file(), exportName(table, format, part))

/** The grid holds large numbers and JSON as text. */
const withValues = ({ columns, known }: TableInfo, row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const type = columns.find(column => column.name === name)?.type
      if (typeof value !== 'string') return [name, value]
      if (type === 'json' && known) return [name, parseExact(value)]
      const isNumber = (type === 'integer' || type === 'number') && JSON_NUMBER.test(value)
      return [name, isNumber ? exactNumber(value) : value]
    }),
  )

/** Downloads a complete export, even if its dialog is closed. */
const saveWhenDone = (running: ExportJob) => {
  running.job.actor.subscribe(({ value }) => {
    if (value === 'done') saveFile(running)
  })
}

const saveSoFar = (running: ExportJob) => {
  const { phase, read } = rowExportState(running.job.actor.getSnapshot())
  saveFile(running, phase === 'done' ? undefined : read)
}

export interface Exporting {
  /** The exported table. */
  readonly table: string | undefined
  readonly state: RowExportState | undefined
  /** Rows written concurrently may be missing or appear twice. */
  readonly hasCounted: boolean
  readonly start: (scope: ExportScope, format: ExportFormat) => void
  readonly job: RowExport | undefined
  /** Downloads the rows read so far; the file name shows when they are not all. */
  readonly save: () => void
  readonly reset: () => void
}

/** Continues when its dialog is closed. */
export function useExport({ query, info, total, isExact, selected }: TableToolsProps): Exporting {
  const client = useClient()
  const { exporting } = useJobs()
  const running = useJob(exporting)
  const state = useSelector(running?.job.actor, snapshot => snapshot && rowExportState(snapshot))
  const start = (scope: ExportScope, format: ExportFormat) => {
    const { table, filters } = query
    const wanted = scopeQuery(query, info, scope)
    const names = wanted.columns.length > 0 ? wanted.columns : info.columns.map(({ name }) => name)
    const writer = createExportWriter(format, names, info.columns)
    if (scope === 'selected') {
      writer.addRows(selected.map(row => withValues(info, row)))
      return saveFile({ writer, table, format })
    }
    const isCounted = isExact && (scope === 'matching' || filters.length === 0)
    const pager = createPager(wanted, info)
    const job = createRowExport({
      fetch: inSmallerPages(fetchOfUser(client), pager),
      page: pager.page,
      take: text => {
        const rows = rowsOfPage(text)
        writer.addRows(pager.take(rows))
        return rows.length
      },
      expected: isCounted ? (total ?? undefined) : undefined,
    })
    const next = { table, format, writer, job, hasCounted: pager.hasCounted }
    workRecordings(client).add(`Export of ${table}`, job)
    saveWhenDone(next)
    exporting.set(next)
  }
  return {
    table: running?.table,
    state,
    job: running?.job,
    hasCounted: running?.hasCounted() ?? false,
    save: () => running && saveSoFar(running),
    start,
    reset: () => exporting.set(undefined),
  }
}
