// A table of the diagram: a link with its columns, or only its name when it is far away.
import { memo, type CSSProperties, type FocusEvent, type MouseEvent } from 'react'
import { cx } from '../../widgets/cx.ts'
import styles from './diagram.module.css'
import { HEAD, MARK, ROW, SIDE, type PlacedTable } from './diagram-layout.ts'
import { CORNER, headPath, keyMark } from './diagram-shapes.ts'

/** `active`: it is pointed at, focused or found. `near`: a key connects it with that one. `dim`: neither. */
export type Tone = 'active' | 'near' | 'dim' | undefined

export interface TableShapeProps {
  readonly placed: PlacedTable
  /** Accessible name. */
  readonly label: string
  readonly color: string
  /** Where its rows are; undefined for a table that is not listed. */
  readonly href: string | undefined
  readonly tone: Tone
  /** Whether only its name is drawn. */
  readonly isFar: boolean
  /** Whether it is in or near the view. */
  readonly isDrawn: boolean
  readonly onOpen: (id: string) => void
  readonly onPoint: (id: string | undefined) => void
  readonly onFocus: (id: string | undefined, isByKey: boolean) => void
}

function Rows({ placed }: Pick<TableShapeProps, 'placed'>) {
  const { rows, width, hiddenCount } = placed
  return (
    <>
      {rows.map(({ column, name, type, y }) => (
        <g key={column.name}>
          <text className={styles.mark} x={SIDE} y={y + 3.5}>
            {keyMark(column)}
          </text>
          <text className={cx(styles.column, column.isKey && styles.primary)} x={SIDE + MARK} y={y + 4}>
            {name}
          </text>
          <text className={styles.type} x={width - SIDE} y={y + 4}>
            {type}
          </text>
        </g>
      ))}
      {hiddenCount === 0 ? null : (
        <text className={styles.more} x={SIDE + MARK} y={HEAD + rows.length * ROW + 17}>
          {hiddenCount} more
        </text>
      )}
    </>
  )
}

function Content({ placed, isFar }: Pick<TableShapeProps, 'placed' | 'isFar'>) {
  const { width, height, title, kind, farSize } = placed
  if (isFar)
    return (
      <text className={styles.far} x={width / 2} y={height / 2 + farSize * 0.35} fontSize={farSize}>
        {title}
      </text>
    )
  return (
    <>
      <text className={styles.title} x={SIDE} y={HEAD / 2 + 4.5}>
        {title}
      </text>
      {kind === '' ? null : (
        <text className={styles.type} x={width - SIDE} y={HEAD / 2 + 4}>
          {kind}
        </text>
      )}
      <Rows placed={placed} />
    </>
  )
}

/** The pointer opens it through the canvas, which tells clicks from drags; keys open the link itself. */
export const TableShape = memo(function TableShape(props: TableShapeProps) {
  const { placed, label, color, href, tone, isFar, isDrawn, onOpen } = props
  const { table, x, y, width, height, kind } = placed
  const { onPoint, onFocus } = props
  const frame = (
    <>
      <rect className={styles.frame} width={width} height={height} rx={CORNER} />
      <path className={styles.head} d={headPath(width, height)} />
    </>
  )
  const shared = {
    className: styles.link,
    'aria-label': label,
    'data-table': table.id,
    onPointerEnter: () => onPoint(table.id),
    onPointerLeave: () => onPoint(undefined),
    onFocus: (event: FocusEvent) => onFocus(table.id, event.target.matches(':focus-visible')),
    onBlur: () => onFocus(undefined, false),
  }
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    // With a pointer, the canvas opens it.
    if (event.detail === 0) onOpen(table.id)
  }
  return (
    <g
      className={cx(
        styles.table,
        isFar && styles.farTable,
        (!table.isListed || kind !== '') && styles.dashed,
      )}
      transform={`translate(${x} ${y})`}
      style={{ '--tint': color } as CSSProperties}
      data-tone={tone}
    >
      {href === undefined ? (
        <g role="img" {...shared}>
          {frame}
        </g>
      ) : (
        <a href={href} onClick={open} {...shared}>
          {frame}
        </a>
      )}
      {isDrawn ? (
        <g className={styles.words} aria-hidden>
          <Content placed={placed} isFar={isFar} />
        </g>
      ) : null}
    </g>
  )
})
