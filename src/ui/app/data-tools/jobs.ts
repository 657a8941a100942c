// The import and the export of a user: they go on while other pages are looked at, and end with the client.
import { useSyncExternalStore } from 'react'
import type { RowExport, RowImport } from '../../../transfers.ts'
import { useClient, useStatus } from '../../react.ts'
import { keepByClient, userIn } from '../by-client.ts'
import type { ExportFormat, ExportWriter } from './export/export-format.ts'
import type { ReadRows, Source } from './import/import-types.ts'
import { Listeners } from '../listeners.ts'

/** An import that runs or ran, with what its rows were made of. */
export interface ImportJob {
  readonly table: string
  readonly source: Source
  readonly read: ReadRows
  readonly job: RowImport
}

/** An export that runs or ran, with what it has read. */
export interface ExportJob {
  readonly table: string
  readonly format: ExportFormat
  readonly writer: ExportWriter
  /** Whether pages were found by counting rows. */
  readonly hasCounted: () => boolean
  readonly job: RowExport
}

/** One job at a time; one that takes its place ends it. */
export interface Slot<Job> {
  readonly current: () => Job | undefined
  readonly set: (job: Job | undefined) => void
  readonly subscribe: (listener: () => void) => () => void
}

interface Jobs {
  readonly importing: Slot<ImportJob>
  readonly exporting: Slot<ExportJob>
}

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

function createSlot<Job extends { readonly job: Stoppable }>(): Slot<Job> {
  let current: Job | undefined
  const listeners = new Listeners()
  /** Closing the page would end it: the browser asks first. */
  const watch = ({ job }: Job) => {
    const look = () => {
      if (job === current?.job && !isOver(job.state().phase)) addEventListener('beforeunload', warn)
      else removeEventListener('beforeunload', warn)
    }
    look()
    job.subscribe(look)
  }
  return {
    current: () => current,
    set: next => {
      current?.job.stop()
      current = next
      removeEventListener('beforeunload', warn)
      if (next) watch(next)
      listeners.tell()
    },
    subscribe: listeners.subscribe,
  }
}

interface Stoppable {
  readonly state: () => { readonly phase: string }
  readonly subscribe: (listener: () => void) => () => void
  readonly stop: () => void
}

const jobs = keepByClient<Jobs>()

/** Those of whoever is signed in: nobody finds what somebody else brought along. */
export function useJobs(): Jobs {
  const client = useClient()
  const user = useStatus(userIn)
  return jobs.of(client, user, () => ({
    importing: createSlot<ImportJob>(),
    exporting: createSlot<ExportJob>(),
  }))
}

/** What is in a slot, as state. */
export const useJob = <Job>({ subscribe, current }: Slot<Job>): Job | undefined =>
  useSyncExternalStore(subscribe, current)

/** It is over, and nothing more comes of it. */
export const isOver = (phase: string): boolean =>
  phase === 'done' || phase === 'cancelled' || phase === 'refused'
