// Keeps the focus in the console when the focused pane moves or disappears.
import { useCallback, useLayoutEffect, useRef, type FocusEvent, type RefObject } from 'react'

interface Last {
  readonly element: Element
  readonly pane: string | null
}

/** Pass the result to the element around the panes. `arrangement` is a new object when they move. */
export function useKeptFocus(
  around: RefObject<HTMLElement | null>,
  arrangement: object,
): (event: FocusEvent) => void {
  const last = useRef<Last>(undefined)
  useLayoutEffect(() => {
    const { element, pane } = last.current ?? {}
    // A focus that the user moved elsewhere is not changed.
    if (!element || element.isConnected || document.activeElement !== document.body) return
    last.current = undefined
    const same =
      pane === null
        ? null
        : around.current?.querySelector<HTMLElement>(`[data-pane='${pane}'] [tabindex='0']`)
    ;(same ?? around.current?.closest<HTMLElement>('section[tabindex]'))?.focus()
  }, [around, arrangement])
  return useCallback(({ target }: FocusEvent) => {
    last.current = { element: target, pane: target.closest('[data-pane]')?.getAttribute('data-pane') ?? null }
  }, [])
}
