// Opens the grid's editor beside a form field; its result is written into the field.
import { CalendarDays, List, Maximize2, Search } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../widgets/button.tsx'
import type { Cell, Column, Values } from '../../../services/workbench/table/index.ts'
import { FormCellEditor } from './editors/form-cell-editor.tsx'

interface Opener {
  readonly words: string
  readonly Icon: typeof Search
}

const OPENERS: Readonly<Partial<Record<Column['type'], Opener>>> = {
  timestamp: { words: 'Pick a time for', Icon: CalendarDays },
  date: { words: 'Pick a day for', Icon: CalendarDays },
  time: { words: 'Pick a time for', Icon: CalendarDays },
  array: { words: 'Edit the elements of', Icon: List },
  json: { words: 'Open the editor for', Icon: Maximize2 },
}

const openerOf = ({ references, type }: Column): Opener | undefined =>
  references === undefined ? OPENERS[type] : { words: `Look up ${references.table} for`, Icon: Search }

export interface FieldEditorProps {
  readonly column: Column
  readonly cell: Cell | undefined
  readonly onChange: (cell: Cell, also?: Values) => void
}

/** The button that opens the editor, and the editor; null for types that a plain field edits best. */
export const useFieldEditor = ({ column, cell, onChange }: FieldEditorProps) => {
  const [isOpen, setOpen] = useState(false)
  const opener = openerOf(column)
  if (opener === undefined) return { button: null, editor: null, open: undefined }
  const { words, Icon } = opener
  const open = () => setOpen(true)
  return {
    open,
    button: (
      <IconButton size="s" label={`${words} ${column.name}`} shortcut="Alt+↓" noTooltip onPress={open}>
        <Icon size={14} />
      </IconButton>
    ),
    editor: isOpen ? (
      <FormCellEditor
        column={column}
        row={{}}
        cell={cell ?? null}
        typed={undefined}
        error={undefined}
        onCommit={(next, _after, also) => {
          setOpen(false)
          onChange(next, also)
        }}
        onLeft={onChange}
        onCancel={() => setOpen(false)}
      />
    ) : null,
  }
}
