// The moment on the overview, as a slider.
import type { Timeline } from '../../../trace/index.ts'
import { clockTime, eventName } from '../text.ts'
import { LEAP } from './range-thumbs.tsx'
import { Thumb } from './thumb.tsx'

export interface MomentThumbProps {
  readonly timeline: Timeline
  readonly seq: number
  readonly isFollowing: boolean
  readonly xOf: (t: number) => number
  /** Length of the whole, in milliseconds. */
  readonly length: number
  readonly onMoment: (seq: number) => void
}

export function MomentThumb({ timeline, seq, isFollowing, xOf, length, onMoment }: MomentThumbProps) {
  const t = timeline.t(seq)
  const at = Number.isNaN(t) ? 0 : t
  const last = Math.max(0, timeline.size - 1)
  const inside = (to: number) => Math.min(Math.max(0, to), last)
  return (
    <Thumb
      label="Moment"
      kind={isFollowing ? 'live' : 'moment'}
      x={xOf(at)}
      value={Math.max(0, seq)}
      max={last}
      text={`${eventName(seq)} at ${clockTime(at)}${isFollowing ? ', following the end' : ''}`}
      onStep={(direction, far) =>
        onMoment(inside(far ? momentAt(timeline, at + direction * length * LEAP) : seq + direction))
      }
      onEdge={edge => onMoment(edge === 'first' ? 0 : last)}
    />
  )
}

/** Returns the last view at or before a time. */
export const momentAt = (timeline: Timeline, t: number): number => Math.max(0, timeline.countAt(t) - 1)
