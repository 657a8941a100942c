// The grid header: names and types, sort order, widths, and each column's menu.
import { ArrowDown, ArrowUp, KeyRound, Link2 } from 'lucide-react'
import { useState, type DragEvent, type PointerEvent, type ReactNode } from 'react'
import { cx } from '../../../widgets/cx.ts'
import type { Column, TableSort } from '../../../../services/workbench/table/index.ts'
import type { SeenColumn } from './grid-row.tsx'
import type { GridActions } from './grid-types.ts'
import styles from './grid.module.css'

export interface GridHeadProps {
  readonly columns: readonly SeenColumn[]
  readonly columnCount: number
  readonly width: number
  readonly sorts: readonly TableSort[]
  /** The cursor's column while it is in the header. */
  readonly cursor: number
  readonly gridId: string
  readonly actions: Pick<GridActions, 'resize' | 'move'>
  readonly menu: (column: Column) => ReactNode
}

const SHORT: readonly (readonly [RegExp, string])[] = [
  [/ with time zone/, 'tz'],
  [/ without time zone/, ''],
  [/^character varying/, 'varchar'],
  [/^double precision/, 'float8'],
]

/** A short form of the type. */
export const shortType = (format: string): string =>
  SHORT.reduce((text, [long, short]) => text.replace(long, short), format)

/** A truncated type is not useful. */
const hasRoom = ({ column: { name, format }, width }: SeenColumn): boolean =>
  width >= name.length * 7.4 + shortType(format).length * 6.4 + 62

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

/** Drags the right edge. */
const useResize = (seen: SeenColumn, resize: GridActions['resize']) => {
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
  const { seen, sorts, cursor, gridId, actions, menu } = props
  const { column, width, isPinned, left } = seen
  const sort = sorts.find(each => each.column === column.name)
  const resizing = useResize(seen, actions.resize)
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
      title={[column.format, column.note].filter(Boolean).join(' · ')}
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
export function GridHead({ columns, columnCount, width, ...rest }: GridHeadProps) {
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
}
