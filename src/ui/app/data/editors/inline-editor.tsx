// Inline editor for short values: a field in place of the cell.
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Cell } from '../../../../services/workbench/table/index.ts'
import type { AfterEdit, CellEditorProps } from '../grid/grid-types.ts'
import styles from './editors.module.css'

export interface InlineEditorProps extends CellEditorProps {
  /** Hands the text over to a multi-line editor. */
  readonly onLong?: (text: string) => void
}

/** An emptied field is an empty string in text columns, else null. */
const cellFrom = (text: string, { column, cell }: Pick<CellEditorProps, 'column' | 'cell'>): Cell => {
  if (text !== '') return text
  if (column.type === 'text') return cell === null ? null : ''
  return null
}

/** The field's text with `put` replacing the selection. */
const withPut = ({ value, selectionStart, selectionEnd }: HTMLInputElement, put: string): string =>
  value.slice(0, selectionStart ?? value.length) + put + value.slice(selectionEnd ?? value.length)

const afterKey = ({ key, shiftKey }: KeyboardEvent): AfterEdit | undefined => {
  if (key === 'Enter') return shiftKey ? 'up' : 'down'
  if (key === 'Tab') return shiftKey ? 'left' : 'right'
  return undefined
}

/** Enter and Tab save and move on, Escape discards, blur saves. */
export function InlineEditor(props: InlineEditorProps) {
  const { column, cell, typed, error, onCommit, onType, onCancel, onLong } = props
  const [text, setText] = useState(typed ?? cell ?? '')
  const input = useRef<HTMLInputElement>(null)
  const isOver = useRef(false)
  useLayoutEffect(() => {
    input.current?.focus({ preventScroll: true })
    if (typed === undefined) input.current?.select()
  }, [typed])
  const end = (after: AfterEdit, isDropped = false) => {
    // Unmounting the field also blurs it; ignore that.
    if (isOver.current) return
    isOver.current = true
    const next = cellFrom(text, props)
    if (isDropped || (next === cell && error === undefined && after === 'stay')) onCancel()
    else onCommit(next, after)
  }
  const goOn = (longer: string) => {
    isOver.current = true
    onLong?.(longer)
  }
  const isNumeric = column.type === 'integer' || column.type === 'number'
  return (
    <span data-editor="" className={styles.inline}>
      <input
        ref={input}
        className={styles.input}
        aria-label={column.name}
        aria-invalid={error !== undefined}
        title={error}
        value={text}
        dir="auto"
        placeholder={cell === null ? 'null' : ''}
        inputMode={isNumeric ? 'decimal' : 'text'}
        autoComplete="off"
        spellCheck={column.type === 'text'}
        onChange={event => {
          setText(event.target.value)
          onType?.(cellFrom(event.target.value, props))
        }}
        onBlur={() => end('stay')}
        onPaste={event => {
          const put = event.clipboardData.getData('text/plain')
          // A single-line field would drop the line breaks.
          if (onLong === undefined || !/[\r\n]/.test(put)) return
          event.preventDefault()
          goOn(withPut(event.currentTarget, put.replaceAll(/\r\n?/g, '\n')))
        }}
        onKeyDown={event => {
          const after = afterKey(event)
          if (event.key === 'Enter' && event.altKey && onLong !== undefined) {
            event.preventDefault()
            return goOn(`${text}\n`)
          }
          if (after === undefined && event.key !== 'Escape') return
          event.preventDefault()
          event.stopPropagation()
          end(after ?? 'stay', event.key === 'Escape')
        }}
      />
    </span>
  )
}
