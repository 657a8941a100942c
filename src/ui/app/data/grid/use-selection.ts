// The selection of the shown table, and the edited cell.
import { useState } from 'react'
import type { Editing } from './grid-types.ts'
import {
  INITIAL_SELECTION,
  type Selection,
  settle,
  type View,
} from '../../../../services/workbench/table/index.ts'

export const useSelection = (view: View) => {
  const [selection, setSelection] = useState<Selection>(INITIAL_SELECTION)
  const [editing, setEditing] = useState<Editing>()
  const settled = settle(view, selection)
  if (settled !== selection) setSelection(settled)
  return { selection: settled, setSelection, editing, setEditing }
}
