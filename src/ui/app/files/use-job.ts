// Runs work on many files: counts them, then does it in portions until it is done or stopped.
import { useCallback, useEffect, useReducer, useRef } from 'react'
import { useData } from '../database.ts'
import { explainCall } from '../failed-call.ts'
import { useRenewable } from '../hooks.ts'
import { jobReducer, NEW_JOB, type JobFailure } from './job.ts'
import { filesWithin, type Bucket, type Within } from './tree.ts'

/** What work is begun with. */
export interface Target {
  readonly path: string
  readonly isFolder: boolean
  readonly size?: number | undefined
}

/** Does a portion; gives how many of it were done, and what was refused. */
export type Portion = (
  bucket: Bucket,
  files: readonly Within[],
) => Promise<{ readonly done: number; readonly failures: readonly JobFailure[] }>

/** `targets` must stay the same while the work is open. */
export const useJob = (bucketId: string, targets: readonly Target[]) => {
  const data = useData()
  const [job, dispatch] = useReducer(jobReducer, NEW_JOB)
  const [signal, recount] = useRenewable()
  const stopped = useRef(false)
  useEffect(() => {
    const left = new AbortController()
    const ends = AbortSignal.any([signal, left.signal])
    dispatch({ type: 'count.begun' })
    const found = (count: number) => dispatch({ type: 'count.moved', found: count })
    filesWithin(data.storage.from(bucketId), targets, found, ends).then(
      files => {
        if (!ends.aborted) dispatch({ type: 'count.done', files })
      },
      async (error: unknown) => {
        const { message } = await explainCall(error)
        if (!ends.aborted) dispatch({ type: 'count.failed', message })
      },
    )
    return () => left.abort()
  }, [data, bucketId, targets, signal])
  const run = useCallback(
    async (files: readonly Within[], size: number, portion: Portion) => {
      const bucket = data.storage.from(bucketId)
      stopped.current = false
      dispatch({ type: 'work.begun', total: files.length })
      for (let at = 0; at < files.length && !stopped.current; at += size) {
        const part = files.slice(at, at + size)
        const { done, failures } = await portion(bucket, part).catch(async (error: unknown) => {
          const { message } = await explainCall(error)
          return { done: 0, failures: part.map(({ path }) => ({ path, message })) }
        })
        dispatch({ type: 'work.moved', done, failures })
      }
      dispatch({ type: 'work.ended' })
    },
    [data, bucketId],
  )
  const stop = useCallback(() => {
    stopped.current = true
    dispatch({ type: 'work.stop' })
  }, [])
  return { job, run, stop, recount }
}

const POLICY = 'A policy forbids it, or it is gone already.'

/** Deletes; policies hide files instead of refusing, so that what was not matched is told as refused. */
export const removing: Portion = async (bucket, files) => {
  const { data, error } = await bucket.remove(files.map(({ path }) => path))
  if (error !== null) throw error
  const gone = new Set(data.map(({ name }) => name))
  const failures = files.filter(({ path }) => !gone.has(path)).map(({ path }) => ({ path, message: POLICY }))
  return { done: files.length - failures.length, failures }
}

/** Moves or copies each file to where `to` says. */
export const placing =
  (how: 'move' | 'copy', to: (path: string) => string): Portion =>
  async (bucket, files) => {
    const failures: JobFailure[] = []
    await Promise.all(
      files.map(async ({ path }) => {
        const { error } = await bucket[how](path, to(path))
        if (error !== null) failures.push({ path, message: (await explainCall(error)).message })
      }),
    )
    return { done: files.length - failures.length, failures }
  }
