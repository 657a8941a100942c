// The list of tables in a dialog, for windows without room for it next to the page.
import { Dialog } from '../../../widgets/dialog.tsx'
import { TableList } from './table-list.tsx'

export function TablePickerDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Tables" isOpen onClose={onClose}>
      <TableList isLarge onOpened={onClose} />
    </Dialog>
  )
}
