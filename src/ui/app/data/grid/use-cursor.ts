// Keeps the grid's cursor in view: when it moves, when its row moves, and when the pane changes its size.
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { cursorPlace, type Place } from '../../../../services/workbench/table/index.ts'
import type { GridProps } from './grid-types.ts'
import type { FarRows, SeenColumns } from './use-visible.ts'

/** The cursor's row is not loaded. */
const NOWHERE = { row: undefined, column: undefined }

/** The visible part of the rows and columns, and how to change it. */
interface Visible {
  readonly rows: Pick<FarRows, 'first' | 'last' | 'page' | 'reveal'>
  readonly columns: Pick<SeenColumns, 'reveal' | 'isShown'>
  /** Width of the pane. */
  readonly room: number
}

/** Keeps the cursor in view when the pane becomes smaller, as next to an opened row. */
const useCursorInPane = ({ row, column }: typeof NOWHERE | Place, { rows, columns, room }: Visible) => {
  const before = useRef({ rows, columns, room })
  const { page } = rows
  useLayoutEffect(() => {
    const { current: old } = before
    if (old.room === room && old.rows.page === page) return
    if (row === undefined || column === undefined) return
    const wasShown = row < 0 || (row >= old.rows.first && row <= old.rows.last)
    if (!wasShown || !old.columns.isShown(column, old.room)) return
    if (row >= 0) rows.reveal(row)
    columns.reveal(column)
  })
  useLayoutEffect(() => {
    before.current = { rows, columns, room }
  })
}

/** Keeps the cursor visible, and restores focus when an editor closes. */
export const useCursor = (
  { view, selection, editing, draft }: GridProps,
  visible: Visible,
  scroller: RefObject<HTMLDivElement | null>,
) => {
  const place = cursorPlace(view, selection) ?? NOWHERE
  const { row, column } = place
  const latest = useRef({ visible, selection, row, isFollowed: false })
  useLayoutEffect(() => {
    const before = latest.current
    // At the top, show incoming rows rather than follow the cursor's row.
    const isFollowed = before.row !== undefined && visible.rows.first > 0
    latest.current = { visible, selection, row, isFollowed: before.selection !== selection || isFollowed }
  })
  useLayoutEffect(() => {
    const { visible: to, isFollowed } = latest.current
    if (!isFollowed || row === undefined || column === undefined) return
    if (row >= 0) to.rows.reveal(row)
    to.columns.reveal(column)
  }, [row, column])
  useCursorInPane(place, visible)
  const isWriting = editing !== undefined || draft !== undefined
  const wasEditing = useRef(false)
  useEffect(() => {
    if (wasEditing.current && !isWriting) scroller.current?.focus({ preventScroll: true })
    wasEditing.current = isWriting
  }, [isWriting, scroller])
}
