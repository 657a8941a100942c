// The structure of the shown table in a dialog.
import { Dialog } from '../../../widgets/dialog.tsx'
import type { TableToolsProps } from '../../../../services/workbench/table/index.ts'
import { StructureTable } from '../../data/structure-table.tsx'

export function StructureDialog({
  info,
  query: { schema },
  onClose,
}: TableToolsProps & { readonly onClose: () => void }) {
  return (
    <Dialog title={`Structure of ${info.name}`} isOpen onClose={onClose} huge>
      {info.note === undefined ? null : <p>{info.note}</p>}
      <StructureTable info={info} schema={schema} onLeave={onClose} />
    </Dialog>
  )
}
