// The grid's keyboard, as spreadsheets have it.
import type { KeyboardEvent } from 'react'
import { at, moved, type Extent, type Selection } from './selection.ts'
import type { GridProps } from './grid-types.ts'

export interface GridKeys {
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
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
    case 'Insert':
      return ({ actions }) => actions.insertRow()
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
  return {
    onKeyDown: event => {
      // A field inside of the grid has its own keys.
      if (event.target !== event.currentTarget) return
      const key = { key: event.key, mod: event.ctrlKey || event.metaKey, shift: event.shiftKey }
      if (event.key === 'ArrowDown' && event.altKey) {
        event.preventDefault()
        // By the key that the button itself knows, so that the focus goes to the first of its items.
        menuOf(event, selection, gridId)?.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }),
        )
        return
      }
      const next = event.altKey ? undefined : moved(selection, key, extent)
      const act = next ? undefined : selection.cursor.row < 0 ? inHead[event.key] : inBody(event)
      if (next === undefined && act === undefined) return
      event.preventDefault()
      if (next !== undefined) actions.select(next)
      act?.(props, event)
    },
  }
}
