// The last minutes of any recorded system: a ring for what `record` gives.
import { encodeFile } from '../../trace/encode.ts'
import type { ReplayableTrace } from '../../trace/format.ts'
import type { Recording } from '../recording/system-recording.ts'
import { createSegments, type RingOptions, type SegmentRecorder, type Segments } from './segments.ts'

/** A recording of which the oldest part goes by and by. */
export interface Ring {
  /** For a store: `store.write(ring)`. */
  readonly segments: Segments
  /** What is held, as it comes; when something went, new arrays are in the place of the old ones. */
  readonly trace: ReplayableTrace
  /** What is held as a gzipped file; it begins with a keyframe and replays exactly. */
  readonly file: () => Promise<Uint8Array<ArrayBuffer>>
}

/**
 * Holds the last minutes or stimuli of a recording, which would grow without end by itself: from now on
 * `recording.trace` is only the newest part of it. A ring that is always on is best made of a recording without
 * views (`record(machine, { views: false })`), which costs next to nothing.
 * @throws TypeError when this is not what `record` or `createRecorder` gave
 */
export function createRing(
  recording: Pick<Recording, 'trace' | 'startRecording'>,
  options: RingOptions,
): Ring {
  if (!isSegmented(recording)) throw new TypeError('Only what `record` gives can be held in a ring.')
  const segments = createSegments(recording, () => performance.now(), options)
  return { segments, trace: segments.trace, file: () => encodeFile(segments.recorded()) }
}

function isSegmented(recording: object): recording is SegmentRecorder {
  return ['segment', 'nextSegment', 'refine', 'seal'].every(name => name in recording)
}
