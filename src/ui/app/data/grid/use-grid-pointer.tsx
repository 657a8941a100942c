// Mouse handling of the grid: selection by press and drag, editing by double click, row buttons, and the cell
// menu.
import { type FocusEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Popover } from 'react-aria-components'
import {
  columnsIn,
  cursorPlace,
  extendTo,
  selectCell,
  selectRow,
  startOf,
} from '../../../../services/workbench/table/index.ts'
import { cx } from '../../../widgets/cx.ts'
import menu from '../../../widgets/menu.module.css'
import type { GridProps, PointedCell } from './grid-types.ts'
import styles from './grid.module.css'

const numberIn = (element: Element | null, name: string): number | undefined => {
  const text = element?.getAttribute(name)
  return text === null || text === undefined ? undefined : Number(text)
}

/** The element under the pointer. */
const pointed = (target: EventTarget | null) => {
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

/** Mouse and focus handlers for the grid; cells identify themselves by attributes. */
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

interface Asked {
  readonly row: number
  readonly column: number
  readonly left: number
  readonly top: number
}

interface Open extends Pick<Asked, 'left' | 'top'> {
  readonly cell: PointedCell
  readonly close: (run?: () => void) => void
}

const MOUSE = 2

/** The cell menu, opened by mouse or keyboard: its handler for the grid, and the menu to render while open. */
export const useCellMenu = (props: GridProps, gridId: string) => {
  const { cellMenu, selection, actions, view } = props
  const [asked, setAsked] = useState<Open>()
  const anchor = useRef<HTMLSpanElement>(null)
  const ask = (event: MouseEvent<HTMLElement>): Asked | undefined => {
    const { row, column, isInside } = pointed(event.target)
    if (isInside) return undefined
    if (row !== undefined)
      return {
        row,
        column: column ?? startOf(view, selection).column,
        left: event.clientX,
        top: event.clientY,
      }
    // The grid itself handles the menu key.
    if (event.button === MOUSE || event.target !== event.currentTarget) return undefined
    const cursor = cursorPlace(view, selection)
    const cell =
      cursor && event.currentTarget.ownerDocument.getElementById(`${gridId}-${cursor.row}-${cursor.column}`)
    if (!cursor || !cell) return undefined
    const { left, bottom: top } = cell.getBoundingClientRect()
    return { ...cursor, left, top }
  }
  const onContextMenu = (event: MouseEvent<HTMLElement>) => {
    const next = ask(event)
    const loaded = next && view.rows.at(next.row)
    const column = next && view.columns[next.column]
    if (next === undefined || loaded === undefined || column === undefined) return
    event.preventDefault()
    const { key, row } = loaded
    const isSelected = selection.rows.has(key) && columnsIn(view, selection).includes(column)
    if (!isSelected) actions.select(selectCell(view, next))
    setAsked({ cell: { key, row, column }, left: next.left, top: next.top, close })
  }
  const then = useRef<() => void>(undefined)
  const close = (run?: () => void) => {
    then.current = run ?? then.current
    setAsked(undefined)
  }
  useEffect(() => {
    if (asked !== undefined) return
    const run = then.current
    then.current = undefined
    run?.()
  }, [asked])
  const node: ReactNode =
    asked === undefined ? null : (
      <>
        <span ref={anchor} className={styles.asked} style={{ left: asked.left, top: asked.top }} />
        <Popover
          triggerRef={anchor}
          isOpen
          onOpenChange={() => asked.close()}
          placement="bottom start"
          aria-label="Cell menu"
          className={cx(menu.menu)}
        >
          {cellMenu(asked.cell, asked.close)}
        </Popover>
      </>
    )
  return { onContextMenu, node }
}
