// The selection of the shown table, and the edited cell.
import { useState } from 'react'
import type { Editing } from './grid-types.ts'
import { settle, START, type Selection } from '../../../../services/workbench/table/selection.ts'
import type { View } from '../../../../services/workbench/table/view.ts'

export const useSelection = (view: View) => {
  const [selection, setSelection] = useState<Selection>(START)
  const [editing, setEditing] = useState<Editing>()
  const settled = settle(view, selection)
  if (settled !== selection) setSelection(settled)
  return { selection: settled, setSelection, editing, setEditing }
}
