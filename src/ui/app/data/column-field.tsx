// The field for one column, by its type: a value, null, or nothing at all.
import { useState, type KeyboardEvent } from 'react'
import { Button } from '../../widgets/button.tsx'
import { TextArea, TextField } from '../../widgets/field.tsx'
import { Select } from '../../widgets/select.tsx'
import type { Cell } from './cells/cell-text.ts'
import styles from './data.module.css'
import { useFieldEditor } from './field-editor.tsx'
import { shortType } from './grid/grid-head.tsx'
import type { Column } from './schema.ts'
import type { Values } from './writes/edits.ts'

export interface ColumnFieldProps {
  readonly column: Column
  readonly isNew: boolean
  readonly cell: Cell | undefined
  readonly error: string | undefined
  /** What is said while nothing was given, where that is no value. */
  readonly untouched?: string
  /** @param also what other columns of the row become with it */
  readonly onChange: (cell: Cell | undefined, also?: Values) => void
}

const DEFAULT = '·default'
const NULL = '·null'

/** What is said in the place of a value. */
export const absence = ({
  column,
  isNew,
  cell,
  untouched,
}: Pick<ColumnFieldProps, 'column' | 'isNew' | 'cell' | 'untouched'>): string => {
  if (column.made !== undefined && isNew) return 'made by the database'
  if (cell === undefined && untouched !== undefined) return untouched
  if (cell === null) return 'null'
  if (cell === '') return 'empty'
  if (isNew && column.hasDefault) return 'set by the server'
  return column.required ? 'required' : 'null'
}

function Choice(props: ColumnFieldProps) {
  const { column, isNew, cell, error, untouched, onChange } = props
  const values = column.type === 'boolean' ? ['true', 'false'] : (column.options ?? [])
  const options = [
    ...(isNew && column.hasDefault ? [{ id: DEFAULT, label: 'set by the server' }] : []),
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

/** An emptied text is an empty text; every other emptied field is null, or left to the server. */
const typed = (text: string, props: ColumnFieldProps): Cell | undefined => {
  const { column, isNew, cell, untouched } = props
  if (text !== '') return text
  if (column.type === 'text' && cell !== null && cell !== undefined) return isNew ? undefined : ''
  return isNew || untouched !== undefined ? undefined : null
}

/** Null and an empty text are told from each other by a button beside the text. */
function Ways({ props }: { readonly props: ColumnFieldProps }) {
  const { column, isNew, cell, onChange } = props
  const canBeEmpty = column.type === 'text' && cell !== ''
  if ((!isNew && column.isKey) || column.made !== undefined) return null
  return (
    <span className={styles.ways}>
      {canBeEmpty && (cell === null || cell === undefined) ? (
        <Button
          size="s"
          variant="quiet"
          aria-label={`Make ${column.name} empty`}
          onPress={() => onChange('')}
        >
          empty
        </Button>
      ) : null}
      {column.required || cell === null || (isNew && cell === undefined && !column.hasDefault) ? null : (
        <Button
          size="s"
          variant="quiet"
          aria-label={`Make ${column.name} null`}
          onPress={() => onChange(null)}
        >
          null
        </Button>
      )}
    </span>
  )
}

/** Which texts are written in several lines. */
const useIsLong = ({ column, cell }: ColumnFieldProps): boolean => {
  // Decided once: a field that changed its kind while one types would lose the focus.
  const [isLong] = useState((cell ?? '').length > 60 || /[\r\n]/.test(cell ?? ''))
  return column.references === undefined && (column.type === 'json' || (column.type === 'text' && isLong))
}

/** The exact text of the value, and beside it the editor that the grid has for such a column. */
function TypedField(props: ColumnFieldProps) {
  const { column, isNew, cell, error, onChange } = props
  const isLong = useIsLong(props)
  const { button, editor, open } = useFieldEditor(props)
  const isReadOnly = (!isNew && column.isKey) || column.made !== undefined
  const isNumeric = column.type === 'integer' || column.type === 'number'
  const shared = {
    label: column.name,
    value: (isNew && column.made !== undefined ? null : cell) ?? '',
    onChange: (text: string) => onChange(typed(text, props)),
    error,
    placeholder: absence(props),
    labelNote: `${shortType(column.format)}${column.made === undefined ? '' : ` · ${column.made}`}`,
    ...(column.note === undefined ? {} : { hint: column.note }),
    mono: column.type !== 'text' && !isNumeric,
    isReadOnly,
    isRequired: column.required && !column.hasDefault,
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

/** As lists that open beside a field do everywhere. */
const opensEditor = (event: KeyboardEvent): boolean => {
  const opens = event.altKey && event.key === 'ArrowDown'
  if (opens) event.preventDefault()
  return opens
}

/** The field for a column: few values are chosen, everything else is written. */
export function ColumnField(props: ColumnFieldProps) {
  const { column } = props
  const isChoice = column.type === 'boolean' || column.type === 'enum'
  return isChoice && column.references === undefined && column.made === undefined ? (
    <Choice {...props} />
  ) : (
    <TypedField {...props} />
  )
}
