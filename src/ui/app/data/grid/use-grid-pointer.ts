// The grid's mouse: choosing by pressing and drawing, editing by a double click, and the buttons of rows.
import type { FocusEvent, MouseEvent } from 'react'
import type { GridProps } from './grid-types.ts'
import { at, rowsOf } from './selection.ts'

const numberIn = (element: Element | null, name: string): number | undefined => {
  const text = element?.getAttribute(name)
  return text === null || text === undefined ? undefined : Number(text)
}

/** What was pointed at. */
export const pointed = (target: EventTarget | null) => {
  const element = target instanceof Element ? target : null
  const row = numberIn(element?.closest('[data-row]') ?? null, 'data-row')
  return {
    row,
    column: numberIn(element?.closest('[data-column]') ?? null, 'data-column'),
    isGutter: element?.closest('[data-gutter]') !== null,
    deed: element?.closest('[data-do]')?.getAttribute('data-do'),
    // Its menu and its edge have other meanings.
    head: element?.closest('button, [data-edge]')
      ? undefined
      : numberIn(element?.closest('[data-head]') ?? null, 'data-head'),
    isInside: element?.closest('[data-editor]') !== null,
  }
}

/** Handlers for the grid: its cells say by attributes what they are. */
export const gridPointer = (props: GridProps) => {
  const { selection, actions, rows, columns } = props
  return {
    // Buttons of rows and heads are no tab stops: what they open gives the focus back to where the keys are heard.
    onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
      if (target.closest('[data-do], [data-head] button') !== null)
        currentTarget.focus({ preventScroll: true })
    },
    onMouseDown: (event: MouseEvent<HTMLElement>) => {
      const { row, column, isGutter, deed, isInside } = pointed(event.target)
      if (row === undefined || deed !== undefined || isInside) return
      if (column === undefined && !isGutter) return
      const anchor = event.shiftKey ? selection.anchor : undefined
      if (isGutter) actions.select(rowsOf(anchor?.row ?? row, row, selection.cursor.column))
      else {
        const cursor = { row, column: column ?? 0 }
        actions.select(anchor === undefined ? at(cursor) : { ...selection, cursor, wholeRows: false })
      }
    },
    onMouseMove: (event: MouseEvent<HTMLElement>) => {
      if (event.buttons !== 1) return
      const { row, column, isInside } = pointed(event.target)
      if (row === undefined || isInside || selection.cursor.row < 0) return
      const cursor = { row, column: column ?? selection.cursor.column }
      if (cursor.row !== selection.cursor.row || cursor.column !== selection.cursor.column)
        actions.select({ ...selection, cursor })
    },
    onClick: (event: MouseEvent<HTMLElement>) => {
      const { row: index, deed, head } = pointed(event.target)
      const column = head === undefined ? undefined : columns[head]?.column
      if (column !== undefined) return actions.sort(column.name, event.shiftKey)
      const row = index === undefined ? undefined : rows.rowAt(index)
      if (row === undefined) return
      if (deed === 'edit') actions.editRow(row)
      if (deed === 'delete') actions.deleteRow(row)
    },
    onDoubleClick: (event: MouseEvent<HTMLElement>) => {
      const { row, column, isGutter, isInside } = pointed(event.target)
      if (row === undefined || isInside) return
      if (isGutter) actions.openRow(row)
      else if (column !== undefined) actions.edit({ row, column })
    },
  }
}
