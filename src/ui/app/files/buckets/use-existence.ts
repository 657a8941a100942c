// Whether a bucket is there at all: one that is not is listed like one that is empty.
import { useEffect, useState } from 'react'
import { useData } from '../../database.ts'
import { FOLDER_MARKER } from '../listing.ts'
import type { Bucket } from '../read-files.ts'
import type { Loaded } from '../use-listing.ts'

export type Existence = 'there' | 'asking' | 'missing'

const isNoBucket = (error: { readonly message: string }): boolean => /^bucket not found$/i.test(error.message)

/**
 * Asks only while `isEmpty`, and only for a bucket that is not among `buckets`: many hosts list none of them. Which of
 * bucket and file is missing is told to whoever wants a file, seen or not.
 */
export function useExistence(
  bucket: string,
  isEmpty: boolean,
  buckets: Loaded<readonly Bucket[]>,
): Existence {
  const data = useData()
  const [told, setTold] = useState<Exclude<Existence, 'asking'>>()
  const isListed = buckets.phase === 'ready' && buckets.value.some(({ id }) => id === bucket)
  const isAsked = isEmpty && buckets.phase !== 'loading' && !isListed
  useEffect(() => {
    if (!isAsked) return
    const left = new AbortController()
    const say = (existence: Exclude<Existence, 'asking'>) => {
      if (!left.signal.aborted) setTold(existence)
    }
    data.storage
      .from(bucket)
      .download(FOLDER_MARKER, {}, { signal: left.signal })
      .then(
        ({ error }) => say(error !== null && isNoBucket(error) ? 'missing' : 'there'),
        () => say('there'),
      )
    return () => left.abort()
  }, [data, bucket, isAsked])
  if (isEmpty && buckets.phase === 'loading') return 'asking'
  return isAsked ? (told ?? 'asking') : 'there'
}
