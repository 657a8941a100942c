// Mouse handling of the grid: selection by press and drag, editing by double click, and row buttons.
import { useRef, type FocusEvent, type MouseEvent } from 'react'
import type { GridProps } from './grid-types.ts'
import {
  cursorPlace,
  extendTo,
  selectCell,
  selectRow,
  startOf,
} from '../../../../services/workbench/table/index.ts'

const numberIn = (element: Element | null, name: string): number | undefined => {
  const text = element?.getAttribute(name)
  return text === null || text === undefined ? undefined : Number(text)
}

/** The element under the pointer. */
export const pointed = (target: EventTarget | null) => {
  const element = target instanceof Element ? target : null
  const row = numberIn(element?.closest('[data-row]') ?? null, 'data-row')
  return {
    row,
    column: numberIn(element?.closest('[data-column]') ?? null, 'data-column'),
    isGutter: element?.closest('[data-gutter]') !== null,
    action: element?.closest('[data-do]')?.getAttribute('data-do'),
    // The header's menu button and resize edge have other actions.
    head: element?.closest('button, [data-edge]')
      ? undefined
      : numberIn(element?.closest('[data-head]') ?? null, 'data-head'),
    isInside: element?.closest('[data-editor]') !== null,
  }
}

/** Handlers for the grid; cells identify themselves by attributes. */
export const useGridPointer = (props: GridProps) => {
  const { selection, actions, view, columns } = props
  /** Key of the row whose button was pressed: another row may be rendered there before release. */
  const pressed = useRef<string>(undefined)
  const loadedAt = (index: number | undefined) => (index === undefined ? undefined : view.rows.at(index))
  return {
    onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
      // Buttons of rows and headers are not tab stops: what they open returns focus to the grid.
      if (target.closest('[data-do], [data-head] button') !== null)
        currentTarget.focus({ preventScroll: true })
      if (target === currentTarget) actions.place()
    },
    onMouseDown: (event: MouseEvent<HTMLElement>) => {
      const { row, column, isGutter, action, isInside } = pointed(event.target)
      pressed.current = action === undefined ? undefined : loadedAt(row)?.key
      if (row === undefined || action !== undefined || isInside) return
      if (column === undefined && !isGutter) return
      const place = { row, column: column ?? startOf(view, selection).column }
      if (event.shiftKey) actions.select(extendTo(view, selection, place, isGutter))
      else actions.select(isGutter ? selectRow(view, place) : selectCell(view, place))
    },
    onMouseMove: (event: MouseEvent<HTMLElement>) => {
      if (event.buttons !== 1) return
      const { row, column, isInside } = pointed(event.target)
      const cursor = cursorPlace(view, selection)
      if (row === undefined || isInside || cursor === undefined || cursor.row < 0) return
      const place = { row, column: column ?? cursor.column }
      if (place.row !== cursor.row || place.column !== cursor.column)
        actions.select(extendTo(view, selection, place))
    },
    onClick: (event: MouseEvent<HTMLElement>) => {
      const { row: index, action, head } = pointed(event.target)
      const column = head === undefined ? undefined : columns[head]?.column
      if (column !== undefined) return actions.sort(column.name, event.shiftKey)
      const loaded = loadedAt(index)
      if (loaded === undefined || (pressed.current ?? loaded.key) !== loaded.key) return
      if (action === 'edit') actions.editRow(loaded.row)
      if (action === 'delete') actions.deleteRow(loaded.row)
    },
    onDoubleClick: (event: MouseEvent<HTMLElement>) => {
      const { row, column, isGutter, isInside } = pointed(event.target)
      if (row === undefined || isInside) return
      if (isGutter) actions.openRow()
      else if (column !== undefined) actions.edit({ row, column })
    },
  }
}
