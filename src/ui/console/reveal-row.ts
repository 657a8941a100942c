// Scrolls a window of rows just far enough that a row is seen, without asking the browser for a layout.
import type { Virtualizer } from '@tanstack/react-virtual'

export interface Reveal {
  /** Height of a row. */
  readonly size: number
  /** How much of the top is covered by a head that stays. */
  readonly head: number
}

/** Leaves a row's height free above and below. */
export function revealRow(
  view: Virtualizer<HTMLDivElement, Element>,
  element: HTMLDivElement | null,
  row: number,
  { size, head }: Reveal,
): void {
  const height = view.scrollRect?.height ?? 0
  if (!element || height === 0 || row < 0) return
  const [from, to] = [row * size, (row + 1) * size + head]
  const at = view.scrollOffset ?? 0
  if (from - size < at) element.scrollTop = Math.max(0, from - size)
  else if (to + size > at + height) element.scrollTop = to + size - height
}
