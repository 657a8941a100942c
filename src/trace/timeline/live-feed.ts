// Updates a timeline from a trace in memory that may still grow.
import type { BookmarkRecord, StepRecord, Stimulus } from '../format/records.ts'
import type { TraceBatch, TraceSource } from '../format/trace-source.ts'
import { batchOf } from '../format/batch.ts'
import { TimelineFeed } from './feed.ts'
import { Timeline } from './timeline.ts'

/** How numbers changed when the oldest part of a recording was dropped. */
export interface Cut {
  /** By how much they decreased. */
  readonly steps: number
  /** The actor's current index; undefined for a dropped actor. */
  readonly actor: (before: number) => number | undefined
}

/** Feeds a timeline from a source in memory; the cost per record is independent of the trace's length. */
export class LiveFeed {
  readonly timeline = new Timeline()
  readonly source: TraceSource
  /** Number of dropped steps when this feed started. */
  readonly dropped: number
  readonly #feed = new TimelineFeed()
  #lists: TraceBatch | undefined
  #first: StepRecord | undefined
  #taken = { actors: 0, stimuli: 0, steps: 0, bookmarks: 0 }

  constructor(source: TraceSource) {
    this.source = source
    this.dropped = source.dropped ?? 0
    this.#feed.header(source.header)
  }

  /** Whether new steps are available. */
  get isBehind(): boolean {
    const { isWhole, steps } = this.#lists ?? batchOf(this.source, 0)
    return !isWhole || this.#taken.steps < steps.length
  }

  /** Whether the source has restarted or lost its beginning since. */
  get isOutdated(): boolean {
    const { steps } = batchOf(this.source, 0)
    return this.#taken.steps > steps.length || (this.#taken.steps > 0 && steps[0] !== this.#first)
  }

  /** Whether it is outdated because the oldest part was dropped, while the recording continues. */
  get isCut(): boolean {
    return (this.source.dropped ?? 0) > this.dropped && this.isOutdated
  }

  /** Adds at most `limit` new steps and stimuli, and everything else that is new. */
  advance(limit: number): void {
    const lists = (this.#lists = batchOf(this.source, limit))
    const { actors, stimuli, steps } = lists
    const taken = this.#taken
    this.#first ??= steps[0]
    for (; taken.actors < actors.length; taken.actors++) this.#record(actors[taken.actors])
    const enough = Math.min(stimuli.length, taken.stimuli + limit)
    for (; taken.stimuli < enough; taken.stimuli++) this.#record(stimuli[taken.stimuli])
    const end = Math.min(steps.length, taken.steps + limit)
    for (; taken.steps < end; taken.steps++) this.#record(steps[taken.steps])
    // Reading the bookmarks may make all other records ready, too.
    const bookmarks = this.isBehind ? NONE : bookmarksOf(this.source)
    for (; taken.bookmarks < bookmarks.length; taken.bookmarks++) this.#record(bookmarks[taken.bookmarks])
    const block = this.#feed.flush()
    if (block) this.timeline.take(block)
  }

  /** Returns the record of an added step, while the source still has it under that number. */
  step(seq: number): StepRecord | undefined {
    return this.isOutdated ? undefined : this.#lists?.steps[seq]
  }

  stimulus(seq: number): Stimulus | undefined {
    return this.isOutdated ? undefined : this.#lists?.stimuli[seq]
  }

  /** Maps the numbers of this feed to a later one of the same source. */
  cutTo(later: LiveFeed): Cut {
    const [was, now] = [this.timeline.actors, later.timeline.actors]
    const indices = new Map(now.map(({ path, index }) => [path, index]))
    const actor = (before: number) => {
      const path = was[before]?.path ?? ''
      return now[before]?.path === path ? before : indices.get(path)
    }
    return { steps: later.dropped - this.dropped, actor }
  }

  #record(record: Parameters<TimelineFeed['record']>[0] | undefined): void {
    if (record) this.#feed.record(record)
  }
}

const NONE: readonly BookmarkRecord[] = []

function bookmarksOf(source: TraceSource): readonly BookmarkRecord[] {
  return 'bookmarks' in source ? (source.bookmarks as readonly BookmarkRecord[]) : NONE
}
