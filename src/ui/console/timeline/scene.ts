// What the timeline's drawings have in common: the scene, and measures in pixels.
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import type { Tone } from '../../widgets/pill.tsx'
import type { Palette } from '../canvas/palette.ts'
import type { TimeScale } from '../canvas/time-scale.ts'
import type { Finding } from '../judge/verdicts.ts'
import type { Marks } from '../model/place.ts'
import type { LaneList } from './lanes.ts'

export const ROW = 24
export const RULER = 22
/** Height of a bar. */
export const BAR = 15

export interface Scene {
  readonly timeline: Timeline
  readonly list: LaneList
  readonly scale: TimeScale
  readonly palette: Palette
  /** Pixels that are scrolled away above. */
  readonly top: number
  readonly height: number
  readonly marks: Marks
  /** What the state reached with a view means. */
  readonly toneOf: (seq: number) => Tone
}

/** With what is chosen. */
export interface ChosenScene extends Scene {
  readonly seq: number
  readonly findings: readonly Finding[]
}
