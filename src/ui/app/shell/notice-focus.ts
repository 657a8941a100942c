// The focus around notices: it stays where the user puts it, and returns from a notice that closes.

/**
 * Handles the focus for the region with the notices; a callback ref. The notice library would move it back to
 * where it was before, whenever it leaves a notice: a control that the user goes to would never get it, and
 * the next key press would reach another one.
 */
export function ownNoticeFocus(region: HTMLElement | null): (() => void) | undefined {
  if (!region) return undefined
  let home: HTMLElement | undefined
  const onIn = (event: FocusEvent) => {
    // The library listens above, through React.
    event.stopPropagation()
    const { relatedTarget: from } = event
    if (from instanceof HTMLElement && !region.contains(from)) home = from
  }
  const onOut = ({ target, relatedTarget: to }: FocusEvent) =>
    queueMicrotask(() => {
      const isLeft = target instanceof Node && target.isConnected && !region.contains(asNode(to))
      if (isLeft && document.hasFocus()) home = undefined
    })
  const bringBack = () => {
    if (!home || document.activeElement !== document.body) return
    if (home.isConnected) home.focus({ preventScroll: true })
    home = undefined
  }
  const observer = new MutationObserver(bringBack)
  observer.observe(region, { childList: true, subtree: true })
  region.addEventListener('focusin', onIn)
  region.addEventListener('focusout', onOut)
  return () => {
    observer.disconnect()
    region.removeEventListener('focusin', onIn)
    region.removeEventListener('focusout', onOut)
  }
}

const asNode = (target: EventTarget | null): Node | null => (target instanceof Node ? target : null)
