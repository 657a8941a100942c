// The grid's clipboard, as spreadsheets have it.
import { useEffect, useRef, type RefObject } from 'react'
import { cellOf, type Cell } from '../cells/cell-text.ts'
import type { GridProps } from './grid-types.ts'
import { columnsIn, isSingle, selectedRows } from './selection.ts'
import { readTsv, writeTsv } from './tsv.ts'

/** The selected cells as they are shown, also those of rows that are not loaded any more. */
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
  // A single cell takes whatever it is, with its commas and quotes, when it was no block that was copied.
  const cells = isSingle(selection) && !/[\t\n]/.test(text) ? [[text]] : readTsv(text)
  if (cells.length > 0) actions.paste(cells)
}

/** What is copied has no caret, so the document gets the event and not the grid that has the focus. */
export const useGridClipboard = (props: GridProps, scroller: RefObject<HTMLElement | null>): void => {
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
