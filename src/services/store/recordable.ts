// What a store can follow: a recording in segments, or one in a single piece.
import type { ReplayableTrace } from '../../trace/format.ts'
import type { OnSecret, Segments } from './segments.ts'

/** The part of a recording in segments that is followed. */
export type Followed = Pick<Segments, 'run' | 'list' | 'isRecording' | 'renew' | 'onEnd' | 'onSecret'> & {
  readonly trace: Pick<ReplayableTrace, 'version' | 'subscribe'>
}

/** A recording that a store can follow: `client.recording`, or what `record` gives. */
export type Recordable =
  | { readonly segments: Segments }
  | {
      readonly trace: ReplayableTrace
      readonly isRecording: () => boolean
      readonly onSecret?: OnSecret
    }

/** The recording as a follower sees it. */
export const followed = (recording: Recordable): Followed =>
  'segments' in recording ? recording.segments : whole(recording)

/** A recording that is in one piece; it can't be shortened. */
function whole({
  trace,
  isRecording,
  onSecret = () => () => undefined,
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
    onEnd: () => () => undefined,
    trace,
  }
}
