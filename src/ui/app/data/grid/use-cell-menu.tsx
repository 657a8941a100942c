// The menu of a cell: where it was asked for, by the mouse or by the keyboard.
import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import { Popover } from 'react-aria-components'
import { cx } from '../../../widgets/cx.ts'
import menu from '../../../widgets/menu.module.css'
import type { GridProps } from './grid-types.ts'
import styles from './grid.module.css'
import { at, blockOf, type Extent, type Place } from './selection.ts'
import { pointed } from './use-grid-pointer.ts'

interface Asked {
  readonly place: Place
  readonly left: number
  readonly top: number
}

interface Open extends Asked {
  readonly close: (run?: () => void) => void
}

const MOUSE = 2

/** Handler for the grid, and what stands beside it while the menu is open. */
export const useCellMenu = (props: GridProps, extent: Extent, gridId: string) => {
  const { cellMenu, selection, actions, rows } = props
  const [asked, setAsked] = useState<Open>()
  const anchor = useRef<HTMLSpanElement>(null)
  const ask = (event: MouseEvent<HTMLElement>): Asked | undefined => {
    const { row, column, isInside } = pointed(event.target)
    if (isInside) return undefined
    if (row !== undefined)
      return {
        place: { row, column: column ?? selection.cursor.column },
        left: event.clientX,
        top: event.clientY,
      }
    // The key for it is heard by the grid itself.
    if (event.button === MOUSE || event.target !== event.currentTarget) return undefined
    const { cursor } = selection
    const cell = event.currentTarget.ownerDocument.getElementById(`${gridId}-${cursor.row}-${cursor.column}`)
    if (cell === null) return undefined
    const { left, bottom: top } = cell.getBoundingClientRect()
    return { place: cursor, left, top }
  }
  const onContextMenu = (event: MouseEvent<HTMLElement>) => {
    const next = ask(event)
    if (next === undefined || next.place.row < 0 || rows.rowAt(next.place.row) === undefined) return
    event.preventDefault()
    const { row, column } = next.place
    const block = blockOf(selection, extent)
    const isChosen =
      block !== undefined &&
      row >= block.top &&
      row <= block.bottom &&
      column >= block.left &&
      column <= block.right
    if (!isChosen) actions.select(at(next.place))
    setAsked({ ...next, close })
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
          {cellMenu(asked.place, asked.close)}
        </Popover>
      </>
    )
  return { onContextMenu, node }
}
