// Recordings that a store can follow: in segments or in one piece.
import type { ReplayableTrace } from '../../../trace/index.ts'
import type { OnSecret, Segments } from './segments.ts'

/** The parts of a segmented recording that are followed. */
export type Followed = Pick<Segments, 'run' | 'list' | 'isRecording' | 'renew' | 'onEnd' | 'onSecret'> & {
  readonly trace: Pick<ReplayableTrace, 'version' | 'subscribe'>
}

/** A recording that a store can follow: `client.recording`, or the result of `record`. */
export type Recordable =
  | { readonly segments: Segments }
  | {
      readonly trace: ReplayableTrace
      readonly isRecording: () => boolean
      readonly onSecret?: OnSecret
      readonly onRestart?: Segments['onEnd']
    }

/** Converts a recording to the form that a follower needs. */
export const followed = (recording: Recordable): Followed =>
  'segments' in recording ? recording.segments : whole(recording)

/** Wraps a recording in one piece, which cannot be shortened. */
function whole({
  trace,
  isRecording,
  onSecret = () => () => undefined,
  onRestart = () => () => undefined,
}: Extract<Recordable, { readonly trace: unknown }>): Followed {
  let stimuli = trace.stimuli
  let run = 0
  const look = () => {
    if (trace.stimuli === stimuli) return run
    stimuli = trace.stimuli
    return (run += 1)
  }
  return {
    run: look,
    list: () => [{ number: look(), at: 0, isRestorable: true, trace }],
    isRecording,
    onSecret,
    renew: () => undefined,
    onEnd: onRestart,
    trace,
  }
}
