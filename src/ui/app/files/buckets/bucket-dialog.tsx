// Dialog for creating a bucket, changing its limits, and deleting an empty one.
import { useRef, useState } from 'react'
import { Button } from '../../../widgets/button.tsx'
import { Check } from '../../../widgets/check.tsx'
import { Dialog, DialogActions } from '../../../widgets/dialog.tsx'
import { TextField } from '../../../widgets/field.tsx'
import { Form } from '../../../widgets/form.tsx'
import { useData } from '../../database.ts'
import { useSaving, type Words } from '../../data/use-saving.ts'
import { explainCall, type FailedCall } from '../../../../services/workbench/rest/index.ts'
import { Notice } from '../../shell/page.tsx'
import { useKeptForm } from '../../use-draft.ts'
import {
  type Bucket,
  type BucketDraft,
  bytesOf,
  draftFaults,
  draftOf,
  typesOf,
  writtenSchema,
} from '../../../../services/workbench/files/index.ts'
import styles from '../files.module.css'

export interface BucketDialogProps {
  /** Undefined for a new bucket. */
  readonly bucket: Bucket | undefined
  readonly names: readonly string[]
  readonly onChanged: () => void
  readonly onClose: () => void
}

const FOCUSED = { autoFocus: true } as const

const WORDS = {
  made: id => ({ done: `Created ${id}`, refused: `Could not create the bucket ${id}` }),
  changed: id => ({ done: `Changed ${id}`, refused: `Could not change the bucket ${id}` }),
  deleted: id => ({ done: `Deleted ${id}`, refused: `Could not delete the bucket ${id}` }),
} satisfies Record<string, (id: string) => Words>

type Call = () => Promise<{ readonly error: unknown }>

/** The failure of a call, if any. */
async function refusalOf(call: Call): Promise<FailedCall | undefined> {
  const { error } = await call().catch((thrown: unknown) => ({ error: thrown }))
  return error === null ? undefined : explainCall(error)
}

/** Input is kept until it is saved or canceled; a lost session does neither. */
function useBucketForm({ bucket, onChanged, onClose }: BucketDialogProps) {
  const { written, save: saveForm, forget } = useKeptForm('bucket', bucket ? [bucket.id] : [], writtenSchema)
  const [failure, setFailure] = useState<string>()
  const isClosed = useRef(false)
  const close = () => {
    isClosed.current = true
    forget()
    onClose()
  }
  const { isPending, save } = useSaving({ onDone: onChanged, onClose: close })
  const run = async (words: Words, call: Call) => {
    setFailure(undefined)
    const refused = await save(refusalOf(call), words)
    if (refused !== undefined) setFailure(refused.message)
    // The form may belong to another dialog by now.
    else if (!isClosed.current) forget()
  }
  const draft = { ...draftOf(bucket), ...written }
  const change = (part: Partial<BucketDraft>) => saveForm({ ...written, ...part })
  return { draft, change, close, failure, isPending, run }
}

/** Policy errors appear in the dialog, and all input is kept. */
export function BucketDialog(props: BucketDialogProps) {
  const { bucket, names } = props
  const { storage } = useData()
  const [isTried, setTried] = useState(false)
  const { draft, change, close, failure, isPending, run } = useBucketForm(props)
  const faults = draftFaults(draft, bucket ? [] : names)
  const shown = isTried ? faults : {}
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
      ? run(WORDS.changed(bucket.id), () => storage.updateBucket(bucket.id, types))
      : run(WORDS.made(draft.id), () => storage.createBucket(draft.id, types)))
  }
  return (
    <Dialog title={bucket ? `Settings of ${bucket.id}` : 'New bucket'} isOpen onClose={close}>
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
            onChange={id => change({ id })}
            error={shown.id}
          />
        )}
        <Check isOn={draft.isPublic} onChange={isPublic => change({ isPublic })}>
          Public: anyone with a file’s URL can download it
        </Check>
        <TextField
          label="Largest file"
          labelNote="empty for any size"
          placeholder="50 MB"
          value={draft.size}
          onChange={size => change({ size })}
          error={shown.size}
        />
        <TextField
          label="Types"
          labelNote="empty for any type"
          placeholder="image/*, application/pdf"
          mono
          value={draft.types}
          onChange={types => change({ types })}
          error={shown.types}
        />
        {failure === undefined ? null : (
          <Notice tone="fail">
            {failure} Buckets are usually created and changed with the service role, which Chartroom never
            uses.
          </Notice>
        )}
        <DialogActions>
          {bucket ? (
            <Button
              variant="danger"
              isDisabled={isPending}
              onPress={() => void run(WORDS.deleted(bucket.id), () => storage.deleteBucket(bucket.id))}
            >
              Delete empty bucket
            </Button>
          ) : null}
          <Button onPress={close}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            {bucket ? 'Save' : 'Create bucket'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
