// The grid header: names and types, sort order, widths, and each column's menu.
import { ArrowDown, ArrowUp, KeyRound, Link2, ChevronDown } from 'lucide-react'
import { memo, useState, type DragEvent, type PointerEvent, type ReactNode } from 'react'
import { cx } from '../../../widgets/cx.ts'
import {
  type Column,
  fixedReason,
  headWidth,
  isZoned,
  shortType,
  type TableSort,
  type LaidColumn,
  type LayoutAction,
  unsortedReason,
} from '../../../../services/workbench/table/index.ts'
import type { SeenColumn } from './grid-rows.tsx'
import type { GridActions } from './grid-types.ts'
import { zoneChoices } from '../../time-zone.ts'
import styles from './grid.module.css'
import { Button, MenuTrigger, Popover } from 'react-aria-components'
import menu from '../../../widgets/menu.module.css'
import square from '../../../widgets/square.module.css'
import { ActionMenu, type MenuAction } from '../../../widgets/menu.tsx'

export interface GridHeadProps {
  readonly columns: readonly SeenColumn[]
  readonly columnCount: number
  readonly width: number
  readonly sorts: readonly TableSort[]
  /** The cursor's column while it is in the header. */
  readonly cursor: number
  readonly gridId: string
  readonly actions: Pick<GridActions, 'resize' | 'fit' | 'move'>
  /** The zone in which times are shown. */
  readonly zone: string
  readonly menu: (column: Column) => ReactNode
}

/** A truncated type is not useful. */
const hasRoom = ({ column, width }: SeenColumn): boolean => width >= headWidth(column)

const SORTED = { asc: 'ascending', desc: 'descending' } as const

function SortMark({ sorts, name }: { readonly sorts: readonly TableSort[]; readonly name: string }) {
  const at = sorts.findIndex(sort => sort.column === name)
  const sort = sorts[at]
  if (sort === undefined) return null
  const Icon = sort.direction === 'asc' ? ArrowUp : ArrowDown
  return (
    <span className={styles.sortMark}>
      <Icon size={12} aria-hidden />
      {sorts.length > 1 ? at + 1 : null}
    </span>
  )
}

/** The type in full, the zone of its times, why it is read-only, and its comment. */
const headTitle = (column: Column, zone: string): string => {
  const fixed = fixedReason(column)
  const parts = [
    column.format,
    isZoned(column) ? `times in ${zone}` : undefined,
    fixed === undefined ? undefined : `read-only: ${fixed}`,
    column.note,
  ]
  return parts.filter(Boolean).join(' · ')
}

/** Drags the right edge; a double click fits the column to its values. */
const useResize = (seen: SeenColumn, { resize, fit }: Pick<GridActions, 'resize' | 'fit'>) => {
  const [from, setFrom] = useState<{ readonly x: number; readonly width: number }>()
  return {
    onPointerDown: (event: PointerEvent<HTMLSpanElement>) => {
      event.preventDefault()
      event.stopPropagation()
      event.currentTarget.setPointerCapture(event.pointerId)
      setFrom({ x: event.clientX, width: seen.width })
    },
    onPointerMove: (event: PointerEvent) => {
      if (from !== undefined) resize(seen.column.name, from.width + event.clientX - from.x)
    },
    onPointerUp: () => setFrom(undefined),
    onDoubleClick: () => fit(seen.column.name),
  }
}

const MIME = 'application/x-chartroom-column'

const dragging = ({ column }: SeenColumn, move: GridActions['move']) => ({
  draggable: true,
  onDragStart: (event: DragEvent) => {
    event.dataTransfer.setData(MIME, column.name)
    event.dataTransfer.effectAllowed = 'move'
  },
  onDragOver: (event: DragEvent) => {
    if (event.dataTransfer.types.includes(MIME)) event.preventDefault()
  },
  onDrop: (event: DragEvent) => {
    const name = event.dataTransfer.getData(MIME)
    if (name !== '' && name !== column.name) move(name, column.name)
  },
})

function HeadCell(
  props: Omit<GridHeadProps, 'columns' | 'width' | 'columnCount'> & { readonly seen: SeenColumn },
) {
  const { seen, sorts, cursor, gridId, actions, zone, menu } = props
  const { column, width, isPinned, left } = seen
  const sort = sorts.find(each => each.column === column.name)
  const resizing = useResize(seen, actions)
  return (
    <div
      role="columnheader"
      id={`${gridId}--1-${seen.index}`}
      aria-colindex={seen.index + 2}
      aria-sort={sort === undefined ? 'none' : SORTED[sort.direction]}
      aria-label={column.name}
      className={cx(styles.headCell, isPinned && styles.pinned, cursor === seen.index && styles.cursor)}
      style={isPinned ? { width, left } : { width, marginLeft: left }}
      data-head={seen.index}
      title={headTitle(column, zone)}
      {...dragging(seen, actions.move)}
    >
      {column.isKey ? <KeyRound size={12} aria-hidden className={styles.headIcon} /> : null}
      {column.references === undefined ? null : <Link2 size={12} aria-hidden className={styles.headIcon} />}
      <span className={styles.headName}>{column.name}</span>
      {hasRoom(seen) ? <span className={styles.headType}>{shortType(column.format)}</span> : null}
      <SortMark sorts={sorts} name={column.name} />
      <span className={styles.headMenu}>{menu(column)}</span>
      <span className={styles.resize} data-edge="" aria-hidden {...resizing} />
    </div>
  )
}

/** Sticks to the top. */
export const GridHead = memo(function GridHead({ columns, columnCount, width, ...rest }: GridHeadProps) {
  return (
    <div role="rowgroup" className={styles.head} style={{ width }}>
      <div role="row" aria-rowindex={1} className={styles.headRow}>
        <div role="columnheader" aria-colindex={1} className={styles.headGutter}>
          <span className={styles.hidden}>Row number</span>
        </div>
        {columns.map(seen => (
          <HeadCell key={seen.column.name} {...rest} seen={seen} />
        ))}
        <div role="columnheader" aria-colindex={columnCount + 2} className={styles.headActions}>
          <span className={styles.hidden}>Actions</span>
        </div>
      </div>
    </div>
  )
})

export interface HeadMenuProps {
  readonly column: Column
  readonly columns: readonly LaidColumn[]
  readonly onSort: (direction: 'asc' | 'desc' | undefined, isAdded: boolean) => void
  readonly onFilter: () => void
  readonly onLayout: (action: LayoutAction) => void
  /** Makes the column as wide as its loaded values. */
  readonly onFit: () => void
  /** Rows that the column refers to, with the reason if their columns can't be shown. */
  readonly references: readonly {
    readonly table: string
    readonly reason: string | undefined
    readonly show: () => void
  }[]
}

const WIDER = 48

const orderActions = ({ column, onSort, onFilter, references }: HeadMenuProps): readonly MenuAction[] => {
  const disabled = unsortedReason(column)
  return [
    { id: 'asc', title: 'Sort ascending', disabled, run: () => onSort('asc', false) },
    { id: 'desc', title: 'Sort descending', disabled, run: () => onSort('desc', false) },
    { id: 'then-asc', title: 'Add to sort (ascending)', disabled, run: () => onSort('asc', true) },
    { id: 'then-desc', title: 'Add to sort (descending)', disabled, run: () => onSort('desc', true) },
    { id: 'unsorted', title: 'Remove from sort', run: () => onSort(undefined, true) },
    ...(column.related === undefined ? [{ id: 'filter', title: 'Filter…', run: onFilter }] : []),
    ...(isZoned(column) ? zoneChoices() : []).map(({ title, isOn, choose }) => ({
      id: title,
      title,
      disabled: isOn ? 'current' : undefined,
      run: choose,
    })),
    ...references.map(({ table, reason, show }, at) => ({
      id: `related-${at}`,
      title: `Show columns of ${table}…`,
      disabled: reason,
      run: show,
    })),
  ]
}

const placeActions = ({
  column: { name },
  columns,
  onLayout,
  onFit,
}: HeadMenuProps): readonly MenuAction[] => {
  const at = columns.findIndex(each => each.column.name === name)
  const laid = columns[at]
  const [before, after] = [columns[at - 1], columns[at + 1]]
  const size = (by: number) => onLayout({ type: 'column.sized', name, width: (laid?.width ?? 0) + by })
  const move = (to: LaidColumn | undefined) => {
    if (to !== undefined) onLayout({ type: 'column.moved', name, to: to.column.name })
  }
  return [
    laid?.isPinned === true
      ? { id: 'pin', title: 'Unpin', run: () => onLayout({ type: 'column.unpinned', name }) }
      : { id: 'pin', title: 'Pin to the left', run: () => onLayout({ type: 'column.pinned', name }) },
    {
      id: 'left',
      title: 'Move left',
      run: () => move(before),
      disabled: before?.isPinned === laid?.isPinned ? undefined : 'already first',
    },
    {
      id: 'right',
      title: 'Move right',
      run: () => {
        if (after !== undefined) onLayout({ type: 'column.moved', name: after.column.name, to: name })
      },
      disabled: after !== undefined && after.isPinned === laid?.isPinned ? undefined : 'already last',
    },
    { id: 'fit', title: 'Fit to values', run: onFit },
    { id: 'wider', title: 'Wider', run: () => size(WIDER) },
    { id: 'narrower', title: 'Narrower', run: () => size(-WIDER) },
    {
      id: 'hide',
      title: 'Hide',
      run: () => onLayout({ type: 'column.hidden', name }),
      disabled: columns.length === 1 ? 'the only visible column' : undefined,
    },
  ]
}

/** Not a tab stop: Alt+ArrowDown opens it from the header. */
export function HeadMenu(props: HeadMenuProps) {
  const { name } = props.column
  return (
    <span className={styles.menuHolder}>
      <MenuTrigger>
        <Button excludeFromTabOrder aria-label={`${name} column menu`} className={cx(square.square)}>
          <ChevronDown size={13} aria-hidden />
        </Button>
        <Popover placement="bottom end" className={cx(menu.menu)}>
          <Actions {...props} />
        </Popover>
      </MenuTrigger>
    </span>
  )
}

/** Rendered only while the menu is open: a wide table has many headers. */
function Actions(props: HeadMenuProps) {
  return (
    <ActionMenu
      label={`Column ${props.column.name}`}
      actions={orderActions(props)}
      more={placeActions(props)}
    />
  )
}
