// A trace as the console shows it, from any source: its timeline and its details.
import {
  type Damage,
  LiveFeed,
  type Timeline,
  type TraceHeader,
  type TraceSource,
} from '../../../trace/index.ts'
import { memoryDetails, type Details } from './details.ts'

/** A live recording, a trace in memory, or a file. */
export interface ShownTrace {
  readonly live: boolean
  /** The source, if it is in memory. */
  readonly source?: TraceSource
  /** Processes the source's growth. */
  readonly feed?: LiveFeed
  readonly header: TraceHeader
  readonly timeline: Timeline
  readonly details: Details
  /** Processed share, from 0 to 1; 1 for a live trace. */
  readonly share: () => number
  /** Its damage; known once it is read. */
  readonly damage: () => readonly Damage[]
  /** Number of its oldest steps that were dropped; always 0 for a file. */
  readonly dropped: () => number
}

/** A trace in memory, which may grow. */
export interface MemoryTrace extends ShownTrace {
  readonly source: TraceSource
  readonly feed: LiveFeed
}

/** Shows a trace in memory; `feed.advance` processes new records. */
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
    share: () => (source.live || !feed.isBehind ? 1 : timeline.size / Math.max(1, source.steps.length)),
    damage: () => (feed.isBehind ? [] : source.damage),
    dropped: () => feed.dropped,
  }
}
