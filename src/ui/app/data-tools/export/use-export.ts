// An export as state: started, followed, and saved when it is whole.
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { RowExport, RowExportState } from '../../../../transfers.ts'
import { useClient } from '../../../react.ts'
import { saveAs } from '../../../widgets/save-as.ts'
import type { TableToolsProps } from '../../data/table-query.ts'
import { createExportWriter, FORMATS, type ExportFormat, type ExportWriter } from './export-format.ts'
import { pageOf, scopeQuery, type ExportScope } from './export-scope.ts'

interface Running {
  readonly job: RowExport
  readonly writer: ExportWriter
  readonly format: ExportFormat
}

const NOTHING = { subscribe: () => () => undefined, state: () => undefined }

const fileName = (table: string, format: ExportFormat): string =>
  `${table.replace(/[^\p{L}\p{N}_-]+/gu, '-')}.${FORMATS.find(({ id }) => id === format)?.ending ?? 'txt'}`

export interface Exporting {
  readonly state: RowExportState | undefined
  readonly failure: string | undefined
  readonly start: (scope: ExportScope, format: ExportFormat) => void
  readonly job: RowExport | undefined
  /** Saves what was read so far. */
  readonly save: () => void
  readonly reset: () => void
}

/** Ends with the component: nothing would be there to save it. */
export function useExport({ query, info, total, isExact, selected }: TableToolsProps): Exporting {
  const client = useClient()
  const [running, setRunning] = useState<Running>()
  const [failure, setFailure] = useState<string>()
  const latest = useRef(running)
  const { subscribe, state: read } = running?.job ?? NOTHING
  const state = useSyncExternalStore<RowExportState | undefined>(subscribe, read)
  const follow = (next: Running | undefined) => {
    latest.current?.job.stop()
    latest.current = next
    setRunning(next)
  }
  useEffect(() => () => latest.current?.job.stop(), [])
  const { table } = query
  const save = useCallback(() => {
    const now = latest.current
    if (now) saveAs(now.writer.file(), fileName(table, now.format))
  }, [table])
  const isDone = state?.phase === 'done'
  useEffect(() => {
    if (isDone) save()
  }, [isDone, save])
  const start = async (scope: ExportScope, format: ExportFormat) => {
    setFailure(undefined)
    const wanted = scopeQuery(query, info, scope)
    const names = wanted.columns.length > 0 ? wanted.columns : info.columns.map(({ name }) => name)
    const writer = createExportWriter(format, names)
    if (scope === 'selected') {
      writer.addRows(selected)
      saveAs(writer.file(), fileName(table, format))
      return
    }
    try {
      const { createRowExport } = await import('../../../../transfers.ts')
      const job = createRowExport({
        fetch: client.fetch,
        page: from => pageOf(wanted, from),
        take: writer.take,
        expected:
          (scope === 'matching' || query.filters.length === 0) && isExact ? (total ?? undefined) : undefined,
      })
      follow({ job, writer, format })
    } catch {
      setFailure('What is needed to export could not be loaded. Try again.')
    }
  }
  return {
    state,
    failure,
    job: running?.job,
    save,
    start: (scope, format) => void start(scope, format),
    reset: () => follow(undefined),
  }
}
