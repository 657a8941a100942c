// An export as state: started, followed, and saved when it is whole.
import { useState, useSyncExternalStore } from 'react'
import type { RowExport, RowExportState } from '../../../../transfers.ts'
import { useClient } from '../../../react.ts'
import { saveAs } from '../../../widgets/save-as.ts'
import { fetchOfUser } from '../../by-client.ts'
import type { Row, TableInfo } from '../../data/schema.ts'
import type { TableToolsProps } from '../../data/table-query.ts'
import { exactNumber, JSON_NUMBER, parseExact } from '../exact-json.ts'
import { useJob, useJobs, type ExportJob } from '../jobs.ts'
import { createExportWriter, FORMATS, type ExportFormat } from './export-format.ts'
import { pageOf, scopeQuery, type ExportScope } from './export-scope.ts'

const NOTHING = { subscribe: () => () => undefined, state: () => undefined }

const fileName = (table: string, format: ExportFormat): string =>
  `${table.replace(/[^\p{L}\p{N}_-]+/gu, '-')}.${FORMATS.find(({ id }) => id === format)?.ending ?? 'txt'}`

const saveFile = ({ writer, table, format }: Omit<ExportJob, 'job'>) =>
  saveAs(writer.file(), fileName(table, format))

/** The grid has large numbers and JSON as texts. */
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

/** Whoever looks or not: what is whole is saved. */
const saveWhenDone = (running: ExportJob) => {
  const stop = running.job.subscribe(() => {
    if (running.job.state().phase !== 'done') return
    stop()
    saveFile(running)
  })
}

export interface Exporting {
  /** Of the table that is exported. */
  readonly table: string | undefined
  readonly state: RowExportState | undefined
  readonly failure: string | undefined
  readonly start: (scope: ExportScope, format: ExportFormat) => void
  readonly job: RowExport | undefined
  /** Saves what was read so far. */
  readonly save: () => void
  readonly reset: () => void
}

/** It goes on when its dialog is closed. */
export function useExport({ query, info, total, isExact, selected }: TableToolsProps): Exporting {
  const client = useClient()
  const { exporting } = useJobs()
  const running = useJob(exporting)
  const [failure, setFailure] = useState<string>()
  const { subscribe, state: read } = running?.job ?? NOTHING
  const state = useSyncExternalStore<RowExportState | undefined>(subscribe, read)
  const start = async (scope: ExportScope, format: ExportFormat) => {
    setFailure(undefined)
    const { table, filters } = query
    const wanted = scopeQuery(query, info, scope)
    const names = wanted.columns.length > 0 ? wanted.columns : info.columns.map(({ name }) => name)
    const writer = createExportWriter(format, names, info.columns)
    if (scope === 'selected') {
      writer.addRows(selected.map(row => withValues(info, row)))
      return saveFile({ writer, table, format })
    }
    const isCounted = isExact && (scope === 'matching' || filters.length === 0)
    try {
      const { createRowExport } = await import('../../../../transfers.ts')
      const job = createRowExport({
        fetch: fetchOfUser(client),
        page: from => pageOf(wanted, from),
        take: writer.take,
        expected: isCounted ? (total ?? undefined) : undefined,
      })
      const next = { table, format, writer, job }
      saveWhenDone(next)
      exporting.set(next)
    } catch {
      setFailure('What is needed to export could not be loaded. Try again.')
    }
  }
  return {
    table: running?.table,
    state,
    failure,
    job: running?.job,
    save: () => running && saveFile(running),
    start: (scope, format) => void start(scope, format),
    reset: () => exporting.set(undefined),
  }
}
