// A row of the table list: a link to a table with its star, or the button of a group.
import { useRouter } from '@tanstack/react-router'
import { ChevronRight, Eye, Globe, Layers, Rows3, Star } from 'lucide-react'
import { type KeyboardEvent, memo, type MouseEvent } from 'react'
import type { ListedTable, ListRow } from '../../../../services/workbench/table-list/index.ts'
import type { TableKind } from '../../../../services/workbench/table/index.ts'
import { cx } from '../../../widgets/cx.ts'
import { inSchema } from '../tables.tsx'
import styles from './table-list.module.css'

const icon = { size: 12, 'aria-hidden': true, className: styles.kind } as const

/** Tables have none: most are. */
const KIND_ICONS: Readonly<Record<Exclude<TableKind, 'table'>, React.ReactNode>> = {
  view: <Eye {...icon} />,
  'materialized view': <Layers {...icon} />,
  'foreign table': <Globe {...icon} />,
  'partitioned table': <Rows3 {...icon} />,
}

export interface TableListRowProps {
  readonly row: ListRow
  readonly index: number
  /** Number of rows, drawn or not. */
  readonly count: number
  /** Pixels above it. */
  readonly start: number
  readonly isTabStop: boolean
  /** The table is the open one. */
  readonly isOpen: boolean
  readonly onOpen: (table: ListedTable) => void
  readonly onGroup: (id: string) => void
  readonly onFavorite: (id: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

export const TableListRow = memo(function TableListRow(props: TableListRowProps) {
  const { row, index, count, start } = props
  return (
    <li
      className={styles.row}
      style={{ top: start }}
      aria-setsize={count}
      aria-posinset={index + 1}
      data-group={row.type === 'group' ? '' : undefined}
    >
      {row.type === 'group' ? <Group {...props} row={row} /> : <TableLink {...props} row={row} />}
    </li>
  )
})

function Group({
  row,
  index,
  isTabStop,
  onGroup,
  onKeyDown,
}: TableListRowProps & { readonly row: Extract<ListRow, { type: 'group' }> }) {
  return (
    <button
      type="button"
      data-index={index}
      tabIndex={isTabStop ? 0 : -1}
      aria-expanded={row.isOpen}
      className={styles.group}
      onClick={() => onGroup(row.id)}
      onKeyDown={onKeyDown}
    >
      <ChevronRight size={12} aria-hidden className={styles.chevron} />
      <span className={styles.name}>{row.title}</span>
      <span className={styles.count}>{row.count}</span>
    </button>
  )
}

const isPlain = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey

/** Without the router's link, which follows each change of the URL: hundreds would. */
function TableLink({
  row: { table, note, isFavorite },
  index,
  isTabStop,
  isOpen,
  onOpen,
  onFavorite,
  onKeyDown,
}: TableListRowProps & { readonly row: Extract<ListRow, { type: 'table' }> }) {
  const router = useRouter()
  const { name, schema, kind } = table
  const { href } = router.buildLocation({
    to: '/data/$table',
    params: { table: name },
    search: inSchema(schema),
  })
  const kindIcon = kind === undefined || kind === 'table' ? null : KIND_ICONS[kind]
  return (
    <>
      <a
        href={router.history.createHref(href)}
        data-index={index}
        tabIndex={isTabStop ? 0 : -1}
        data-on={isOpen ? '' : undefined}
        aria-current={isOpen ? 'page' : undefined}
        title={kindIcon === null ? name : `${name}: ${kind}`}
        className={styles.link}
        onClick={event => {
          if (!isPlain(event)) return
          event.preventDefault()
          onOpen(table)
        }}
        onKeyDown={onKeyDown}
      >
        <span className={styles.name}>{name}</span>
        {note === undefined ? null : <span className={styles.note}>{note}</span>}
        {kindIcon}
      </a>
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Favorite: ${name}`}
        aria-pressed={isFavorite}
        className={cx(styles.star, isFavorite && styles.starred)}
        onClick={() => onFavorite(table.id)}
      >
        <Star size={12} aria-hidden />
      </button>
    </>
  )
}
