// Starts an import: loads its code on demand and converts rows to JSON text.
import { useState } from 'react'
import { useClient } from '../../../react/index.ts'
import { fetchOfUser } from '../../../../services/workbench/storage/index.ts'
import type {
  ImportChoices,
  Mapping,
  ReadRows,
  Source,
  TableQuery,
} from '../../../../services/workbench/table/index.ts'
import { workRecordings } from '../../work-recordings.ts'
import { useJobs } from '../jobs.ts'

export interface StartImport {
  readonly query: Pick<TableQuery, 'schema' | 'table'>
  readonly keys: readonly string[]
  readonly source: Source
  readonly mapping: Mapping
  readonly choices: ImportChoices
  readonly read: ReadRows
}

/** Returns the start function, which reports whether it started, and the failure. */
export function useStartImport() {
  const client = useClient()
  const jobs = useJobs()
  const [failure, setFailure] = useState<string>()
  const start = async ({ query, keys, source, mapping, choices, read }: StartImport) => {
    setFailure(undefined)
    try {
      const { createRowImport } = await import('../../../../services/workbench/jobs/transfers.ts')
      const job = createRowImport({
        fetch: fetchOfUser(client),
        schema: query.schema,
        table: query.table,
        columns: mapping.filter(name => name !== null),
        rows: read.ready.map(({ values }) => JSON.stringify(values)),
        whole: choices.whole,
        onDuplicate: keys.length === 0 ? 'refuse' : choices.onDuplicate,
        keys,
      })
      workRecordings(client).add(`Import into ${query.table}`, job.attached)
      jobs.importing.set({ table: query.table, source, read, job })
      return true
    } catch {
      setFailure('The import code could not be loaded. Try again.')
      return false
    }
  }
  return [start, failure] as const
}
