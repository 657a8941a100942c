// The filters of a table: a chip each, and the form that adds and edits them.
import { ListFilter, X } from 'lucide-react'
import { useState } from 'react'
import { DialogTrigger, Popover } from 'react-aria-components'
import { Button } from '../../../widgets/button.tsx'
import { cx } from '../../../widgets/cx.ts'
import {
  alternativesOf,
  type Column,
  conditionWords,
  filterOf,
  filterWords,
  isZoned,
  withZone,
  searchFilter,
  type TableCondition,
  type TableFilter,
  type Choice,
  choiceOf,
  choicesFor,
  filterValue,
  readCell,
  typedValue,
} from '../../../../services/workbench/table/index.ts'
import popover from '../../../widgets/popover.module.css'
import square from '../../../widgets/square.module.css'
import styles from './filter.module.css'
import { TextField } from '../../../widgets/field.tsx'
import { Form } from '../../../widgets/form.tsx'
import { Select } from '../../../widgets/select.tsx'

export interface FilterBarProps {
  readonly columns: readonly Column[]
  readonly filters: readonly TableFilter[]
  readonly onChange: (filters: readonly TableFilter[]) => void
}

function FilterPopover(props: {
  readonly columns: readonly Column[]
  readonly filter: TableFilter | undefined
  readonly column?: string | undefined
  readonly onDone: (filter: TableFilter) => void
  readonly onClose: () => void
}) {
  const { columns, filter, column, onDone, onClose } = props
  // The popover is the dialog: its hidden buttons for screen readers would be outside of one inside of it.
  return (
    <Popover placement="bottom start" aria-label="Filter" className={cx(popover.popover, styles.popover)}>
      <FilterForm
        columns={columns}
        filter={filter}
        column={column}
        onDone={next => {
          onDone(next)
          onClose()
        }}
        onCancel={onClose}
      />
    </Popover>
  )
}

export interface AddFilterProps extends FilterBarProps {
  /** The column to filter; empty for any, undefined while the form is closed. */
  readonly asked: string | undefined
  readonly onAsk: (column: string | undefined) => void
}

/** The button that adds a filter. */
export function AddFilter(props: AddFilterProps) {
  const { columns, filters, onChange, asked, onAsk } = props
  return (
    <DialogTrigger isOpen={asked !== undefined} onOpenChange={isOpen => onAsk(isOpen ? '' : undefined)}>
      <Button size="s" icon={<ListFilter size={14} aria-hidden />} isDisabled={columns.length === 0}>
        Filter
      </Button>
      <FilterPopover
        columns={columns}
        filter={undefined}
        column={asked}
        onDone={filter => onChange([...filters, filter])}
        onClose={() => onAsk(undefined)}
      />
    </DialogTrigger>
  )
}

function Chip({ at, columns, filters, onChange }: FilterBarProps & { readonly at: number }) {
  const [isOpen, setOpen] = useState(false)
  const filter = filters[at]
  if (filter === undefined) return null
  const text = filterWords(filter, columns)
  return (
    <li className={styles.chip} title={text}>
      <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
        <Button size="s" variant="quiet">
          <span className={styles.words}>{text}</span>
        </Button>
        <FilterPopover
          columns={columns}
          filter={filter}
          onDone={next => onChange(filters.map((each, n) => (n === at ? next : each)))}
          onClose={() => setOpen(false)}
        />
      </DialogTrigger>
      <button
        type="button"
        className={square.square}
        aria-label={`Remove filter ${text}`}
        onClick={() => onChange(filters.filter((_, n) => n !== at))}
      >
        <X size={13} aria-hidden />
      </button>
    </li>
  )
}

/** Renders nothing without filters. */
export function FilterChips(props: FilterBarProps) {
  const { filters, onChange } = props
  if (filters.length === 0) return null
  return (
    <ul className={styles.chips} aria-label="Filters">
      {filters.map((filter, at) => (
        <Chip key={`${at} ${filter.column}`} {...props} at={at} />
      ))}
      {filters.length === 1 ? null : (
        <li>
          <Button size="s" variant="quiet" onPress={() => onChange([])}>
            Clear all
          </Button>
        </li>
      )}
    </ul>
  )
}

/** Finds rows with a text in any column; the result is a filter like others. */
export function QuickSearch({ columns, filters, onChange }: FilterBarProps) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const find = () => {
    const wanted = text.trim()
    if (wanted === '') return
    const filter = searchFilter(columns, wanted)
    if (filter === undefined) return setError('No column of this table can have this text.')
    onChange([...filters, filter])
    setText('')
  }
  return (
    <Form className={styles.search} onSubmit={find} aria-label="Search rows">
      <TextField
        label="Find in any column"
        hideLabel
        placeholder="Find in any column"
        value={text}
        error={error}
        autoComplete="off"
        onChange={next => {
          setText(next)
          setError(undefined)
        }}
      />
    </Form>
  )
}

interface FilterFormProps {
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
function FilterForm({ columns, filter, column: wanted, onDone, onCancel }: FilterFormProps) {
  const all = filter === undefined ? [] : alternativesOf(filter)
  const last = all.at(-1)
  // The others, of which one must hold instead.
  const [others, setOthers] = useState(all.slice(0, -1))
  const [name, setName] = useState(last?.column ?? (wanted || columns[0]?.name) ?? '')
  const column = columns.find(each => each.name === name)
  const before = column && last && choiceOf(last, column)
  const [chosen, setChosen] = useState(before?.id)
  const [typed, setTyped] = useState(before && last ? typedValue(before, last.value) : (last?.value ?? ''))
  const [error, setError] = useState<string>()
  const choices = column === undefined ? [] : choicesFor(column)
  const choice = choices.find(each => each.id === chosen) ?? choices[0]
  /** Undefined if it is not valid, which is then shown. */
  const condition = (): TableCondition | undefined => {
    if (column === undefined || choice === undefined) return undefined
    const problem = problemWith(column, choice, typed)
    setError(problem)
    const { operator, negate } = choice
    const isTime = isZoned(column) && PLAIN_VALUES.has(operator)
    return problem === undefined
      ? {
          column: column.name,
          operator,
          negate,
          value: filterValue(choice, isTime ? withZone(typed) : typed),
        }
      : undefined
  }
  const submit = () => {
    const own = condition()
    const done = own && filterOf([...others, own])
    if (done !== undefined) onDone(done)
  }
  const addAlternative = () => {
    const own = condition()
    if (own === undefined) return
    setOthers([...others, own])
    setTyped('')
  }
  return (
    <Form className={styles.form} onSubmit={submit} aria-label="Filter">
      {others.length === 0 ? null : (
        <ul className={styles.others} aria-label="Alternatives">
          {others.map((other, at) => {
            const words = conditionWords(other, columns)
            return (
              <li key={`${at} ${words}`}>
                <span>{words}</span> or
                <button
                  type="button"
                  className={square.square}
                  aria-label={`Remove alternative ${words}`}
                  onClick={() => setOthers(others.filter((_, n) => n !== at))}
                >
                  <X size={13} aria-hidden />
                </button>
              </li>
            )
          })}
        </ul>
      )}
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
        <Button variant="quiet" onPress={addAlternative}>
          Or…
        </Button>
        <Button onPress={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary">
          {filter === undefined ? 'Add filter' : 'Change filter'}
        </Button>
      </footer>
    </Form>
  )
}
