// The grid's clipboard, as spreadsheets have it.
import { useEffect, useRef, type RefObject } from 'react'
import { cellOf, type Cell } from '../cells/cell-text.ts'
import { rowKey } from '../schema.ts'
import type { GridProps } from './grid-types.ts'
import { blockOf, isSingle, type Extent } from './selection.ts'
import { readTsv, writeTsv } from './tsv.ts'

/** More cells than this are not put on the clipboard. */
const MOST_ROWS = 10_000

/** The chosen cells as they are seen, rows that were not read left out. */
const chosenCells = (props: GridProps, extent: Extent): readonly (readonly Cell[])[] => {
  const block = blockOf(props.selection, extent)
  if (block === undefined) return []
  const columns = props.columns.slice(block.left, block.right + 1)
  const cells: Cell[][] = []
  for (let index = block.top; index <= Math.min(block.bottom, block.top + MOST_ROWS - 1); index += 1) {
    const row = props.rows.rowAt(index)
    if (row === undefined) continue
    const edited = props.rows.edited.get(rowKey(props.info, row) ?? '')
    cells.push(columns.map(({ column }) => edited?.get(column.name)?.cell ?? cellOf(row, column)))
  }
  return cells
}

const paste = ({ selection, actions }: GridProps, text: string) => {
  // A single cell takes whatever it is, with its commas and quotes, when it was no block that was copied.
  const cells = isSingle(selection) && !/[\t\n]/.test(text) ? [[text]] : readTsv(text)
  if (cells.length > 0) actions.paste(cells)
}

/** What is copied has no caret, so that the document is told and not the grid that has the focus. */
export const useGridClipboard = (
  props: GridProps,
  extent: Extent,
  scroller: RefObject<HTMLElement | null>,
): void => {
  const latest = useRef({ props, extent })
  useEffect(() => {
    latest.current = { props, extent }
  })
  useEffect(() => {
    const page = scroller.current?.ownerDocument
    const handle = (event: ClipboardEvent) => {
      if (page?.activeElement !== scroller.current || event.clipboardData === null) return
      event.preventDefault()
      const { props: now, extent: size } = latest.current
      if (event.type === 'paste') return paste(now, event.clipboardData.getData('text/plain'))
      event.clipboardData.setData('text/plain', writeTsv(chosenCells(now, size)))
      if (event.type === 'cut') now.actions.clear()
    }
    const kinds = ['copy', 'cut', 'paste'] as const
    for (const kind of kinds) page?.addEventListener(kind, handle)
    return () => {
      for (const kind of kinds) page?.removeEventListener(kind, handle)
    }
  }, [scroller])
}
