// Follows a trace that is held in memory, and may still grow, with a timeline.
import type { BookmarkRecord, Stimulus, TracePortion, TraceSource, ViewRecord } from '../format.ts'
import { portionOf } from '../portion.ts'
import { TimelineFeed } from './feed.ts'
import { Timeline } from './timeline.ts'

/** What became of numbers when the oldest part of a recording was let go. */
export interface Cut {
  /** So much less. */
  readonly views: number
  /** The actor's index now; none for one that is gone. */
  readonly actor: (before: number) => number | undefined
}

/** Feeds a timeline from a source in memory; each record costs the same, however long the trace is. */
export class LiveFeed {
  readonly timeline = new Timeline()
  readonly source: TraceSource
  /** What had been let go when this one began. */
  readonly dropped: number
  readonly #feed = new TimelineFeed()
  #lists: TracePortion | undefined
  #first: ViewRecord | undefined
  #taken = { actors: 0, stimuli: 0, views: 0, bookmarks: 0 }

  constructor(source: TraceSource) {
    this.source = source
    this.dropped = source.dropped ?? 0
    this.#feed.header(source.header)
  }

  /** Whether views wait to be taken. */
  get isBehind(): boolean {
    const { isWhole, views } = this.#lists ?? portionOf(this.source, 0)
    return !isWhole || this.#taken.views < views.length
  }

  /** Whether the source holds another recording than the one that was taken, or lost its beginning. */
  get isOutdated(): boolean {
    const { views } = portionOf(this.source, 0)
    return this.#taken.views > views.length || (this.#taken.views > 0 && views[0] !== this.#first)
  }

  /** Whether it is outdated because the oldest part was let go, while the rest goes on. */
  get isCut(): boolean {
    return (this.source.dropped ?? 0) > this.dropped && this.isOutdated
  }

  /** Takes at most `limit` new views and stimuli, and all else that is new. */
  advance(limit: number): void {
    const lists = (this.#lists = portionOf(this.source, limit))
    const { actors, stimuli, views } = lists
    const taken = this.#taken
    this.#first ??= views[0]
    for (; taken.actors < actors.length; taken.actors++) this.#record(actors[taken.actors])
    const enough = Math.min(stimuli.length, taken.stimuli + limit)
    for (; taken.stimuli < enough; taken.stimuli++) this.#record(stimuli[taken.stimuli])
    const end = Math.min(views.length, taken.views + limit)
    for (; taken.views < end; taken.views++) this.#record(views[taken.views])
    // Reading them may make all else ready, too.
    const bookmarks = this.isBehind ? NONE : bookmarksOf(this.source)
    for (; taken.bookmarks < bookmarks.length; taken.bookmarks++) this.#record(bookmarks[taken.bookmarks])
    const block = this.#feed.flush()
    if (block) this.timeline.take(block)
  }

  /** The record of a view that was taken, while the source has it under that number. */
  view(seq: number): ViewRecord | undefined {
    return this.isOutdated ? undefined : this.#lists?.views[seq]
  }

  stimulus(seq: number): Stimulus | undefined {
    return this.isOutdated ? undefined : this.#lists?.stimuli[seq]
  }

  /** What became of the numbers of this one in a later one of the same source. */
  cutTo(later: LiveFeed): Cut {
    const [was, now] = [this.timeline.actors, later.timeline.actors]
    const indices = new Map(now.map(({ path, index }) => [path, index]))
    const actor = (before: number) => {
      const path = was[before]?.path ?? ''
      return now[before]?.path === path ? before : indices.get(path)
    }
    return { views: later.dropped - this.dropped, actor }
  }

  #record(record: Parameters<TimelineFeed['record']>[0] | undefined): void {
    if (record) this.#feed.record(record)
  }
}

const NONE: readonly BookmarkRecord[] = []

function bookmarksOf(source: TraceSource): readonly BookmarkRecord[] {
  return 'bookmarks' in source ? (source.bookmarks as readonly BookmarkRecord[]) : NONE
}
