// The filters of a table: a chip each, and the form that adds and edits them.
import { ListFilter, X } from 'lucide-react'
import { useState } from 'react'
import { DialogTrigger, Dialog, Popover } from 'react-aria-components'
import { Button } from '../../../widgets/button.tsx'
import { cx } from '../../../widgets/cx.ts'
import { type Column, filterWords, type TableFilter } from '../../../../services/workbench/table/index.ts'
import { FilterForm } from './filter-form.tsx'
import popover from '../../../widgets/popover.module.css'
import square from '../../../widgets/square.module.css'
import styles from './filter.module.css'

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
}) {
  return (
    <Popover placement="bottom start" className={cx(popover.popover, styles.popover)}>
      <Dialog aria-label="Filter" className={cx(styles.dialog)}>
        {({ close }) => (
          <FilterForm
            columns={props.columns}
            filter={props.filter}
            column={props.column}
            onDone={filter => {
              props.onDone(filter)
              close()
            }}
            onCancel={close}
          />
        )}
      </Dialog>
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
      />
    </DialogTrigger>
  )
}

function Chip({ at, columns, filters, onChange }: FilterBarProps & { readonly at: number }) {
  const [isOpen, setOpen] = useState(false)
  const filter = filters[at]
  if (filter === undefined) return null
  const text = filterWords(
    filter,
    columns.find(column => column.name === filter.column),
  )
  return (
    <li className={styles.chip}>
      <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
        <Button size="s" variant="quiet">
          <span className={styles.words}>{text}</span>
        </Button>
        <FilterPopover
          columns={columns}
          filter={filter}
          onDone={next => onChange(filters.map((each, n) => (n === at ? next : each)))}
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
      <li>
        <Button size="s" variant="quiet" onPress={() => onChange([])}>
          Clear all
        </Button>
      </li>
    </ul>
  )
}
