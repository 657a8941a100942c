// The data grid: virtualized rows, a single tab stop for all cells, and a cursor.
import {
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  type CSSProperties,
  type RefObject,
  useState,
  useCallback,
} from 'react'
import { cx } from '../../../widgets/cx.ts'
import {
  columnsIn,
  cursorPlace,
  fitColumns,
  type Cell,
  cellOf,
  isSingle,
  readTsv,
  selectedRows,
  writeTsv,
  type LaidColumn,
} from '../../../../services/workbench/table/index.ts'
import { GridBody, type SeenColumn } from './grid-rows.tsx'
import { GridHead } from './grid-head.tsx'
import { gridKeys } from './grid-keys.ts'
import { ACTIONS_WIDTH, gutterWidth, HEAD_HEIGHT, ROW_HEIGHT, type GridProps } from './grid-types.ts'
import styles from './grid.module.css'
import { useCellMenu } from './use-cell-menu.tsx'
import { useFarRows } from './use-far-rows.ts'
import { useGridPointer } from './use-grid-pointer.ts'
import { useVirtualizer } from '@tanstack/react-virtual'

/** 0 until measured, which happens before the first paint. */
const useVisibleHeight = (of: RefObject<HTMLElement | null>): number => {
  const [room, setRoom] = useState(0)
  useLayoutEffect(() => {
    const element = of.current
    if (element === null) return
    const measure = () => setRoom(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [of])
  return room
}

/** The selected cells as shown, including rows that are no longer loaded. */
const selectedCells = ({ view, selection, columns, marks }: GridProps): readonly (readonly Cell[])[] => {
  const names = columnsIn(view, selection)
  const shown = columns.flatMap(({ column }) => (names.includes(column.name) ? [column] : []))
  const { loaded, away } = selectedRows(view, selection)
  return [...loaded, ...away].map(({ key, row }) => {
    const edited = marks.edited.get(key)
    return shown.map(column => {
      const change = edited?.get(column.name)
      return change === undefined ? cellOf(row, column) : change.cell
    })
  })
}

const paste = ({ selection, actions }: GridProps, text: string) => {
  // A single cell takes the whole text, with commas and quotes, unless a block was copied.
  const cells = isSingle(selection) && !/[\t\n]/.test(text) ? [[text]] : readTsv(text)
  if (cells.length > 0) actions.paste(cells)
}

/** Copying without a caret dispatches on the document, not on the focused grid. */
const useGridClipboard = (props: GridProps, scroller: RefObject<HTMLElement | null>): void => {
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    const page = scroller.current?.ownerDocument
    const handle = (event: ClipboardEvent) => {
      if (page?.activeElement !== scroller.current || event.clipboardData === null) return
      event.preventDefault()
      const now = latest.current
      if (event.type === 'paste') return paste(now, event.clipboardData.getData('text/plain'))
      event.clipboardData.setData('text/plain', writeTsv(selectedCells(now)))
      if (event.type === 'cut') now.actions.clear('Cut')
    }
    const kinds = ['copy', 'cut', 'paste'] as const
    for (const kind of kinds) page?.addEventListener(kind, handle)
    return () => {
      for (const kind of kinds) page?.removeEventListener(kind, handle)
    }
  }, [scroller])
}

/** The cursor's row is not loaded. */
const NOWHERE = { row: undefined, column: undefined }

/** Keeps the cursor visible, and restores focus when an editor closes. */
const useCursor = (
  { view, selection, editing, draft }: GridProps,
  reveal: {
    readonly row: (row: number) => void
    readonly column: (column: number) => void
    readonly isAtTop: boolean
  },
  scroller: RefObject<HTMLDivElement | null>,
) => {
  const { row, column } = cursorPlace(view, selection) ?? NOWHERE
  const latest = useRef({ reveal, selection, row, isFollowed: false })
  useLayoutEffect(() => {
    const before = latest.current
    // At the top, show incoming rows rather than follow the cursor's row.
    const isFollowed = before.row !== undefined && !reveal.isAtTop
    latest.current = { reveal, selection, row, isFollowed: before.selection !== selection || isFollowed }
  })
  useLayoutEffect(() => {
    const { reveal: to, isFollowed } = latest.current
    if (!isFollowed || row === undefined || column === undefined) return
    if (row >= 0) to.row(row)
    to.column(column)
  }, [row, column])
  const isWriting = editing !== undefined || draft !== undefined
  const wasEditing = useRef(false)
  useEffect(() => {
    if (wasEditing.current && !isWriting) scroller.current?.focus({ preventScroll: true })
    wasEditing.current = isWriting
  }, [isWriting, scroller])
}

/** One tab stop: arrows move, Enter edits, typing replaces. */
export function Grid(props: GridProps) {
  const { info, columns: laid, view, sorts, selection, editing, isBusy, actions, headMenu, draft } = props
  const own = useRef<HTMLDivElement>(null)
  const scroller = props.element ?? own
  const gridId = useId()
  const head = draft === undefined ? HEAD_HEIGHT : HEAD_HEIGHT + ROW_HEIGHT
  const far = useFarRows({ count: view.count, size: ROW_HEIGHT, head, scroller })
  const gutter = gutterWidth(view.count)
  const room = useVisibleHeight(scroller)
  const columns = useMemo(() => fitColumns(laid, room - gutter - ACTIONS_WIDTH), [laid, room, gutter])
  const { seen, width, reveal } = useSeenColumns(columns, gutter, scroller)
  useGridClipboard(props, scroller)
  useCursor(props, { row: far.reveal, column: reveal, isAtTop: far.first === 0 }, scroller)
  const { look } = actions
  useEffect(() => look(far.first, far.last), [look, far.first, far.last])
  const cellMenu = useCellMenu(props, gridId)
  const pointer = useGridPointer(props)
  const cursor = cursorPlace(view, selection)
  const isSeen = cursor !== undefined && (cursor.row < 0 || far.items.some(item => item.index === cursor.row))
  const selected = useMemo(() => new Set(columnsIn(view, selection)), [view, selection])
  return (
    <>
      <div
        ref={scroller}
        role="grid"
        tabIndex={0}
        aria-label={`Rows of ${info.name}`}
        aria-busy={isBusy}
        aria-rowcount={view.count + 1}
        aria-colcount={columns.length + 2}
        aria-multiselectable
        {...(isSeen && view.count > 0
          ? { 'aria-activedescendant': `${gridId}-${cursor.row}-${cursor.column}` }
          : {})}
        className={cx(styles.grid, editing !== undefined && styles.editing)}
        style={{ '--gutter': `${gutter}px` } as CSSProperties}
        {...gridKeys(props, far.page, gridId)}
        {...pointer}
        onContextMenu={cellMenu.onContextMenu}
      >
        <GridHead
          columns={seen}
          columnCount={columns.length}
          width={width}
          sorts={sorts}
          cursor={cursor !== undefined && cursor.row < 0 ? cursor.column : -1}
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
            cursor={cursor}
            selected={selected}
            gridId={gridId}
            startOf={far.startOf}
          />
        </div>
      </div>
      {cellMenu.node}
      <p role="status" className={styles.hidden}>
        {cursor === undefined ? 'The cursor’s row is no longer loaded.' : null}
      </p>
    </>
  )
}

interface SeenColumns {
  readonly seen: readonly SeenColumn[]
  /** Width of all columns, including both ends. */
  readonly width: number
  readonly reveal: (index: number) => void
}

/** Columns enter and leave in steps, since each change renders every row. */
const STEP = 4

const floorTo = (step: number, index: number) => Math.floor(index / step) * step

/** Up to this many columns, rendering all is cheaper than measuring. */
const FEW = 8

const widthOf = (columns: readonly LaidColumn[]) => columns.reduce((sum, { width }) => sum + width, 0)

/** Visible columns: pinned ones always, others as the scroller shows them. */
const useSeenColumns = (
  columns: readonly LaidColumn[],
  gutter: number,
  scroller: RefObject<HTMLElement | null>,
): SeenColumns => {
  const pinned = columns.filter(column => column.isPinned)
  const free = useMemo(() => columns.filter(column => !column.isPinned), [columns])
  const before = gutter + widthOf(pinned)
  const virtualizer = useVirtualizer({
    horizontal: true,
    count: free.length,
    getScrollElement: () => scroller.current,
    estimateSize: index => free[index]?.width ?? 0,
    overscan: 0,
    scrollPaddingStart: before,
    scrollPaddingEnd: ACTIONS_WIDTH,
    useFlushSync: false,
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, free])
  const first = columns.length - free.length
  const shown = free.length <= FEW ? undefined : virtualizer.getVirtualItems()
  const last = free.length - 1
  const from = floorTo(STEP, shown?.[0]?.index ?? 0)
  const to = shown === undefined ? last : Math.min(last, floorTo(STEP, shown.at(-1)?.index ?? 0) + STEP - 1)
  const placed = useMemo(() => {
    let left = gutter
    return columns.map((column, index): SeenColumn => {
      const own = { ...column, index, left: column.isPinned ? left : 0 }
      left += column.width
      return own
    })
  }, [columns, gutter])
  const seen = useMemo(() => {
    const skipped = widthOf(free.slice(0, from))
    const rest = placed.slice(first + from, first + to + 1)
    // All columns but one are unchanged: their cells do not render again.
    const moved =
      skipped === 0 ? rest : rest.map((each, at) => (at === 0 ? { ...each, left: skipped } : each))
    return [...placed.slice(0, first), ...moved]
  }, [placed, free, first, from, to])
  const reveal = useCallback(
    (index: number) => {
      if (index >= first) virtualizer.scrollToIndex(index - first, { align: 'auto' })
    },
    [virtualizer, first],
  )
  return { seen, width: gutter + widthOf(columns) + ACTIONS_WIDTH, reveal }
}
