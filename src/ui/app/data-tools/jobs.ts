// A user's import and export: they continue on other pages and end with the client.
import { Listeners } from '../../../trace/index.ts'
import { useSyncExternalStore } from 'react'
import type { AnyJob, RowExport, RowImport } from '../../../services/workbench/jobs/index.ts'
import { useClient, useStatus } from '../../react/index.ts'
import { keepByClient, userIn } from '../../../services/workbench/storage/index.ts'
import type { ExportFormat, ExportWriter, ReadRows, Source } from '../../../services/workbench/table/index.ts'

/** A running or finished import, and its source rows. */
export interface ImportJob {
  readonly table: string
  readonly source: Source
  readonly read: ReadRows
  readonly job: RowImport
  /** Why the rows that it added can't be removed by undo. */
  readonly undoBlock: string | undefined
  /** Deletes the added rows; undefined until the import has ended, and when there are none. */
  readonly undo: () => (() => void) | undefined
}

/** A running or finished export, and the rows it read. */
export interface ExportJob {
  readonly table: string
  readonly format: ExportFormat
  readonly writer: ExportWriter
  /** Whether pages were read by offset. */
  readonly hasCounted: () => boolean
  readonly job: RowExport
  /** Starts the same export again. */
  readonly repeat: () => void
}

/** One job at a time; starting another one ends the current one. */
export interface Slot<Held> {
  readonly current: () => Held | undefined
  readonly set: (held: Held | undefined) => void
  readonly subscribe: (listener: () => void) => () => void
}

interface Jobs {
  readonly importing: Slot<ImportJob>
  readonly exporting: Slot<ExportJob>
}

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

function createSlot<Held extends { readonly job: AnyJob }>(): Slot<Held> {
  let current: Held | undefined
  const listeners = new Listeners()
  /** Closing the page would end the job: the browser asks for confirmation. */
  const watch = ({ job }: Held) => {
    const look = () => {
      if (job === current?.job && job.actor.getSnapshot().status === 'active')
        addEventListener('beforeunload', warn)
      else removeEventListener('beforeunload', warn)
    }
    look()
    job.actor.subscribe(look)
  }
  return {
    current: () => current,
    set: next => {
      current?.job.actor.stop()
      current = next
      removeEventListener('beforeunload', warn)
      if (next) watch(next)
      listeners.notify()
    },
    subscribe: listeners.subscribe,
  }
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
export const useJob = <Held>({ subscribe, current }: Slot<Held>): Held | undefined =>
  useSyncExternalStore(subscribe, current)

/** Whether the job has ended. */
export const isOver = (phase: string): boolean =>
  phase === 'done' || phase === 'canceled' || phase === 'refused'
