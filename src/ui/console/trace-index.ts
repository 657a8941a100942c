// Looks up views of a trace by actor, cause and state, for views that read records.
import type { TraceSource } from '../../trace/format.ts'
import type { Timeline } from '../../trace/timeline/timeline.ts'
import type { ShownTrace } from './model/shown-trace.ts'
import { sourceOfTrace } from './model/thin-source.ts'

/** One trace. It is in step with the timeline, and so with all that was taken up so far. */
export class TraceIndex {
  readonly trace: ShownTrace
  readonly timeline: Timeline
  /** Of a file, `views[seq]` may lack what only whole records have; those come from `trace.details`. */
  readonly source: TraceSource

  constructor(trace: ShownTrace) {
    this.trace = trace
    this.timeline = trace.timeline
    this.source = sourceOfTrace(trace)
  }

  /** How many views are taken up. */
  get size(): number {
    return this.timeline.size
  }

  /** The actor's latest view at or before `seq`, or -1. */
  lastOf(actor: number, seq: number): number {
    return this.timeline.lastOf(actor, seq)
  }

  /** The actor's first view after `seq`, or -1. */
  nextOf(actor: number, seq: number): number {
    return this.timeline.nextOf(actor, seq)
  }

  /** Numbers of the actor's views. */
  viewsOf(actor: number): readonly number[] {
    return this.timeline.viewsOf(actor)
  }

  /** The view before this one of the same actor, or -1. */
  previous(seq: number): number {
    return this.timeline.previous(seq)
  }

  /** Views whose event was sent while this one was processed. */
  effects(seq: number): readonly number[] {
    return this.timeline.effects(seq)
  }

  /** From which view on the actor exists; an actor without views never shows up in the past. */
  born(actor: number): number {
    return this.timeline.born(actor)
  }

  /** Which view ended the actor. */
  ended(actor: number): number {
    return this.timeline.ended(actor)
  }

  /** Whether the actor had been in the state by `seq`. */
  visited(actor: number, path: string, seq: number): boolean {
    return this.timeline.visits(actor, seq).has(path)
  }
}
