// The editor for a cell of a form that is kept: what is being typed in it goes into the form when the session is lost.
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useClient, useStatus } from '../../../react.ts'
import { userIn, userOf } from '../../by-client.ts'
import type { Cell } from '../cells/cell-text.ts'
import type { CellEditorProps } from '../grid/grid-types.ts'
import { CellEditor } from './cell-editor.tsx'

export interface FormCellEditorProps extends Omit<CellEditorProps, 'onType'> {
  readonly onLeft: (cell: Cell) => void
}

/** Show it only while it is open. Closing the form is no reason: whoever does that lets go of what is in it. */
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
  // Before the form around it tells what was left in it.
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
