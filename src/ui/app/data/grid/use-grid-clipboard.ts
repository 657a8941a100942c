// The grid's clipboard, following spreadsheets.
import { useEffect, useRef, type RefObject } from 'react'
import {
  type Cell,
  cellOf,
  columnsIn,
  isSingle,
  readTsv,
  selectedRows,
  writeTsv,
} from '../../../../services/workbench/table/index.ts'
import type { GridProps } from './grid-types.ts'

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
