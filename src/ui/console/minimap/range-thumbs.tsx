// Both ends of the range on the overview, as sliders.
import type { Range } from '../canvas/time-scale.ts'
import { clockTime } from '../text.ts'
import { Thumb } from './thumb.tsx'

export interface RangeThumbsProps {
  readonly range: Range
  readonly full: Range
  readonly xOf: (t: number) => number
  readonly onRange: (range: Range | undefined) => void
}

/** Size of a step, as a share of the whole. */
const STEP = 0.01
/** Size of a step with Shift or Page keys. */
export const LEAP = 0.1

export function RangeThumbs({ range, full, xOf, onRange }: RangeThumbsProps) {
  const length = full[1] - full[0]
  const move = (end: 0 | 1, t: number) => {
    const inside = Math.min(full[1], Math.max(full[0], t))
    const next: Range = end === 0 ? [inside, range[1]] : [range[0], inside]
    if (next[1] - next[0] >= (length * STEP) / 2) onRange(next)
  }
  return ([0, 1] as const).map(end => (
    <Thumb
      key={end}
      label={end === 0 ? 'Range from' : 'Range to'}
      kind="end"
      x={xOf(range[end])}
      value={Math.round(range[end])}
      max={Math.round(full[1])}
      text={clockTime(range[end])}
      onStep={(direction, far) => move(end, range[end] + direction * (far ? LEAP : STEP) * length)}
      onEdge={edge => edge === (end === 0 ? 'first' : 'last') && move(end, full[end])}
      onEscape={() => onRange(undefined)}
    />
  ))
}
