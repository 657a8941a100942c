// Keeps the focus in its pane when the panes move.
import {
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  type FocusEvent as ReactFocusEvent,
} from 'react'

interface LastPane {
  readonly element: Element
  readonly pane: string | null
}

/** Pass the result to the element around the panes. `arrangement` is a new object when they move. */
export function useKeptFocus(
  around: RefObject<HTMLElement | null>,
  arrangement: object,
): (event: ReactFocusEvent) => void {
  const last = useRef<LastPane>(undefined)
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
  return useCallback(({ target }: ReactFocusEvent) => {
    last.current = { element: target, pane: target.closest('[data-pane]')?.getAttribute('data-pane') ?? null }
  }, [])
}
