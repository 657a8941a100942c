// Whether a bucket exists: a missing one is listed like an empty one.
import { useData } from '../../database.ts'
import { type Bucket, FOLDER_MARKER } from '../../../../services/workbench/files/index.ts'
import { type Requested, useRequest } from '../../use-request.ts'

export type Existence = 'there' | 'asking' | 'missing'

const isNoBucket = (error: { readonly message: string }): boolean => /^bucket not found$/i.test(error.message)

/**
 * Requests only while `isEmpty`, and only for a bucket that is not in `buckets`: many backends list none. A
 * request for a file shows whether the bucket or the file is missing, even without permission.
 */
export function useExistence(
  bucket: string,
  isEmpty: boolean,
  buckets: Requested<readonly Bucket[]>,
): Existence {
  const data = useData()
  const isListed = buckets.phase === 'ready' && buckets.value.some(({ id }) => id === bucket)
  const isAsked = isEmpty && buckets.phase !== 'loading' && !isListed
  const [{ phase, value }] = useRequest<Existence>({
    name: 'bucket',
    of: isAsked ? [bucket] : undefined,
    load: async signal => {
      const { error } = await data.storage.from(bucket).download(FOLDER_MARKER, {}, { signal })
      return { ok: true, value: error !== null && isNoBucket(error) ? 'missing' : 'there' }
    },
  })
  if (isEmpty && buckets.phase === 'loading') return 'asking'
  if (!isAsked || phase === 'failed') return 'there'
  return value ?? 'asking'
}
