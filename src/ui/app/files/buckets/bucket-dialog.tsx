// Making a bucket, changing what it takes, and deleting an empty one.
import { useState } from 'react'
import { Button } from '../../../widgets/button.tsx'
import { Check } from '../../../widgets/check.tsx'
import { Dialog, DialogActions } from '../../../widgets/dialog.tsx'
import { TextField } from '../../../widgets/field.tsx'
import { Form } from '../../../widgets/form.tsx'
import { useData } from '../../database.ts'
import { explainCall } from '../../failed-call.ts'
import { notify } from '../../shell/notify.ts'
import { Notice } from '../../shell/page.tsx'
import { bytesOf, draftFaults, draftOf, typesOf } from './bucket-draft.ts'
import styles from '../files.module.css'
import type { Bucket } from '../read-files.ts'

export interface BucketDialogProps {
  /** Undefined for a new one. */
  readonly bucket: Bucket | undefined
  readonly names: readonly string[]
  readonly onChanged: () => void
  readonly onClose: () => void
}

const FOCUSED = { autoFocus: true } as const

function useWork(onChanged: () => void, onClose: () => void) {
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const run = async (done: string, call: () => Promise<{ readonly error: unknown }>) => {
    setPending(true)
    setFailure(undefined)
    const { error } = await call().catch((thrown: unknown) => ({ error: thrown }))
    setPending(false)
    if (error !== null) return setFailure((await explainCall(error)).message)
    notify({ tone: 'ok', title: done })
    onChanged()
    onClose()
  }
  return { isPending, failure, run }
}

/** What a policy refuses is told in the dialog, with all that was typed kept. */
export function BucketDialog({ bucket, names, onChanged, onClose }: BucketDialogProps) {
  const { storage } = useData()
  const [draft, setDraft] = useState(() => draftOf(bucket))
  const [isTried, setTried] = useState(false)
  const { isPending, failure, run } = useWork(onChanged, onClose)
  const faults = draftFaults(draft, bucket ? [] : names)
  const shown = isTried ? faults : {}
  const set = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const save = () => {
    setTried(true)
    if (Object.keys(faults).length > 0) return
    const options = {
      public: draft.isPublic,
      fileSizeLimit: bytesOf(draft.size) ?? null,
      allowedMimeTypes: [...(typesOf(draft.types) ?? [])],
    }
    const types = options.allowedMimeTypes.length === 0 ? { ...options, allowedMimeTypes: null } : options
    void (bucket
      ? run(`Changed ${bucket.id}`, () => storage.updateBucket(bucket.id, types))
      : run(`Made ${draft.id}`, () => storage.createBucket(draft.id, types)))
  }
  return (
    <Dialog title={bucket ? `Settings of ${bucket.id}` : 'New bucket'} isOpen onClose={onClose}>
      <Form
        onSubmit={save}
        className={styles.form}
        aria-label={bucket ? `Settings of ${bucket.id}` : 'New bucket'}
      >
        {bucket ? null : (
          <TextField
            label="Name"
            {...FOCUSED}
            mono
            value={draft.id}
            onChange={id => set({ id })}
            error={shown.id}
          />
        )}
        <Check isOn={draft.isPublic} onChange={isPublic => set({ isPublic })}>
          Public: whoever knows the address of a file may download it
        </Check>
        <TextField
          label="Largest file"
          labelNote="empty for any size"
          placeholder="50 MB"
          value={draft.size}
          onChange={size => set({ size })}
          error={shown.size}
        />
        <TextField
          label="Types"
          labelNote="empty for any type"
          placeholder="image/*, application/pdf"
          mono
          value={draft.types}
          onChange={types => set({ types })}
          error={shown.types}
        />
        {failure === undefined ? null : (
          <Notice tone="fail">
            {failure} Buckets are mostly made and changed with the service role, which Chartroom never uses.
          </Notice>
        )}
        <DialogActions>
          {bucket ? (
            <Button
              variant="danger"
              isDisabled={isPending}
              onPress={() => void run(`Deleted ${bucket.id}`, () => storage.deleteBucket(bucket.id))}
            >
              Delete the empty bucket
            </Button>
          ) : null}
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            {bucket ? 'Save' : 'Make bucket'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
