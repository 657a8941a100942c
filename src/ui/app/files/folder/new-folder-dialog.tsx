// Creates a folder: storage has no empty folders, so a marker file keeps it until it has files.
import { useState } from 'react'
import { string } from 'valibot'
import { Button } from '../../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../../widgets/dialog.tsx'
import { TextField } from '../../../widgets/field.tsx'
import { Form } from '../../../widgets/form.tsx'
import { Notice } from '../../shell/page.tsx'
import { useData } from '../../database.ts'
import { explainCall } from '../../../../services/workbench/rest/index.ts'
import { useKeptForm } from '../../use-draft.ts'
import styles from '../files.module.css'
import { addressed, FOLDER_MARKER, joinPath, nameFault } from '../../../../services/workbench/files/index.ts'

export interface NewFolderDialogProps {
  readonly bucket: string
  readonly path: string
  readonly names: readonly string[]
  readonly onMade: (path: string) => void
  readonly onClose: () => void
}

const FOCUSED = { autoFocus: true } as const
const writtenSchema = string()

/** Asks for the name; policy errors appear in the dialog, and the name is kept. */
export function NewFolderDialog({ bucket, path, names, onMade, onClose }: NewFolderDialogProps) {
  const files = useData().storage.from(bucket)
  const { written: name = '', save, forget } = useKeptForm('folder', [bucket, path], writtenSchema)
  const [isTried, setTried] = useState(false)
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const fault = nameFault(name, names)
  const close = () => {
    forget()
    onClose()
  }
  const make = async () => {
    setTried(true)
    if (fault !== undefined) return
    setPending(true)
    const marker = joinPath(joinPath(path, name), FOLDER_MARKER)
    const { error } = await files
      .upload(addressed(marker), new Blob([]), { contentType: 'application/octet-stream' })
      .catch((thrown: unknown) => ({ error: thrown }))
    setPending(false)
    if (error !== null) return setFailure((await explainCall(error)).message)
    onMade(joinPath(path, name))
    close()
  }
  return (
    <Dialog title="New folder" isOpen onClose={close}>
      <Form onSubmit={() => void make()} className={styles.form} aria-label="New folder">
        <TextField
          label="Name"
          {...FOCUSED}
          mono
          value={name}
          onChange={value => {
            save(value)
            setFailure(undefined)
          }}
          error={isTried ? fault : undefined}
        />
        {failure === undefined ? null : <Notice tone="fail">The folder was not created. {failure}</Notice>}
        <DialogActions>
          <Button onPress={close}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            Create folder
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
