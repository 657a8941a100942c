// The sequence diagram of what is looked at, laid out anew only as far as something changed.
import { useMemo } from 'react'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
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
  /** Grows with the timeline. */
  readonly version: number
  readonly events: SequenceEvents
  readonly range: Range
  /** The chosen view, or -1; the moment; and the chosen actor. */
  readonly seq: number
  readonly at: number
  readonly actor: number
  /** How many lifelines there is room for. */
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
  // The chosen actor, and who sent it the chosen message, have a line in any case.
  const sender = seq < 0 ? actor : timeline.from(seq)
  const drawn = useMemo(
    () => lifelines(timeline, ranked, room, [actor, sender]),
    [timeline, ranked, room, actor, sender],
  )
  return useMemo(() => ({ ...drawn, seqs, before, after }), [drawn, seqs, before, after])
}
