// A ring buffer for the last minutes of any recorded system, built on `record`.
import type { ReplayableTrace } from '../../../trace/index.ts'
import { encodeSegments, type FileContext } from '../encode-gently.ts'
import type { Recording } from '../recording-types.ts'
import { createSegments, type RingOptions, type SegmentRecorder, type Segments } from './segments.ts'

/** A recording that drops its oldest part as it grows. */
export interface Ring {
  /** Input for a store: `store.write(ring)`. */
  readonly segments: Segments
  /** The retained steps, updated live. When old steps are dropped, the arrays are replaced by new ones. */
  readonly trace: ReplayableTrace
  /**
   * The retained part as a gzipped file. It begins with a keyframe and replays exactly. It is written in slices,
   * between which a page can draw.
   */
  readonly file: (context?: FileContext) => Promise<Uint8Array<ArrayBuffer>>
}

/**
 * Limits a recording, which otherwise grows without bound, to its last minutes or stimuli. From this call on,
 * `recording.trace` contains only the newest part. For a ring that is always on, record without steps
 * (`record(machine, { steps: false })`), which costs almost nothing.
 * @throws TypeError if the argument does not come from `record` or `createRecorder`
 */
export function createRing(
  recording: Pick<Recording, 'trace' | 'startRecording'>,
  options: RingOptions,
): Ring {
  if (!isSegmented(recording))
    throw new TypeError('createRing needs a recording from `record` or `createRecorder`.')
  const segments = createSegments(recording, () => performance.now(), options)
  return { segments, trace: segments.trace, file: context => encodeSegments(segments, recording, context) }
}

function isSegmented(recording: object): recording is SegmentRecorder {
  return ['segment', 'nextSegment', 'refine', 'seal', 'onRestart'].every(name => name in recording)
}
