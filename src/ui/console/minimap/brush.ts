// What dragging over the minimap does to the range: makes one, moves it, or pulls at an end of it.
import { clamped, type Range } from '../canvas/time-scale.ts'

/** Where a drag took hold. */
export type Grip = 'new' | 'window' | 'from' | 'to'

/** Nearer than so many pixels to an end, that end is taken hold of. */
const NEAR = 5

/** What is under the pointer. */
export function gripAt(x: number, ends: Range | undefined): Grip {
  if (!ends) return 'new'
  if (Math.abs(x - ends[0]) <= NEAR) return 'from'
  if (Math.abs(x - ends[1]) <= NEAR) return 'to'
  return x > ends[0] && x < ends[1] ? 'window' : 'new'
}

/** The range when the pointer has come from one time to another. */
export function dragged(grip: Grip, before: Range, from: number, to: number, whole: Range): Range {
  const inside = (t: number) => Math.min(whole[1], Math.max(whole[0], t))
  switch (grip) {
    case 'new':
      return sorted(inside(from), inside(to))
    case 'window':
      return clamped([before[0] + to - from, before[1] + to - from], whole)
    case 'from':
      return sorted(inside(to), before[1])
    case 'to':
      return sorted(before[0], inside(to))
  }
}

const sorted = (a: number, b: number): Range => (a <= b ? [a, b] : [b, a])
