// Whether a bucket exists: a missing one is listed like an empty one.
import { useEffect, useState } from 'react'
import { useData } from '../../database.ts'
import { type Bucket, FOLDER_MARKER } from '../../../../services/workbench/files/index.ts'
import type { Loaded } from '../use-listing.ts'

export type Existence = 'there' | 'asking' | 'missing'

const isNoBucket = (error: { readonly message: string }): boolean => /^bucket not found$/i.test(error.message)

/**
 * Requests only while `isEmpty`, and only for a bucket that is not in `buckets`: many backends list none. A
 * request for a file shows whether the bucket or the file is missing, even without permission.
 */
export function useExistence(
  bucket: string,
  isEmpty: boolean,
  buckets: Loaded<readonly Bucket[]>,
): Existence {
  const data = useData()
  const [found, setFound] = useState<Exclude<Existence, 'asking'>>()
  const isListed = buckets.phase === 'ready' && buckets.value.some(({ id }) => id === bucket)
  const isAsked = isEmpty && buckets.phase !== 'loading' && !isListed
  useEffect(() => {
    if (!isAsked) return
    const left = new AbortController()
    const settle = (existence: Exclude<Existence, 'asking'>) => {
      if (!left.signal.aborted) setFound(existence)
    }
    data.storage
      .from(bucket)
      .download(FOLDER_MARKER, {}, { signal: left.signal })
      .then(
        ({ error }) => settle(error !== null && isNoBucket(error) ? 'missing' : 'there'),
        () => settle('there'),
      )
    return () => left.abort()
  }, [data, bucket, isAsked])
  if (isEmpty && buckets.phase === 'loading') return 'asking'
  return isAsked ? (found ?? 'asking') : 'there'
}
