// The cell menu, opened by mouse or keyboard.
import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import { Popover } from 'react-aria-components'
import { cx } from '../../../widgets/cx.ts'
import menu from '../../../widgets/menu.module.css'
import type { GridProps, PointedCell } from './grid-types.ts'
import styles from './grid.module.css'
import { columnsIn, cursorPlace, selectCell, startOf } from '../../../../services/workbench/table/index.ts'
import { pointed } from './use-grid-pointer.ts'

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

/** The handler for the grid, and the menu to render while open. */
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
          className={cx(menu.menu)}
        >
          {cellMenu(asked.cell, asked.close)}
        </Popover>
      </>
    )
  return { onContextMenu, node }
}
