// Scrolling elements must be reachable by keyboard.

/** Props for a scrolling element without focusable content. */
export const SCROLLED = { tabIndex: 0 } as const
