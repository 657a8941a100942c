// A cell editor inside a form: unsaved input moves into the form when the session is lost.
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useClient, useStatus } from '../../../react/index.ts'
import { userIn, userOf } from '../../../../services/workbench/storage/index.ts'
import type { Cell } from '../../../../services/workbench/table/index.ts'
import type { CellEditorProps } from '../grid/grid-types.ts'
import { CellEditor } from './cell-editor.tsx'

export interface FormCellEditorProps extends Omit<CellEditorProps, 'onType'> {
  readonly onLeft: (cell: Cell) => void
}

/** Render only while open. Closing the form discards the input. */
export function FormCellEditor({ onLeft, ...editor }: FormCellEditorProps) {
  const client = useClient()
  const user = useStatus(userIn)
  const typed = useRef<Cell>(undefined)
  const leave = useRef(() => undefined as void)
  useEffect(() => {
    leave.current = () => {
      if (typed.current !== undefined && userOf(client) !== user) onLeft(typed.current)
    }
  })
  // Runs before the surrounding form reports its unsaved input.
  useLayoutEffect(() => () => leave.current(), [])
  return (
    <CellEditor
      {...editor}
      onType={cell => {
        typed.current = cell
      }}
    />
  )
}
