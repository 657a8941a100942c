// The grid: rows of any number, of which those in sight are drawn; one focus for all cells, and a cursor among them.
import { useEffect, useId, useLayoutEffect, useMemo, useRef, type CSSProperties, type RefObject } from 'react'
import { cx } from '../../../widgets/cx.ts'
import { fitColumns } from './columns.ts'
import { GridBody } from './grid-body.tsx'
import { GridHead } from './grid-head.tsx'
import { ACTIONS_WIDTH, gutterWidth, HEAD_HEIGHT, ROW_HEIGHT, type GridProps } from './grid-types.ts'
import styles from './grid.module.css'
import { blockOf, type Extent } from './selection.ts'
import { useCellMenu } from './use-cell-menu.tsx'
import { useFarRows } from './use-far-rows.ts'
import { useGridClipboard } from './use-grid-clipboard.ts'
import { gridKeys } from './use-grid-keys.ts'
import { gridPointer } from './use-grid-pointer.ts'
import { useRoom } from './use-room.ts'
import { useSeenColumns } from './use-seen-columns.ts'

/** Keeps the cursor in sight, and the focus where it was when an editor closes. */
const useCursor = (
  { selection, editing, draft }: GridProps,
  reveal: { readonly row: (row: number) => void; readonly column: (column: number) => void },
  scroller: RefObject<HTMLDivElement | null>,
) => {
  const { row, column } = selection.cursor
  const latest = useRef(reveal)
  useLayoutEffect(() => {
    latest.current = reveal
  })
  useLayoutEffect(() => {
    if (row >= 0) latest.current.row(row)
    latest.current.column(column)
  }, [row, column])
  const isWriting = editing !== undefined || draft !== undefined
  const wasEditing = useRef(false)
  useEffect(() => {
    if (wasEditing.current && !isWriting) scroller.current?.focus({ preventScroll: true })
    wasEditing.current = isWriting
  }, [isWriting, scroller])
}

/** One tab stop; arrows move in it, Enter edits, typing replaces. */
export function Grid(props: GridProps) {
  const { info, columns: laid, rows, sorts, selection, editing, isBusy, actions, headMenu, draft } = props
  const scroller = useRef<HTMLDivElement>(null)
  const gridId = useId()
  const head = draft === undefined ? HEAD_HEIGHT : HEAD_HEIGHT + ROW_HEIGHT
  const far = useFarRows({ count: rows.count, size: ROW_HEIGHT, head, scroller })
  const gutter = gutterWidth(rows.count)
  const room = useRoom(scroller)
  const columns = useMemo(() => fitColumns(laid, room - gutter - ACTIONS_WIDTH), [laid, room, gutter])
  const { seen, width, reveal } = useSeenColumns(columns, gutter, scroller)
  const extent: Extent = { rows: rows.count, columns: columns.length, page: far.page }
  useGridClipboard(props, extent, scroller)
  useCursor(props, { row: far.reveal, column: reveal }, scroller)
  const { look } = actions
  useEffect(() => look(far.first, far.last), [look, far.first, far.last])
  const cellMenu = useCellMenu(props, extent, gridId)
  const { cursor } = selection
  const isSeen = cursor.row < 0 || far.items.some(item => item.index === cursor.row)
  return (
    <>
      <div
        ref={scroller}
        role="grid"
        tabIndex={0}
        aria-label={`Rows of ${info.name}`}
        aria-busy={isBusy}
        aria-rowcount={rows.count + 1}
        aria-colcount={columns.length + 2}
        aria-multiselectable
        {...(isSeen && rows.count > 0
          ? { 'aria-activedescendant': `${gridId}-${cursor.row}-${cursor.column}` }
          : {})}
        className={cx(styles.grid, editing !== undefined && styles.editing)}
        style={{ '--gutter': `${gutter}px` } as CSSProperties}
        {...gridKeys(props, extent, gridId)}
        {...gridPointer(props)}
        onContextMenu={cellMenu.onContextMenu}
      >
        <GridHead
          columns={seen}
          columnCount={columns.length}
          width={width}
          sorts={sorts}
          cursor={cursor.row < 0 ? cursor.column : -1}
          gridId={gridId}
          actions={actions}
          menu={headMenu}
        />
        {draft?.({ seen, columns, width, reveal })}
        <div role="rowgroup" className={styles.body} style={{ height: far.drawn, width }}>
          <GridBody
            {...props}
            seen={seen}
            items={far.items}
            width={width}
            block={blockOf(selection, extent)}
            gridId={gridId}
            startOf={far.startOf}
          />
        </div>
      </div>
      {cellMenu.node}
    </>
  )
}
