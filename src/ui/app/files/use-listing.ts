// Loading the buckets, and the entries of one folder.
import { useCallback, useEffect, useState } from 'react'
import { useData, type AnyDataClient } from '../database.ts'
import { explainCall, type FailedCall } from '../failed-call.ts'
import { useRenewable, useRetry } from '../hooks.ts'
import { toEntries, type FileEntry } from './listing.ts'

export type Loaded<T> =
  | { readonly phase: 'loading' }
  | { readonly phase: 'ready'; readonly value: T }
  | { readonly phase: 'failed'; readonly failure: FailedCall }

const LOADING = { phase: 'loading' } as const

const failed = async (error: unknown) => ({ phase: 'failed' as const, failure: await explainCall(error) })

type Load<T> = (data: AnyDataClient) => Promise<Loaded<T>>

/** Runs `load` now, after `reload`, and by itself while the backend is silent; `load` must be stable. */
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
    void load(data)
      .catch(failed)
      .then(loaded => {
        if (!ends.aborted) setState({ of: load, loaded })
      })
    return () => left.abort()
  }, [data, load, signal])
  const shown = state.of === load ? state.loaded : LOADING
  useRetry(shown.phase === 'failed' && shown.failure.retry ? shown : undefined, reload)
  return [shown, reload]
}

const loadBuckets: Load<readonly string[]> = async data => {
  const { data: buckets, error } = await data.storage.listBuckets()
  return error === null ? { phase: 'ready', value: buckets.map(bucket => bucket.name).sort() } : failed(error)
}

/** Names of the buckets that the session may see. */
export const useBuckets = () => useLoaded(loadBuckets)

const MOST_ENTRIES = 1000

/** Entries of one folder; the empty path is the bucket's root. */
export const useFolder = (bucket: string, path: string) =>
  useLoaded<readonly FileEntry[]>(
    useCallback(
      async data => {
        const { data: objects, error } = await data.storage.from(bucket).list(path, { limit: MOST_ENTRIES })
        return error === null ? { phase: 'ready', value: toEntries(objects) } : failed(error)
      },
      [bucket, path],
    ),
  )
