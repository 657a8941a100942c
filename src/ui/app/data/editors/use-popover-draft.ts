// The text in an editor with room of its own, and what becomes of it.
import { useRef, useState } from 'react'
import { readCell, type Cell } from '../cells/cell-text.ts'
import type { AfterEdit, CellEditorProps } from '../grid/grid-types.ts'

export interface PopoverDraft {
  readonly text: string
  readonly setText: (text: string) => void
  /** What is wrong with the text, from the first try to keep it on. */
  readonly error: string | undefined
  readonly save: (after: AfterEdit) => void
  readonly onNull: (() => void) | undefined
  readonly put: (cell: Cell) => void
}

/** An untouched text writes nothing; what is wrong is said in place, and nothing is let go for it. */
export const usePopoverDraft = (props: CellEditorProps): PopoverDraft => {
  const { column, cell, typed, onCommit, onType, onCancel } = props
  const [text, setText] = useState(typed ?? cell ?? '')
  const [error, setError] = useState(props.error)
  const isOver = useRef(false)
  const put = (next: Cell, after: AfterEdit = 'stay') => {
    if (isOver.current) return
    isOver.current = true
    if (next === cell && props.error === undefined && after === 'stay') onCancel()
    else onCommit(next, after)
  }
  const empty = column.type === 'text' ? '' : null
  const type = (next: string) => {
    setText(next)
    onType?.(next === '' ? empty : next)
  }
  const save = (after: AfterEdit) => {
    const isUntouched = typed === undefined && text === (cell ?? '')
    const next = isUntouched ? cell : text === '' ? empty : text
    const reading = isUntouched ? { value: null } : readCell(column, next)
    if ('error' in reading) setError(reading.error)
    else put(next, after)
  }
  return { text, setText: type, error, save, put, onNull: column.required ? undefined : () => put(null) }
}
