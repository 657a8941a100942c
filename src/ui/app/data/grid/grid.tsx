// The data grid: virtualized rows, a single tab stop for all cells, a cursor, and all keys with their notes.
import {
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import {
  type Cell,
  cellOf,
  collapse,
  columnsIn,
  cursorPlace,
  extendTo,
  fitColumns,
  goTo,
  isSingle,
  pinnedIn,
  readTsv,
  selectAll,
  selectedRows,
  type Selection,
  type SelectionMove,
  startOf,
  stepFrom,
  writeTsv,
} from '../../../../services/workbench/table/index.ts'
import { cx } from '../../../widgets/cx.ts'
import { isApplePlatform, keyNameOf } from '../../../widgets/palette/key-name.ts'
import type { AppKeyNote } from '../../commands/app-command.ts'
import { GridHead } from './grid-head.tsx'
import { GridBody } from './grid-rows.tsx'
import { ACTIONS_WIDTH, type GridProps, gutterWidth, HEAD_HEIGHT, ROW_HEIGHT } from './grid-types.ts'
import styles from './grid.module.css'
import { useCellMenu, useGridPointer } from './use-grid-pointer.tsx'
import { useCursor } from './use-cursor.ts'
import { useFarRows, useSeenColumns } from './use-visible.ts'

/** 0 until measured, which happens before the first paint. */
const useVisibleWidth = (of: RefObject<HTMLElement | null>): number => {
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

/** One tab stop: arrows move, Enter edits, typing replaces. */
export function Grid(props: GridProps) {
  const { info, columns: laid, view, sorts, selection, editing, isBusy, actions, headMenu, draft } = props
  const own = useRef<HTMLDivElement>(null)
  const scroller = props.element ?? own
  const gridId = useId()
  const head = draft === undefined ? HEAD_HEIGHT : HEAD_HEIGHT + ROW_HEIGHT
  const far = useFarRows({ count: view.count, size: ROW_HEIGHT, head, scroller })
  const gutter = gutterWidth(view.count)
  const room = useVisibleWidth(scroller)
  const columns = useMemo(
    () => fitColumns(pinnedIn(laid, room - gutter), room - gutter - ACTIONS_WIDTH),
    [laid, room, gutter],
  )
  const seenColumns = useSeenColumns(columns, gutter, scroller)
  const { seen, width, reveal } = seenColumns
  useGridClipboard(props, scroller)
  useCursor(props, { rows: far, columns: seenColumns, room }, scroller)
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
          zone={props.zone}
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

export interface GridKeyContext {
  readonly props: GridProps
  readonly event: KeyboardEvent<HTMLElement>
  readonly gridId: string
  /** Rows per page. */
  readonly page: number
}

type Act = (context: GridKeyContext) => void
type Move = (context: GridKeyContext) => Selection

interface GridKey {
  /** Key names as returned by `keyNameOf`. */
  readonly keys: readonly string[]
  /** Keys with the same text share a line on the key sheet. */
  readonly text: string
  /** Changes the selection. */
  readonly move?: Move
  /** The action on cells. */
  readonly act?: Act
  /** The action on a column's header. */
  readonly inHead?: Act
}

const stepBy =
  (step: SelectionMove, isExtending: boolean, toEnd = false): Move =>
  ({ props: { view, selection }, page }) =>
    goTo(view, selection, stepFrom(view, startOf(view, selection), step, toEnd, page), isExtending)

/** Moves to a corner of the table. */
const toCorner =
  (isEnd: boolean, isExtending: boolean): Move =>
  ({ props: { view, selection } }) =>
    goTo(
      view,
      selection,
      isEnd ? { row: view.count - 1, column: view.columns.length - 1 } : { row: 0, column: 0 },
      isExtending,
    )

const wholeRows: Move = ({ props: { view, selection } }) =>
  extendTo(view, selection, startOf(view, selection), true)

const edit: Act = ({ props: { actions, view, selection } }) => {
  const place = cursorPlace(view, selection)
  if (place !== undefined) actions.edit(place)
}

const sort: Act = ({ props: { actions, columns, view, selection }, event }) => {
  const column = columns[startOf(view, selection).column]?.column
  if (column !== undefined) actions.sort(column.name, event.shiftKey)
}

const BY_CELL = 'Extend the selection by a cell'
const BY_PAGE = 'Extend the selection by a page'
const TO_EDGE = 'Extend the selection to the edge'

const openMenu: Act = ({ props: { view, selection }, event, gridId }) =>
  // Send the button's own key event, so that focus goes to the first menu item.
  void event.currentTarget.ownerDocument
    .getElementById(`${gridId}--1-${startOf(view, selection).column}`)
    ?.querySelector('button')
    ?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }))

/** Plain keys move the cursor; with Shift they extend the selection. */
const MOVES: readonly (readonly [
  key: string,
  text: string,
  extends_: string,
  move: (isExtending: boolean) => Move,
])[] = [
  ...(['up', 'down', 'left', 'right'] as const).flatMap(step => {
    const arrow = `Arrow${step.charAt(0).toUpperCase()}${step.slice(1)}`
    const edge = step === 'up' || step === 'down' ? 'First or last row' : 'First or last column'
    return [
      [arrow, 'Move the cursor', BY_CELL, (is: boolean) => stepBy(step, is)] as const,
      [`Mod+${arrow}`, edge, TO_EDGE, (is: boolean) => stepBy(step, is, true)] as const,
    ]
  }),
  ['Home', 'First or last column', TO_EDGE, is => stepBy('left', is, true)],
  ['End', 'First or last column', TO_EDGE, is => stepBy('right', is, true)],
  ['PageUp', 'Page up or down', BY_PAGE, is => stepBy('page-up', is)],
  ['PageDown', 'Page up or down', BY_PAGE, is => stepBy('page-down', is)],
  ['Mod+Home', 'First or last cell of the table', TO_EDGE, is => toCorner(false, is)],
  ['Mod+End', 'First or last cell of the table', TO_EDGE, is => toCorner(true, is)],
]

const withShift = (key: string) => (key.startsWith('Mod+') ? `Mod+Shift+${key.slice(4)}` : `Shift+${key}`)

/** Keys that the grid handles. */
export const GRID_KEYS: readonly GridKey[] = [
  ...MOVES.map(([key, text, , move]) => ({ keys: [key], text, move: move(false) })),
  ...MOVES.map(([key, , text, move]) => ({ keys: [withShift(key)], text, move: move(true) })),
  { keys: ['Shift+Space'], text: 'Select the whole row', move: wholeRows },
  {
    keys: ['Mod+A'],
    text: 'Select all loaded rows',
    move: ({ props: { view, selection } }) => selectAll(view, selection),
  },
  {
    keys: ['Escape'],
    text: 'Select only the current cell',
    move: ({ props: { view, selection } }) => collapse(view, selection),
  },
  { keys: ['Enter', 'F2'], text: 'Edit the cell; in a column header, sort by it', act: edit, inHead: sort },
  { keys: ['Shift+Enter'], text: 'In a column header, add it to the sort', act: edit, inHead: sort },
  { keys: ['Space', 'Mod+Enter'], text: 'Row details', act: ({ props }) => props.actions.openRow() },
  { keys: ['Insert'], text: 'Add row inline', act: ({ props }) => props.actions.insertRow() },
  {
    keys: ['Delete', 'Backspace'],
    text: 'Clear the selected cells',
    act: ({ props }) => props.actions.clear(),
  },
  {
    keys: ['Mod+Delete', 'Mod+Backspace'],
    text: 'Delete the selected rows',
    act: ({ props }) => props.actions.deleteRows(),
  },
  {
    keys: ['Mod+Z'],
    text: 'Undo',
    act: ({ props }) => props.actions.undo(),
    inHead: ({ props }) => props.actions.undo(),
  },
  {
    keys: ['Mod+Shift+Z', 'Mod+Y'],
    text: 'Redo',
    act: ({ props }) => props.actions.redo(),
    inHead: ({ props }) => props.actions.redo(),
  },
  { keys: ['Alt+ArrowDown'], text: 'Column menu', act: openMenu, inHead: openMenu },
]

/** Keys that reach the grid as other browser events, or that an open editor handles. */
const OTHER_KEYS: readonly Pick<GridKey, 'keys' | 'text'>[] = [
  { keys: ['Mod+C'], text: 'Copy the selected cells' },
  { keys: ['Mod+X'], text: 'Cut the selected cells' },
  { keys: ['Mod+V'], text: 'Paste, starting at the selected cell' },
  { keys: ['Shift+F10'], text: 'Cell menu' },
  { keys: ['A … Z'], text: 'Replace the value of the cell' },
  { keys: ['Tab', 'Shift+Tab'], text: 'While editing: save, then next or previous cell' },
  { keys: ['Shift+Enter'], text: 'While editing: save, then the row above' },
  { keys: ['Alt+Enter'], text: 'While editing a text: new line' },
]

const KEYS_BY_TEXT = new Map<string, readonly string[]>()
for (const { keys, text } of [...GRID_KEYS, ...OTHER_KEYS])
  KEYS_BY_TEXT.set(text, [...(KEYS_BY_TEXT.get(text) ?? []), ...keys])

/** For the key sheet. */
export const GRID_KEY_NOTES: readonly AppKeyNote[] = [...KEYS_BY_TEXT].map(([text, keys]) => ({
  id: `grid.${text}`,
  section: 'Table',
  keys,
  text,
}))

const BY_NAME: ReadonlyMap<string, GridKey> = new Map(
  GRID_KEYS.flatMap(each => each.keys.map(name => [name, each] as const)),
)

const isTyped = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey && key !== ' '

/** The handler for the focused element. */
export const gridKeys = (props: GridProps, page: number, gridId: string) => ({
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
    // A field inside the grid handles its own keys.
    if (event.target !== event.currentTarget) return
    const { view, selection, actions } = props
    const name = keyNameOf(
      {
        key: event.key,
        code: event.code,
        shiftKey: event.shiftKey,
        ctrlKey: event.ctrlKey,
        metaKey: event.metaKey,
        altKey: event.altKey,
      },
      isApplePlatform(),
    )
    const key = name === undefined ? undefined : BY_NAME.get(name)
    const context = { props, event, gridId, page }
    if (key?.move) {
      event.preventDefault()
      return actions.select(key.move(context))
    }
    const place = cursorPlace(view, selection)
    const act = place !== undefined && place.row < 0 ? key?.inHead : key?.act
    if (act) {
      event.preventDefault()
      return act(context)
    }
    if (!isTyped(event) || place === undefined || place.row < 0) return
    event.preventDefault()
    actions.edit(place, event.key)
  },
})
