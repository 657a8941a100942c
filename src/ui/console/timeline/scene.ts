// Shared data of the timeline's drawings: the scene, and sizes in pixels.
import type { Timeline } from '../../../trace/index.ts'
import type { Tone } from '../../widgets/pill.tsx'
import type { Palette } from '../canvas/palette.ts'
import type { TimeScale } from '../canvas/time-scale.ts'
import type { Finding } from '../checks/verdicts.ts'
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
  /** Pixels scrolled out above. */
  readonly top: number
  readonly height: number
  readonly marks: Marks
  /** Returns the tone of the state reached by a view. */
  readonly toneOf: (seq: number) => Tone
}

/** A scene with the selection. */
export interface ChosenScene extends Scene {
  readonly seq: number
  readonly findings: readonly Finding[]
}
