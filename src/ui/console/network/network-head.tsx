// The head of the network view: filters and sorting of calls.
import { ArrowDown, ArrowUp } from 'lucide-react'
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { cx } from '../../widgets/cx.ts'
import { tickLabel, ticks, timeScale, type Range } from '../canvas/time-scale.ts'
import { COLUMNS, KINDS, type Column, type Kind, type Sorting, type Wanted } from './network-rows.ts'
import styles from './network.module.css'

const KIND_TITLES: Readonly<Record<Kind, string>> = {
  all: 'All',
  failed: 'Failed',
  retried: 'Retried',
  open: 'Pending',
}

interface FilterBarProps {
  readonly wanted: Wanted
  readonly onWanted: (wanted: Wanted) => void
}

export function FilterBar({ wanted, onWanted }: FilterBarProps) {
  return (
    <div className={styles.filters}>
      <ToggleButtonGroup
        aria-label="Call filter"
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[wanted.kind]}
        onSelectionChange={keys => {
          const kind = KINDS.find(one => keys.has(one))
          if (kind) onWanted({ ...wanted, kind })
        }}
        className={cx(styles.kinds)}
      >
        {KINDS.map(kind => (
          <ToggleButton key={kind} id={kind} className={cx(styles.kind)}>
            {KIND_TITLES[kind]}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <input
        className={styles.find}
        aria-label="Find calls"
        placeholder="method, path, status or failure"
        value={wanted.text}
        onChange={event => onWanted({ ...wanted, text: event.target.value })}
        onKeyDown={event => {
          if (event.key !== 'Escape' || wanted.text === '') return
          event.stopPropagation()
          onWanted({ ...wanted, text: '' })
        }}
      />
    </div>
  )
}

const TITLES: Readonly<Record<Column, string>> = {
  method: 'method',
  name: 'path',
  status: 'status',
  attempts: 'tries',
  size: 'size',
  duration: 'time',
  start: 'start',
}

interface HeadProps {
  readonly sorting: Sorting
  readonly onSort: (to: Sorting) => void
  readonly range: Range
  /** Approximate width of the waterfall, in pixels. */
  readonly width: number
}

export function Head({ sorting, onSort, range, width }: HeadProps) {
  return (
    <div role="row" aria-rowindex={1} className={styles.head}>
      {COLUMNS.map(column => {
        const isSorted = sorting.column === column
        const Arrow = sorting.isDescending ? ArrowDown : ArrowUp
        const order = isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : 'none'
        return (
          <span key={column} role="columnheader" aria-sort={order} className={styles[`${column}Head`]}>
            <button
              type="button"
              className={styles.sort}
              onClick={() => onSort({ column, isDescending: isSorted && !sorting.isDescending })}
            >
              {TITLES[column]}
              {isSorted ? <Arrow size={11} aria-hidden /> : null}
            </button>
            {column === 'start' ? <Ruler range={range} width={width} /> : null}
          </span>
        )
      })}
    </div>
  )
}

function Ruler({ range, width }: Pick<HeadProps, 'range' | 'width'>) {
  const scale = timeScale(range, Math.max(1, width))
  const marks = ticks(scale, 80)
  const step = (marks[1] ?? 1) - (marks[0] ?? 0)
  return (
    <span aria-hidden className={styles.ruler}>
      {marks
        .filter(t => scale.x(t) > 56 && scale.x(t) < width - 40)
        .map(t => (
          <span key={t} className={styles.tick} style={{ left: `${(100 * scale.x(t)) / scale.width}%` }}>
            {tickLabel(t, step)}
          </span>
        ))}
    </span>
  )
}
