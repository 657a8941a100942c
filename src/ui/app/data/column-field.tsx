// The form field of a column, by type: a value, null, or not set.
import { useState, type KeyboardEvent } from 'react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { TextArea } from '../../widgets/text-area.tsx'
import { Select } from '../../widgets/select.tsx'
import {
  absence,
  type Cell,
  type Column,
  fixedReason,
  mayBeOmitted,
  shortType,
  type Values,
} from '../../../services/workbench/table/index.ts'
import styles from './data.module.css'
import { CalendarDays, List, Maximize2, Search } from 'lucide-react'
import { FormCellEditor } from './editors/form-cell-editor.tsx'

export interface ColumnFieldProps {
  readonly column: Column
  readonly isNew: boolean
  readonly cell: Cell | undefined
  readonly error: string | undefined
  /** Placeholder while nothing was entered and that is not a value. */
  readonly untouched?: string
  /** @param also values this choice sets in other columns of the row */
  readonly onChange: (cell: Cell | undefined, also?: Values) => void
}

const DEFAULT = '·default'
const NULL = '·null'

/** Whether the column takes no value in this row. */
const isFixed = ({ column, isNew }: Pick<ColumnFieldProps, 'column' | 'isNew'>): boolean =>
  isNew
    ? column.generation !== undefined || column.lacks?.includes('insert') === true
    : column.isKey || fixedReason(column) !== undefined

const hintOf = ({
  column,
  isNew,
}: Pick<ColumnFieldProps, 'column' | 'isNew'>): { readonly hint?: string } => {
  const fixed = isNew || column.generation !== undefined ? undefined : fixedReason(column)
  const reason = fixed === undefined ? undefined : `Read-only: ${fixed}.`
  const hint = [reason, column.note].filter(text => text !== undefined).join(' ')
  return hint === '' ? {} : { hint }
}

function Choice(props: ColumnFieldProps) {
  const { column, isNew, cell, error, untouched, onChange } = props
  const values = column.type === 'boolean' ? ['true', 'false'] : (column.options ?? [])
  const options = [
    ...(isNew && column.hasDefault ? [{ id: DEFAULT, label: 'default' }] : []),
    ...(isNew && column.isDefaultUnknown ? [{ id: DEFAULT, label: 'not set' }] : []),
    ...(column.required ? [] : [{ id: NULL, label: 'null' }]),
    ...values.map(value => ({ id: value, label: value })),
  ]
  const absent =
    untouched === undefined ? (options.find(({ id }) => id === DEFAULT || id === NULL)?.id ?? null) : null
  const value = cell === null ? NULL : (cell ?? absent)
  return (
    <Select
      label={column.name}
      options={options}
      value={value}
      onChange={id => onChange(id === DEFAULT ? undefined : id === NULL ? null : id)}
      error={error}
    />
  )
}

/** An emptied text field is an empty string; any other emptied field is null, or left to the server. */
const typed = (text: string, props: ColumnFieldProps): Cell | undefined => {
  const { column, isNew, cell, untouched } = props
  if (text !== '') return text
  if (column.type === 'text' && cell !== null && cell !== undefined) return isNew ? undefined : ''
  return isNew || untouched !== undefined ? undefined : null
}

/** Buttons next to the text that set null or an empty string. */
function Ways({ props }: { readonly props: ColumnFieldProps }) {
  const { column, isNew, cell, onChange } = props
  const canBeEmpty = column.type === 'text' && cell !== ''
  if (isFixed(props)) return null
  return (
    <span className={styles.ways}>
      {canBeEmpty && (cell === null || cell === undefined) ? (
        <Button
          size="s"
          variant="quiet"
          aria-label={`Set ${column.name} to empty string`}
          onPress={() => onChange('')}
        >
          empty string
        </Button>
      ) : null}
      {column.required || cell === null || (isNew && cell === undefined && !column.hasDefault) ? null : (
        <Button
          size="s"
          variant="quiet"
          aria-label={`Set ${column.name} to null`}
          onPress={() => onChange(null)}
        >
          null
        </Button>
      )}
    </span>
  )
}

/** Whether the text is edited in a multi-line field. */
const useIsLong = ({ column, cell }: ColumnFieldProps): boolean => {
  // Decided once: a field that changes its kind while the user types would lose focus.
  const [isLong] = useState((cell ?? '').length > 60 || /[\r\n]/.test(cell ?? ''))
  return column.references === undefined && (column.type === 'json' || (column.type === 'text' && isLong))
}

/** A text field for the exact value, and a button for the grid editor of the column's type. */
function TypedField(props: ColumnFieldProps) {
  const { column, isNew, cell, error, onChange } = props
  const isLong = useIsLong(props)
  const { button, editor, open } = useFieldEditor(props)
  const isReadOnly = isFixed(props)
  const isNumeric = column.type === 'integer' || column.type === 'number'
  const shared = {
    label: column.name,
    value: (isNew && column.generation !== undefined ? null : cell) ?? '',
    onChange: (text: string) => onChange(typed(text, props)),
    error,
    placeholder: absence(props),
    labelNote: `${shortType(column.format)}${column.generation === undefined ? '' : ` · ${column.generation}`}`,
    ...hintOf(props),
    mono: column.type !== 'text' && !isNumeric,
    isReadOnly,
    isRequired: !mayBeOmitted(column),
    ...(open === undefined || isReadOnly
      ? {}
      : { onKeyDown: (event: KeyboardEvent) => opensEditor(event) && open() }),
  }
  const ways = (
    <>
      <Ways props={props} />
      {isReadOnly ? null : button}
    </>
  )
  return (
    <span className={isLong ? styles.fieldLong : styles.field}>
      {isLong ? (
        <>
          <TextArea {...shared} rows={3} />
          <span className={styles.ways}>{ways}</span>
        </>
      ) : (
        <TextField
          {...shared}
          suffix={ways}
          {...(isNumeric ? { inputMode: 'decimal' as const } : {})}
          autoComplete="off"
        />
      )}
      {editor}
    </span>
  )
}

/** Alt+ArrowDown, as for comboboxes. */
const opensEditor = (event: KeyboardEvent): boolean => {
  const opens = event.altKey && event.key === 'ArrowDown'
  if (opens) event.preventDefault()
  return opens
}

/** A select for columns with few values, else a text field. */
export function ColumnField(props: ColumnFieldProps) {
  const { column } = props
  const isChoice = column.type === 'boolean' || column.type === 'enum'
  return isChoice && column.references === undefined && !isFixed(props) ? (
    <Choice {...props} />
  ) : (
    <TypedField {...props} />
  )
}

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

interface FieldEditorProps {
  readonly column: Column
  readonly cell: Cell | undefined
  readonly onChange: (cell: Cell, also?: Values) => void
}

/** The button that opens the editor, and the editor; null for types that a plain field edits best. */
const useFieldEditor = ({ column, cell, onChange }: FieldEditorProps) => {
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
