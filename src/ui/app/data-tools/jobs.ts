// The imports and exports of a client: they go on while other pages are looked at, and end with the client.
import { useSyncExternalStore } from 'react'
import type { ChartroomClient } from '../../../index.ts'
import { useClient } from '../../react.ts'
import type { RowImport } from '../../../transfers.ts'
import type { ReadRows, Source } from './import/import-types.ts'

/** An import that runs or ran, with what its rows were made of. */
export interface ImportJob {
  readonly table: string
  readonly source: Source
  readonly read: ReadRows
  readonly job: RowImport
}

export interface Jobs {
  readonly current: () => ImportJob | undefined
  readonly set: (job: ImportJob | undefined) => void
  readonly subscribe: (listener: () => void) => () => void
}

function createJobs(): Jobs {
  let current: ImportJob | undefined
  const listeners = new Set<() => void>()
  return {
    current: () => current,
    set: job => {
      current = job
      for (const listener of listeners) listener()
    },
    subscribe: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** By client, so that nothing of one is seen through another. */
const byClient = new WeakMap<ChartroomClient, Jobs>()

/** Those of the client in use. */
export function useJobs(): Jobs {
  const client = useClient()
  const jobs = byClient.get(client) ?? createJobs()
  byClient.set(client, jobs)
  return jobs
}

/** The import of the client in use. */
export function useImportJob(): ImportJob | undefined {
  const jobs = useJobs()
  return useSyncExternalStore(jobs.subscribe, jobs.current)
}

/** It is over, and nothing more comes of it. */
export const isOver = (phase: string): boolean =>
  phase === 'done' || phase === 'cancelled' || phase === 'refused'
