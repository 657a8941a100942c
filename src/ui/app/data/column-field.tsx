// The field for one column, by its type.
import { useState } from 'react'
import { TextArea, TextField } from '../../widgets/field.tsx'
import { Select } from '../../widgets/select.tsx'
import type { Column } from './schema.ts'

export interface ColumnFieldProps {
  readonly column: Column
  readonly isNew: boolean
  readonly text: string
  readonly error: string | undefined
  readonly onChange: (text: string) => void
}

const NONE = '·none'

const absence = (column: Column, isNew: boolean): string => {
  if (isNew && column.hasDefault) return 'set by the server'
  return column.required ? 'required' : 'null'
}

const TYPED: Partial<Record<Column['type'], string>> = { timestamp: 'datetime-local', date: 'date' }

function Choice({ column, isNew, text, error, onChange }: ColumnFieldProps) {
  const values = column.type === 'boolean' ? ['true', 'false'] : (column.options ?? [])
  const none =
    column.required && !(isNew && column.hasDefault) ? [] : [{ id: NONE, label: absence(column, isNew) }]
  return (
    <Select
      label={column.name}
      options={[...none, ...values.map(value => ({ id: value, label: value }))]}
      value={text === '' ? (none[0]?.id ?? null) : text}
      onChange={id => onChange(id === NONE ? '' : id)}
      error={error}
    />
  )
}

/** An empty field leaves the value to the server, or means null. */
export function ColumnField(props: ColumnFieldProps) {
  const { column, isNew, text, error, onChange } = props
  // Decided once: a field that changed its kind while one types would lose the focus.
  const [isLong] = useState(text.length > 60 || text.includes('\n'))
  if (column.type === 'boolean' || column.type === 'enum') return <Choice {...props} />
  const shared = {
    label: column.name,
    value: text,
    onChange,
    error,
    placeholder: absence(column, isNew),
    labelNote: column.format.replace(' with time zone', 'tz').replace(' without time zone', ''),
    ...(column.note === undefined ? {} : { hint: column.note }),
    mono: column.type === 'json' || column.type === 'uuid',
    isReadOnly: !isNew && column.isKey,
    isRequired: column.required && !column.hasDefault,
  }
  if (column.type === 'json' || (column.type === 'text' && isLong)) return <TextArea {...shared} rows={3} />
  const type = TYPED[column.type]
  const numeric = column.type === 'integer' || column.type === 'number'
  return (
    <TextField
      {...shared}
      {...(type === undefined ? {} : { type })}
      {...(numeric ? { inputMode: 'decimal' as const } : {})}
      autoComplete="off"
    />
  )
}
