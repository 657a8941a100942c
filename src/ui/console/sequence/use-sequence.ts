// The sequence diagram of the shown place; only changed parts are laid out again.
import { useMemo } from 'react'
import type { Timeline } from '../../../trace/index.ts'
import type { Range } from '../canvas/time-scale.ts'
import {
  busiest,
  lifelines,
  messagesIn,
  sequenceWindow,
  type Lifelines,
  type SequenceEvents,
  type SequenceWindow,
} from './sequence-rows.ts'

export interface SequenceOptions {
  readonly timeline: Timeline
  /** Increases with the timeline. */
  readonly version: number
  readonly events: SequenceEvents
  readonly range: Range
  /** The selected view, or -1; the moment; and the selected actor. */
  readonly seq: number
  readonly at: number
  readonly actor: number
  /** Number of lifelines that fit. */
  readonly room: number
}

export interface LaidOut extends Lifelines, Pick<SequenceWindow, 'before' | 'after'> {
  /** Numbers of the views whose messages are drawn, ascending. */
  readonly seqs: readonly number[]
}

export function useSequence(options: SequenceOptions): LaidOut {
  const { timeline, version, events, range, seq, at, actor, room } = options
  const { from, to, before, after } = sequenceWindow(timeline, events, range, at)
  const seqs = useMemo(
    () => (version >= 0 ? messagesIn(timeline, events, { from, to }) : []),
    [timeline, version, events, from, to],
  )
  const ranked = useMemo(() => busiest(timeline, seqs), [timeline, seqs])
  // The selected actor and the sender of the selected message always have a lifeline.
  const sender = seq < 0 ? actor : timeline.from(seq)
  const drawn = useMemo(
    () => lifelines(timeline, ranked, room, [actor, sender]),
    [timeline, ranked, room, actor, sender],
  )
  return useMemo(() => ({ ...drawn, seqs, before, after }), [drawn, seqs, before, after])
}
