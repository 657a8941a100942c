// Whether a bucket exists: a missing one is listed like an empty one.
import type { RequestState } from '../../../react/index.ts'
import { type Bucket, FOLDER_MARKER } from '../../../../services/workbench/files/index.ts'
import { isLoading, usePageRequest } from '../../use-page-request.ts'

export type Existence = 'there' | 'asking' | 'missing'

const isNoBucket = (error: { readonly message: string }): boolean => /^bucket not found$/i.test(error.message)

/**
 * Requests only while `isEmpty`, and only for a bucket that is not in `buckets`: many backends list none. A
 * request for a file shows whether the bucket or the file is missing, even without permission.
 */
export function useExistence(
  bucket: string,
  isEmpty: boolean,
  buckets: RequestState<readonly Bucket[]>,
): Existence {
  const isListed = buckets.data?.some(({ id }) => id === bucket) === true
  const isAsked = isEmpty && !isLoading(buckets) && !isListed
  const { data, failure } = usePageRequest(isAsked ? ['bucket', bucket] : undefined, async ({ storage }) => {
    const { error } = await storage.from(bucket).download(FOLDER_MARKER)
    return { isMissing: error !== null && isNoBucket(error) }
  })
  if (isEmpty && isLoading(buckets)) return 'asking'
  if (!isAsked || failure) return 'there'
  return data === undefined ? 'asking' : data.isMissing ? 'missing' : 'there'
}
