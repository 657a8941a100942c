// A trace as the console shows it, wherever it comes from: its timeline, and its details.
import type { Damage, TraceHeader, TraceSource } from '../../../trace/format.ts'
import { LiveFeed } from '../../../trace/timeline/live-feed.ts'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import { memoryDetails, type Details } from './details.ts'

/** A live recording, one that is held in memory, or a file. */
export interface ShownTrace {
  readonly live: boolean
  /** Where it is held, when that is in memory. */
  readonly source?: TraceSource
  /** What takes up the growth of that. */
  readonly feed?: LiveFeed
  readonly header: TraceHeader
  readonly timeline: Timeline
  readonly details: Details
  /** How much of it is taken up, from 0 to 1; 1 for a live one. */
  readonly share: () => number
  /** What is wrong with it; known when it is read. */
  readonly damage: () => readonly Damage[]
  /** How many of its oldest views were let go; always 0 for a file. */
  readonly dropped: () => number
}

/** A trace in memory, which may grow. */
export interface MemoryTrace extends ShownTrace {
  readonly source: TraceSource
  readonly feed: LiveFeed
}

/** Shows a trace that is held in memory; `feed.advance` takes up what is new. */
export function memoryTrace(source: TraceSource): MemoryTrace {
  const feed = new LiveFeed(source)
  const { timeline } = feed
  return {
    live: source.live,
    source,
    feed,
    get header() {
      return source.header
    },
    timeline,
    details: memoryDetails(feed),
    share: () => (source.live || !feed.isBehind ? 1 : timeline.size / Math.max(1, source.views.length)),
    damage: () => (feed.isBehind ? [] : source.damage),
    dropped: () => feed.dropped,
  }
}
