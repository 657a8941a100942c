// Asking before a row is deleted.
import { useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { Notice } from '../shell/page.tsx'
import { rowKey, type Row, type TableInfo } from './schema.ts'
import { useSaving, type SavingOptions } from './use-saving.ts'
import type { Writes } from './use-write.ts'

export interface DeleteDialogProps extends SavingOptions {
  readonly info: TableInfo
  readonly row: Row
  readonly writes: Writes
}

/** Stays open and tells why when the backend refuses. */
export function DeleteDialog({ info, row, writes, onDone, onClose }: DeleteDialogProps) {
  const { isPending, save } = useSaving({ onDone, onClose })
  const [failure, setFailure] = useState<string>()
  const name = `${info.name} ${rowKey(info, row) ?? ''}`
  const remove = async () => {
    setFailure(undefined)
    const refused = await save(writes.remove(row), {
      done: `Deleted ${name}`,
      refused: `${name} was not deleted`,
    })
    setFailure(refused?.message)
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
