// Opens the menu of a row by the right button, by Shift+F10 or by the menu key.
import { useCallback, useState, type MouseEvent } from 'react'

export interface OpenMenu {
  readonly seq: number
  readonly anchor: HTMLElement
  /** How far from the row's left end it was asked for. */
  readonly offset: number
}

/** The row is selected first, so that the keys in it are about the same event. */
export function useRowMenu(onSelect: (seq: number) => void) {
  const [open, setOpen] = useState<OpenMenu>()
  const onContextMenu = useCallback(
    (event: MouseEvent<HTMLElement>) => {
      const { target, currentTarget } = event
      // By key the menu is asked for at the grid, which points to the row.
      const pointed = currentTarget.getAttribute('aria-activedescendant')
      const hit = target instanceof Element ? target.closest<HTMLElement>('[data-seq]') : null
      const row = hit ?? (pointed === null ? null : document.getElementById(pointed))
      const seq = row?.getAttribute('data-seq')
      if (!row || seq === null || seq === undefined) return
      event.preventDefault()
      onSelect(Number(seq))
      const offset = hit ? event.clientX - row.getBoundingClientRect().left : 0
      setOpen({ seq: Number(seq), anchor: row, offset })
    },
    [onSelect],
  )
  return { open, onContextMenu, close: useCallback(() => setOpen(undefined), []) }
}
