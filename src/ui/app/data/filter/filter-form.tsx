// The filter form: column, condition and value.
import { useState } from 'react'
import { Button } from '../../../widgets/button.tsx'
import { TextField } from '../../../widgets/field.tsx'
import { Form } from '../../../widgets/form.tsx'
import { Select } from '../../../widgets/select.tsx'
import {
  type Choice,
  choiceOf,
  choicesFor,
  type Column,
  filterValue,
  readCell,
  type TableFilter,
  typedValue,
} from '../../../../services/workbench/table/index.ts'
import styles from './filter.module.css'

export interface FilterFormProps {
  readonly columns: readonly Column[]
  /** The filter to edit; undefined for a new one. */
  readonly filter: TableFilter | undefined
  /** The column of a new filter. */
  readonly column?: string | undefined
  readonly onDone: (filter: TableFilter) => void
  readonly onCancel: () => void
}

const PLAIN_VALUES: ReadonlySet<string> = new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'isdistinct'])

/** Validates the value against the column's type before it is sent. */
const problemWith = (column: Column, choice: Choice, typed: string): string | undefined => {
  if (choice.input === 'none') return undefined
  if (typed === '' && choice.input !== 'value') return 'Enter a value.'
  if (choice.input !== 'value' || !PLAIN_VALUES.has(choice.operator) || column.type === 'text')
    return undefined
  const reading = readCell(column, typed)
  return 'error' in reading ? reading.error : undefined
}

/** Applied only when it is valid for the column. */
export function FilterForm({ columns, filter, column: wanted, onDone, onCancel }: FilterFormProps) {
  const [name, setName] = useState(filter?.column ?? (wanted || columns[0]?.name) ?? '')
  const column = columns.find(each => each.name === name)
  const before = column && filter && choiceOf(filter, column)
  const [chosen, setChosen] = useState(before?.id)
  const [typed, setTyped] = useState(
    before && filter ? typedValue(before, filter.value) : (filter?.value ?? ''),
  )
  const [error, setError] = useState<string>()
  const choices = column === undefined ? [] : choicesFor(column)
  const choice = choices.find(each => each.id === chosen) ?? choices[0]
  const submit = () => {
    if (column === undefined || choice === undefined) return
    const problem = problemWith(column, choice, typed)
    if (problem !== undefined) return setError(problem)
    const { operator, negate } = choice
    onDone({ column: column.name, operator, negate, value: filterValue(choice, typed) })
  }
  return (
    <Form className={styles.form} onSubmit={submit} aria-label="Filter">
      <Select
        label="Column"
        options={columns.map(each => ({ id: each.name, label: each.name }))}
        value={name}
        onChange={setName}
      />
      <Select
        label="Condition"
        options={choices.map(each => ({ id: each.id, label: each.label }))}
        value={choice?.id ?? null}
        onChange={setChosen}
      />
      {choice === undefined || choice.input === 'none' ? null : (
        <TextField
          label="Value"
          value={typed}
          placeholder={choice.example ?? column?.format ?? ''}
          error={error}
          autoComplete="off"
          onChange={text => {
            setTyped(text)
            setError(undefined)
          }}
        />
      )}
      <footer className={styles.footer}>
        <Button onPress={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary">
          {filter === undefined ? 'Add filter' : 'Change filter'}
        </Button>
      </footer>
    </Form>
  )
}
