// Keeps the focus nearby when the focused element disappears or is disabled.
import { useEffect, type RefObject } from 'react'

/** Elements where keys keep working and Tab continues nearby, innermost first. */
const HOMES =
  '[role=tabpanel], [role=toolbar], [role=dialog], [role=alertdialog], [data-pane], section[tabindex]'

/** Popovers, menus and dialogs, which are rendered elsewhere in the page. */
const OVERLAYS = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

/** A home that takes the focus loses it with its `tabindex`, which its own code may remove. */
const FOCUSABLE =
  ':is([tabindex], a[href], button, input, select, textarea, summary, [contenteditable]):not(:disabled)'

interface Last {
  readonly element: Element
  /** The overlay it is in. */
  readonly overlay: HTMLElement | undefined
  /** Homes from the inside out: around it, or around what opened the overlay. */
  readonly homes: readonly HTMLElement[]
}

/** Watches the given element, and overlays opened from it, while the focus is in them. */
export function useFocusHome(around: RefObject<HTMLElement | null>): void {
  useEffect(() => (around.current ? keepFocus(around.current) : undefined), [around])
}

function keepFocus(root: HTMLElement): () => void {
  let last: Last | undefined
  const forget = () => {
    last = undefined
    observer.disconnect()
  }
  const bringBack = () => {
    if (!last || !isLost(last.element)) return
    const { overlay, homes } = last
    const home = [...(overlay ? [overlay] : []), ...homes].find(it => it.isConnected)
    forget()
    if (!home) return
    if (!home.hasAttribute('tabindex')) home.tabIndex = -1
    home.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(() => {
    if (!last || !isLost(last.element)) return
    // An overlay returns the focus itself one frame later, if what opened it is still there.
    if (last.overlay) requestAnimationFrame(() => requestAnimationFrame(bringBack))
    else bringBack()
  })
  const watch = (next: Last) => {
    if (last?.overlay !== next.overlay) observer.disconnect()
    last = next
    const attributeFilter = ['disabled', 'tabindex']
    observer.observe(next.overlay ? document.body : root, { childList: true, subtree: true, attributeFilter })
  }
  const onIn = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return
    if (root.contains(target))
      return watch({ element: target, overlay: undefined, homes: homesOf(target, root) })
    const overlay = target.closest<HTMLElement>(OVERLAYS)
    if (last && overlay) watch({ element: target, overlay, homes: last.homes })
    else forget()
  }
  const onOut = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null) return
    queueMicrotask(() => {
      const isLeft = last?.element === target && last?.element.isConnected && !isLost(last.element)
      // The user pressed something that takes no focus.
      if (isLeft && document.activeElement !== target) forget()
    })
  }
  document.addEventListener('focusin', onIn)
  document.addEventListener('focusout', onOut)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', onIn)
    document.removeEventListener('focusout', onOut)
  }
}

/** A focus that the user moved elsewhere is not changed. */
function isLost(element: Element): boolean {
  const { activeElement, body } = document
  if (element.isConnected && element.matches(FOCUSABLE)) return false
  return activeElement === null || activeElement === body || activeElement === element
}

function homesOf(element: Element, root: HTMLElement): readonly HTMLElement[] {
  const homes: HTMLElement[] = []
  for (let at = element.parentElement; at && element !== root; at = at.parentElement) {
    if (at.matches(HOMES)) homes.push(at)
    if (at === root) return homes
  }
  return [root]
}
