// What stands in the place of a bucket that is not there, with the ways on.
import { Link } from '@tanstack/react-router'
import { Archive } from 'lucide-react'
import { EmptyState } from '../../../widgets/state.tsx'
import styles from '../files.module.css'
import type { Bucket } from '../read-files.ts'

/** More of them are found in the list of all. */
const NAMED = 6

export interface NoBucketProps {
  readonly bucket: string
  /** Those that may be listed. */
  readonly others: readonly Bucket[]
}

export function NoBucket({ bucket, others }: NoBucketProps) {
  return (
    <EmptyState
      isPage
      icon={<Archive size={22} aria-hidden />}
      title={`There is no bucket called “${bucket}”`}
      action={
        <Link to="/files" search={{ all: true }}>
          All buckets
        </Link>
      }
    >
      It was deleted or renamed, or is written in another way; capitals count.
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
