// Keeps the focus nearby when the focused element disappears or is disabled.
import { useEffect, type RefObject } from 'react'

/** Elements where keys keep working and Tab continues nearby, innermost first. */
const HOMES =
  '[role=tabpanel], [role=toolbar], [role=dialog], [role=alertdialog], [data-pane], section[tabindex]'

interface Last {
  readonly element: Element
  /** Its enclosing homes from the inside out, as of when it took the focus. */
  readonly homes: readonly HTMLElement[]
}

/** Watches the given element while the focus is in it. */
export function useFocusHome(around: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = around.current
    if (!root) return
    let last: Last | undefined
    const bringBack = () => {
      if (!last || !isLost(last.element)) return
      const home = last.homes.find(it => it.isConnected)
      last = undefined
      if (!home) return
      if (!home.hasAttribute('tabindex')) home.tabIndex = -1
      home.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(bringBack)
    const onIn = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      last = { element: target, homes: homesOf(target, root) }
      observer.observe(root, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    }
    const onOut = ({ target }: FocusEvent) =>
      queueMicrotask(() => {
        const isLeft = last?.element === target && last?.element.isConnected && !isLost(last.element)
        if (!isLeft || document.activeElement === target) return
        last = undefined
        observer.disconnect()
      })
    root.addEventListener('focusin', onIn)
    root.addEventListener('focusout', onOut)
    return () => {
      observer.disconnect()
      root.removeEventListener('focusin', onIn)
      root.removeEventListener('focusout', onOut)
    }
  }, [around])
}

/** A focus that the user moved elsewhere is not changed. */
function isLost(element: Element): boolean {
  const { activeElement, body } = document
  if (element.isConnected && !element.matches(':disabled')) return false
  return activeElement === null || activeElement === body || activeElement === element
}

function homesOf(element: Element, root: HTMLElement): readonly HTMLElement[] {
  const homes: HTMLElement[] = []
  for (let at = element.parentElement; at; at = at.parentElement) {
    if (at.matches(HOMES)) homes.push(at)
    if (at === root) break
  }
  return homes
}
