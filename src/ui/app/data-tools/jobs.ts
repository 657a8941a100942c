// A user's import and export: they continue on other pages and end with the client.
import { useSyncExternalStore } from 'react'
import type { RowExport, RowImport } from '../../../services/workbench/jobs/index.ts'
import { useClient, useStatus } from '../../react/index.ts'
import { keepByClient, Listeners, userIn } from '../../../services/workbench/storage/index.ts'
import type { ExportFormat, ExportWriter, ReadRows, Source } from '../../../services/workbench/table/index.ts'

/** A running or finished import, and its source rows. */
export interface ImportJob {
  readonly table: string
  readonly source: Source
  readonly read: ReadRows
  readonly job: RowImport
}

/** A running or finished export, and the rows it read. */
export interface ExportJob {
  readonly table: string
  readonly format: ExportFormat
  readonly writer: ExportWriter
  /** Whether pages were read by offset. */
  readonly hasCounted: () => boolean
  readonly job: RowExport
}

/** One job at a time; starting another one ends the current one. */
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
  /** Closing the page would end the job: the browser asks for confirmation. */
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
      listeners.notify()
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

/** The jobs of the signed-in user; other users never see them. */
export function useJobs(): Jobs {
  const client = useClient()
  const user = useStatus(userIn)
  return jobs.of(client, user, () => ({
    importing: createSlot<ImportJob>(),
    exporting: createSlot<ExportJob>(),
  }))
}

/** A slot's current job, as state. */
export const useJob = <Job>({ subscribe, current }: Slot<Job>): Job | undefined =>
  useSyncExternalStore(subscribe, current)

/** Whether the job has ended. */
export const isOver = (phase: string): boolean =>
  phase === 'done' || phase === 'canceled' || phase === 'refused'
