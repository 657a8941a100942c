// The buckets the session may list with their limits, and the button for a new one.
import { Link, useNavigate } from '@tanstack/react-router'
import { Archive, Globe, Lock, Plus, Settings2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../../widgets/button.tsx'
import { TextField } from '../../../widgets/field.tsx'
import { Form } from '../../../widgets/form.tsx'
import { EmptyState } from '../../../widgets/state.tsx'
import { plural, formatSize } from '../../../../services/workbench/text/index.ts'
import { PageBody, PageHead } from '../../shell/page.tsx'
import { BucketDialog } from './bucket-dialog.tsx'
import styles from '../files.module.css'
import type { Bucket } from '../../../../services/workbench/files/index.ts'

function OpenBucket() {
  const [name, setName] = useState('')
  const navigate = useNavigate()
  const open = () => {
    const bucket = name.trim()
    if (bucket !== '') void navigate({ to: '/files/$bucket', params: { bucket }, search: {} })
  }
  return (
    <Form className={styles.open} onSubmit={open} aria-label="Open a bucket">
      <TextField
        label="Bucket name"
        hideLabel
        placeholder="bucket name"
        mono
        value={name}
        onChange={setName}
      />
      <Button type="submit">Open</Button>
    </Form>
  )
}

/** Describes a bucket's limits. */
function limitWords({ maxBytes, types }: Bucket): string {
  const size = maxBytes === undefined ? 'files of any size' : `files up to ${formatSize(maxBytes)}`
  return types === undefined ? size : `${size}, only ${types.join(', ')}`
}

function BucketCard({ bucket, onEdit }: { readonly bucket: Bucket; readonly onEdit: () => void }) {
  const Visible = bucket.isPublic ? Globe : Lock
  return (
    <li className={styles.bucket}>
      <Link to="/files/$bucket" params={{ bucket: bucket.id }} search={{}} className={styles.bucketLink}>
        <Archive size={16} aria-hidden /> {bucket.id}
      </Link>
      <span className={styles.bucketFacts}>
        <Visible size={13} aria-hidden /> {bucket.isPublic ? 'public' : 'private'} · {limitWords(bucket)}
      </span>
      <IconButton size="s" label={`Settings of ${bucket.id}`} onPress={onEdit}>
        <Settings2 size={14} />
      </IconButton>
    </li>
  )
}

export interface BucketListProps {
  readonly buckets: readonly Bucket[]
  readonly onChanged: () => void
}

/** Most policies let only the service role create and change buckets; refusals say so. */
export function BucketList({ buckets, onChanged }: BucketListProps) {
  const [editing, setEditing] = useState<Bucket | 'new'>()
  return (
    <>
      <PageHead title="Files" note={plural(buckets.length, 'bucket')}>
        <OpenBucket />
        <Button icon={<Plus size={15} aria-hidden />} onPress={() => setEditing('new')}>
          New bucket
        </Button>
      </PageHead>
      {buckets.length === 0 ? (
        <EmptyState icon={<Archive size={22} aria-hidden />} title="No buckets you can list">
          Many backends do not let users list buckets. If you know a bucket’s name, open it.
        </EmptyState>
      ) : (
        <PageBody>
          <ul className={styles.buckets} aria-label="Buckets">
            {buckets.map(bucket => (
              <BucketCard key={bucket.id} bucket={bucket} onEdit={() => setEditing(bucket)} />
            ))}
          </ul>
        </PageBody>
      )}
      {editing === undefined ? null : (
        <BucketDialog
          bucket={editing === 'new' ? undefined : editing}
          names={buckets.map(({ id }) => id)}
          onChanged={onChanged}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  )
}
