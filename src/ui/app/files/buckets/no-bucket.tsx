// The page for a missing bucket, with links to others.
import { Link } from '@tanstack/react-router'
import { Archive } from 'lucide-react'
import { EmptyState } from '../../../widgets/state.tsx'
import styles from '../files.module.css'
import type { Bucket } from '../../../../services/workbench/files/index.ts'

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
