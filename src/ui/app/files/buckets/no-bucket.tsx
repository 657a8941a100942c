// The page for a missing bucket, with links to others.
import { Link } from '@tanstack/react-router'
import { Archive } from 'lucide-react'
import { EmptyState } from '../../../widgets/state.tsx'
import styles from '../files.module.css'
import { type Bucket, FOLDER_MARKER } from '../../../../services/workbench/files/index.ts'
import type { RequestState } from '../../../react/index.ts'
import { isLoading, usePageRequest } from '../../use-page-request.ts'

/** The full list shows more. */
const NAMED = 6

export interface NoBucketProps {
  readonly bucket: string
  /** The buckets the session may list. */
  readonly others: readonly Bucket[]
}

export function NoBucket({ bucket, others }: NoBucketProps) {
  return (
    <EmptyState
      isPage
      icon={<Archive size={22} aria-hidden />}
      title={`Bucket “${bucket}” not found`}
      action={
        <Link to="/files" search={{ all: true }}>
          All buckets
        </Link>
      }
    >
      It was deleted or renamed, or is spelled differently. Names are case-sensitive.
      {others.length === 0 || others.length > NAMED ? null : (
        <span className={styles.others}>
          {others.map(({ id }) => (
            <Link key={id} to="/files/$bucket" params={{ bucket: id }} search={{}}>
              {id}
            </Link>
          ))}
        </span>
      )}
    </EmptyState>
  )
}

type Existence = 'there' | 'asking' | 'missing'

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
