// Drag logic of the minimap: creates a range, moves it, or moves one of its ends.
import { clamped, type Range } from '../canvas/time-scale.ts'

/** The part that a drag holds. */
export type DragHandle = 'new' | 'window' | 'from' | 'to'

/** Within this many pixels of an end, the drag holds that end. */
const NEAR = 5

/** Returns the part below the pointer. */
export function handleAt(x: number, ends: Range | undefined): DragHandle {
  if (!ends) return 'new'
  if (Math.abs(x - ends[0]) <= NEAR) return 'from'
  if (Math.abs(x - ends[1]) <= NEAR) return 'to'
  return x > ends[0] && x < ends[1] ? 'window' : 'new'
}

/** Returns the range after the pointer moved from one time to another. */
export function dragged(handle: DragHandle, before: Range, from: number, to: number, full: Range): Range {
  const inside = (t: number) => Math.min(full[1], Math.max(full[0], t))
  switch (handle) {
    case 'new':
      return sorted(inside(from), inside(to))
    case 'window':
      return clamped([before[0] + to - from, before[1] + to - from], full)
    case 'from':
      return sorted(inside(to), before[1])
    case 'to':
      return sorted(before[0], inside(to))
  }
}

const sorted = (a: number, b: number): Range => (a <= b ? [a, b] : [b, a])
