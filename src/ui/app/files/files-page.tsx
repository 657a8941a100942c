// The Files section: buckets, and the folder of one that the address names.
import { Link, Navigate, useNavigate, useParams } from '@tanstack/react-router'
import { Archive } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/state.tsx'
import { useTitle } from '../hooks.ts'
import { PageHead } from '../shell/page.tsx'
import styles from './files.module.css'
import { FolderView } from './folder-view.tsx'
import { useBuckets } from './use-listing.ts'

function OpenBucket() {
  const [name, setName] = useState('')
  const navigate = useNavigate()
  const open = (event: FormEvent) => {
    event.preventDefault()
    const bucket = name.trim()
    if (bucket !== '') void navigate({ to: '/files/$bucket', params: { bucket }, search: {} })
  }
  return (
    <form className={styles.open} onSubmit={open} aria-label="Open a bucket">
      <TextField
        label="Bucket name"
        hideLabel
        placeholder="bucket name"
        mono
        value={name}
        onChange={setName}
      />
      <Button type="submit">Open</Button>
    </form>
  )
}

function ChooseBucket() {
  const [buckets, reload] = useBuckets()
  useTitle('Files')
  if (buckets.phase === 'loading') return <Skeleton />
  if (buckets.phase === 'failed')
    return (
      <ErrorState
        title="The buckets could not be listed"
        action={<Button onPress={reload}>Try again</Button>}
      >
        {buckets.failure.message}
      </ErrorState>
    )
  const [only] = buckets.value
  if (buckets.value.length === 1 && only !== undefined)
    return <Navigate to="/files/$bucket" params={{ bucket: only }} search={{}} replace />
  if (buckets.value.length === 0)
    return (
      <EmptyState
        icon={<Archive size={22} aria-hidden />}
        title="No buckets that you may list"
        action={<OpenBucket />}
      >
        Many backends do not let users list buckets. If you know the name of one, open it.
      </EmptyState>
    )
  return (
    <>
      <PageHead title="Files" note={`${buckets.value.length} buckets`} />
      <ul className={styles.buckets} aria-label="Buckets">
        {buckets.value.map(bucket => (
          <li key={bucket}>
            <Link to="/files/$bucket" params={{ bucket }} search={{}} className={styles.bucket}>
              <Archive size={16} aria-hidden /> {bucket}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Buckets, or the bucket in the address. */
export function FilesPage() {
  const { bucket } = useParams({ strict: false })
  return bucket === undefined ? <ChooseBucket /> : <FolderView key={bucket} bucket={bucket} />
}
