// Picks the cell editor by column type.
import { useState } from 'react'
import type { CellEditorProps } from '../grid/grid-types.ts'
import { ArrayEditor } from './array-editor.tsx'
import { ChoiceEditor } from './choice-editor.tsx'
import { InlineEditor } from './inline-editor.tsx'
import { JsonEditor } from './json-editor.tsx'
import { LookupEditor } from './lookup-editor.tsx'
import { TextEditor } from './text-editor.tsx'
import { TimeEditor } from './time-editor.tsx'

const MOST_INLINE = 100

function TextCellEditor(props: CellEditorProps) {
  const [typed, setTyped] = useState(props.typed)
  const [isLong, setLong] = useState(
    props.typed === undefined && ((props.cell ?? '').length > MOST_INLINE || /[\r\n]/.test(props.cell ?? '')),
  )
  if (isLong) return <TextEditor {...props} typed={typed} />
  return (
    <InlineEditor
      {...props}
      onLong={text => {
        setTyped(text)
        setLong(true)
      }}
    />
  )
}

/** Foreign keys use the lookup editor, whatever their type. */
export function CellEditor(props: CellEditorProps) {
  const { column } = props
  if (column.references !== undefined) return <LookupEditor {...props} references={column.references} />
  switch (column.type) {
    case 'boolean':
    case 'enum':
      return <ChoiceEditor {...props} />
    case 'json':
      return <JsonEditor {...props} />
    case 'array':
      return <ArrayEditor {...props} />
    case 'timestamp':
    case 'date':
    case 'time':
      return <TimeEditor {...props} />
    case 'integer':
    case 'number':
    case 'uuid':
    case 'interval':
      return <InlineEditor {...props} />
    case 'bytea':
    case 'text':
      return <TextCellEditor {...props} />
  }
}
