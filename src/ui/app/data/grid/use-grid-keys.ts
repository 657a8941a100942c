// The grid's keyboard and clipboard, as spreadsheets have them.
import type { ClipboardEvent, KeyboardEvent } from 'react'
import { readTsv, writeTsv } from './tsv.ts'
import { at, blockOf, isSingle, moved, type Extent, type Selection } from './selection.ts'
import type { GridProps } from './grid-types.ts'
import { cellOf, type Cell } from '../cells/cell-text.ts'
import { rowKey } from '../schema.ts'

/** More cells than this are not put on the clipboard. */
const MOST_ROWS = 10_000

export interface GridKeys {
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  readonly onCopy: (event: ClipboardEvent<HTMLElement>) => void
  readonly onCut: (event: ClipboardEvent<HTMLElement>) => void
  readonly onPaste: (event: ClipboardEvent<HTMLElement>) => void
}

/** The chosen cells as they are seen, rows that were not read left out. */
export const chosenCells = (props: GridProps, extent: Extent): readonly (readonly Cell[])[] => {
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

const isTyped = (event: KeyboardEvent) =>
  event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey && event.key !== ' '

type Act = (props: GridProps, event: KeyboardEvent) => void

const start =
  (typed?: string): Act =>
  ({ actions, selection }) =>
    actions.edit(selection.cursor, typed)

const inHead: Readonly<Record<string, Act>> = {
  Enter: ({ actions, columns, selection }, event) => {
    const column = columns[selection.cursor.column]?.column
    if (column !== undefined) actions.sort(column.name, event.shiftKey)
  },
}

const inBody = (event: KeyboardEvent): Act | undefined => {
  const mod = event.ctrlKey || event.metaKey
  switch (event.key) {
    case 'Enter':
      return mod ? ({ actions, selection }) => actions.openRow(selection.cursor.row) : start()
    case 'F2':
      return start()
    case ' ':
      return ({ actions, selection }) => actions.openRow(selection.cursor.row)
    case 'Escape':
      return ({ actions, selection }) => actions.select(at(selection.cursor))
    case 'Delete':
    case 'Backspace':
      return ({ actions }) => (mod ? actions.deleteRows() : actions.clear())
    default:
      return isTyped(event) ? start(event.key) : undefined
  }
}

const menuOf = (event: KeyboardEvent<HTMLElement>, selection: Selection, gridId: string) =>
  event.currentTarget.ownerDocument
    .getElementById(`${gridId}--1-${selection.cursor.column}`)
    ?.querySelector('button')

/** Handlers for the element that has the focus. */
export const gridKeys = (props: GridProps, extent: Extent, gridId: string): GridKeys => {
  const { selection, actions } = props
  const copy = (event: ClipboardEvent) => {
    event.preventDefault()
    event.clipboardData.setData('text/plain', writeTsv(chosenCells(props, extent)))
  }
  return {
    onKeyDown: event => {
      // A field inside of the grid has its own keys.
      if (event.target !== event.currentTarget) return
      const key = { key: event.key, mod: event.ctrlKey || event.metaKey, shift: event.shiftKey }
      if (event.key === 'ArrowDown' && event.altKey) {
        event.preventDefault()
        menuOf(event, selection, gridId)?.click()
        return
      }
      const next = event.altKey ? undefined : moved(selection, key, extent)
      const act = next ? undefined : selection.cursor.row < 0 ? inHead[event.key] : inBody(event)
      if (next === undefined && act === undefined) return
      event.preventDefault()
      if (next !== undefined) actions.select(next)
      act?.(props, event)
    },
    onCopy: event => {
      if (event.target === event.currentTarget) copy(event)
    },
    onCut: event => {
      if (event.target !== event.currentTarget) return
      copy(event)
      actions.clear()
    },
    onPaste: event => {
      if (event.target !== event.currentTarget) return
      event.preventDefault()
      const text = event.clipboardData.getData('text/plain')
      // A single cell takes whatever it is, with its lines and tabs, when it was no block that was copied.
      const cells = isSingle(selection) && !/[\t\n]/.test(text) ? [[text]] : readTsv(text)
      if (cells.length > 0) actions.paste(cells)
    },
  }
}
