// State of a popover editor: its text, and how it is saved.
import { useRef, useState } from 'react'
import { type Cell, readCell, type Values } from '../../../../services/workbench/table/index.ts'
import type { AfterEdit, CellEditorProps } from '../grid/grid-types.ts'
import type { EditorFrame } from './editor-popover.tsx'

const NOTHING: Values = {}

export interface PopoverDraft {
  readonly text: string
  readonly setText: (text: string) => void
  /** @param also values this choice sets in other columns of the row */
  readonly put: (cell: Cell, also?: Values) => void
  /** Props for the popover; the error appears after the first attempt to save. */
  readonly frame: EditorFrame
}

/** Unchanged text writes nothing; invalid text stays open with its error. */
export const usePopoverDraft = (props: CellEditorProps): PopoverDraft => {
  const { column, cell, typed, onCommit, onType, onCancel } = props
  const [text, setText] = useState(typed ?? cell ?? '')
  const [error, setError] = useState(props.error)
  const isOver = useRef(false)
  const put = (next: Cell, after: AfterEdit = 'stay', also: Values = NOTHING) => {
    if (isOver.current) return
    isOver.current = true
    const isSame = next === cell && Object.keys(also).length === 0
    if (isSame && props.error === undefined && after === 'stay') onCancel()
    else onCommit(next, after, also)
  }
  const empty = column.type === 'text' ? '' : null
  const type = (next: string) => {
    setText(next)
    onType?.(next === '' ? empty : next)
  }
  const onSave = (after: AfterEdit) => {
    const isUntouched = typed === undefined && text === (cell ?? '')
    const next = isUntouched ? cell : text === '' ? empty : text
    const reading = isUntouched ? { value: null } : readCell(column, next)
    if ('error' in reading) setError(reading.error)
    else put(next, after)
  }
  const onNull = column.required ? undefined : () => put(null)
  const choose = (next: Cell, also?: Values) => put(next, 'stay', also)
  return { text, setText: type, put: choose, frame: { column, error, onSave, onNull, onCancel } }
}
