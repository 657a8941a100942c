// Loads the buckets, and a folder's entries page by page.
import { useCallback, useEffect, useState } from 'react'
import { useData } from '../database.ts'
import { type AnyDataClient, explainCall, type FailedCall } from '../../../services/workbench/rest/index.ts'
import { useRenewable } from '../renewable.ts'
import { useRetry } from '../retry.ts'
import {
  type Bucket,
  type FileEntry,
  listPage,
  PAGE,
  readBuckets,
  type StoredObject,
  toEntries,
} from '../../../services/workbench/files/index.ts'

export type Loaded<T> =
  | { readonly phase: 'loading' }
  /** With `failure`, the value is from before the reload. */
  | { readonly phase: 'ready'; readonly value: T; readonly failure?: FailedCall }
  | { readonly phase: 'failed'; readonly failure: FailedCall }

export const LOADING = { phase: 'loading' } as const

const failed = async (error: unknown) => ({ phase: 'failed' as const, failure: await explainCall(error) })

/** Loads; may `show` partial results. */
type Load<T> = (data: AnyDataClient, signal: AbortSignal, show: (value: T) => void) => Promise<Loaded<T>>

/**
 * Runs `load` on mount, on `reload`, and as retry while the backend is unreachable; `load` must be stable.
 */
const useLoaded = <T>(load: Load<T>): readonly [Loaded<T>, () => void] => {
  const data = useData()
  const [state, setState] = useState<{ readonly of: Load<T>; readonly loaded: Loaded<T> }>({
    of: load,
    loaded: LOADING,
  })
  const [signal, reload] = useRenewable()
  useEffect(() => {
    const left = new AbortController()
    const ends = AbortSignal.any([signal, left.signal])
    const set = (loaded: Loaded<T>) =>
      setState(before => (ends.aborted ? before : { of: load, loaded: keptIn(before, load, loaded) }))
    // Current content stays on screen until its replacement is complete.
    const show = (value: T) =>
      setState(before =>
        ends.aborted ||
        (before.of === load && before.loaded.phase === 'ready' && !isPart(before.loaded.value))
          ? before
          : { of: load, loaded: { phase: 'ready', value } },
      )
    void load(data, ends, show).catch(failed).then(set)
    return () => left.abort()
  }, [data, load, signal])
  const shown = state.of === load ? state.loaded : LOADING
  const failure = shown.phase === 'loading' ? undefined : shown.failure
  useRetry('files', failure?.retry === true ? shown : undefined, reload)
  return [shown, reload]
}

/** Keeps the current value when a reload fails. */
function keptIn<T>(
  before: { readonly of: Load<T>; readonly loaded: Loaded<T> },
  load: Load<T>,
  loaded: Loaded<T>,
): Loaded<T> {
  if (loaded.phase !== 'failed' || before.of !== load || before.loaded.phase !== 'ready') return loaded
  return { ...before.loaded, failure: loaded.failure }
}

const isPart = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'isComplete' in value && value.isComplete === false

const loadBuckets: Load<readonly Bucket[]> = async data => {
  const { data: buckets, error } = await data.storage.listBuckets()
  if (error !== null) return failed(error)
  return { phase: 'ready', value: readBuckets(buckets) }
}

/** The buckets visible to the session. */
export const useBuckets = () => useLoaded(loadBuckets)

export interface Folder {
  readonly entries: readonly FileEntry[]
  /** False while pages are loading, and when more exist than load automatically. */
  readonly isComplete: boolean
}

/** Maximum number of entries per folder that load automatically. */
const UNASKED = 5_000

/** Entries of a folder, at most `most`; the empty path is the bucket's root. */
export const useFolder = (bucket: string, path: string, most = UNASKED) =>
  useLoaded<Folder>(
    useCallback(
      async (data, signal, show) => {
        const files = data.storage.from(bucket)
        const objects: StoredObject[] = []
        for (;;) {
          const page = await listPage(files, path, objects.length, signal)
          objects.push(...page)
          const isComplete = page.length < PAGE
          const value = { entries: toEntries(objects), isComplete }
          if (isComplete || objects.length >= most) return { phase: 'ready', value }
          show(value)
        }
      },
      [bucket, path, most],
    ),
  )

/** Additional entries per click on Load more. */
export const MORE = UNASKED
