// Asking before a row is deleted.
import { useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { Notice } from '../shell/page.tsx'
import { rowKey, type Row, type TableInfo } from './schema.ts'
import type { Writes } from './use-write.ts'

export interface DeleteDialogProps {
  readonly info: TableInfo
  readonly row: Row
  readonly writes: Writes
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Stays open and tells why when the backend refuses. */
export function DeleteDialog({ info, row, writes, onDone, onClose }: DeleteDialogProps) {
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const name = `${info.name} ${rowKey(info, row) ?? ''}`
  const remove = async () => {
    setPending(true)
    setFailure(undefined)
    const refused = await writes.remove(row)
    setPending(false)
    if (refused !== undefined) return setFailure(refused.message)
    toast.success(`Deleted ${name}`)
    onDone()
    onClose()
  }
  return (
    <Dialog title="Delete this row?" role="alertdialog" isOpen onClose={onClose}>
      <p>
        <code>{name}</code> will be deleted for everyone. This can’t be undone.
      </p>
      {failure === undefined ? null : <Notice tone="fail">{failure}</Notice>}
      <DialogActions>
        <Button onPress={onClose}>Keep it</Button>
        <Button variant="danger" isPending={isPending} onPress={() => void remove()}>
          Delete
        </Button>
      </DialogActions>
    </Dialog>
  )
}
