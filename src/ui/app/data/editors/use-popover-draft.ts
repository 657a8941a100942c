// The text in an editor with room of its own, and what becomes of it.
import { useRef, useState } from 'react'
import { readCell, type Cell } from '../cells/cell-text.ts'
import type { AfterEdit, CellEditorProps } from '../grid/grid-types.ts'
import type { Values } from '../writes/edits.ts'
import type { EditorFrame } from './editor-popover.tsx'

const NOTHING: Values = {}

export interface PopoverDraft {
  readonly text: string
  readonly setText: (text: string) => void
  /** @param also what other columns of the row become with it */
  readonly put: (cell: Cell, also?: Values) => void
  /** For the popover around it; what is wrong is said from the first try to keep the text on. */
  readonly frame: EditorFrame
}

/** An untouched text writes nothing; what is wrong is said in place, and nothing is let go for it. */
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
