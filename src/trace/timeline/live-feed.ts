// Follows a trace that is held in memory, and may still grow, with a timeline.
import type { BookmarkRecord, TraceSource, ViewRecord } from '../format.ts'
import { TimelineFeed } from './feed.ts'
import { Timeline } from './timeline.ts'

/** Feeds a timeline from a source in memory; each record costs the same, however long the trace is. */
export class LiveFeed {
  readonly timeline = new Timeline()
  readonly source: TraceSource
  readonly #feed = new TimelineFeed()
  #first: ViewRecord | undefined
  #taken = { actors: 0, stimuli: 0, views: 0, bookmarks: 0 }

  constructor(source: TraceSource) {
    this.source = source
    this.#feed.header(source.header)
  }

  /** Whether views wait to be taken. */
  get isBehind(): boolean {
    return this.#taken.views < this.source.views.length
  }

  /** Whether the source holds another recording than the one that was taken, or lost its beginning. */
  get isOutdated(): boolean {
    const { views } = this.source
    return this.#taken.views > views.length || (this.#taken.views > 0 && views[0] !== this.#first)
  }

  /** Takes at most `limit` new views, and all else that is new. */
  advance(limit: number): void {
    const { actors, stimuli, views } = this.source
    const taken = this.#taken
    this.#first ??= views[0]
    for (; taken.actors < actors.length; taken.actors++) this.#record(actors[taken.actors])
    for (; taken.stimuli < stimuli.length; taken.stimuli++) this.#record(stimuli[taken.stimuli])
    const end = Math.min(views.length, taken.views + limit)
    for (; taken.views < end; taken.views++) this.#record(views[taken.views])
    const bookmarks = bookmarksOf(this.source)
    for (; taken.bookmarks < bookmarks.length; taken.bookmarks++) this.#record(bookmarks[taken.bookmarks])
    const block = this.#feed.flush()
    if (block) this.timeline.take(block)
  }

  #record(record: Parameters<TimelineFeed['record']>[0] | undefined): void {
    if (record) this.#feed.record(record)
  }
}

const NONE: readonly BookmarkRecord[] = []

function bookmarksOf(source: TraceSource): readonly BookmarkRecord[] {
  return 'bookmarks' in source ? (source.bookmarks as readonly BookmarkRecord[]) : NONE
}
