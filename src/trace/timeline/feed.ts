// Turns records into timeline blocks, in the thread that reads a file or, for live traces, in the page, where
// they update the timeline at once.
import {
  type ActorEntry,
  type BookmarkRecord,
  LOST,
  type PlacedRecord,
  type StateValue,
  type StepRecord,
  type Stimulus,
  type TraceHeader,
} from '../format/records.ts'
import {
  eachColumn,
  FLAG,
  STATUSES,
  STEP_COLUMNS,
  STIMULUS_COLUMNS,
  STIMULUS_KINDS,
  type TimelineBlock,
  type WireNote,
} from './block.ts'
import { isFailure, textAt } from '../event-values.ts'
import { batchOf, type TraceBatch, type TraceSource } from '../format/trace-source.ts'
import { Timeline } from './timeline.ts'
import { isOwnSystem, WireNotes } from './wire-notes.ts'

/** Collects records until `flush` returns them as a block. */
export class TimelineFeed {
  #header: TraceHeader | undefined
  readonly #actors: ActorEntry[] = []
  readonly #seen = new Set<number>()
  readonly #types = new Intern<string>(0, type => type)
  // 0 means none.
  readonly #states = new Intern<StateValue>(1, keyOfState)
  readonly #vias = new Intern<readonly string[]>(1, keyOfVia)
  readonly #failing: (boolean | undefined)[] = []
  #sent = 0
  #bookmarks: BookmarkRecord[] = []
  #faults: (readonly [number, string])[] = []
  #wire: WireNote[] = []
  readonly #notes = new WireNotes()
  #isOwn = false
  #steps = emptyRows(STEP_COLUMNS)
  #stimuli = emptyRows(STIMULUS_COLUMNS)

  /** Number of collected steps. */
  get waiting(): number {
    return this.#steps.t.length
  }

  header(header: TraceHeader): void {
    this.#header = header
    this.#isOwn = isOwnSystem(header.system)
  }

  /** Adds the next record, in file order; kinds that a timeline does not use are ignored. */
  record(record: PlacedRecord): void {
    if (record.line === 'step') this.#step(record)
    else if (record.line === 'stimulus') this.#stimulus(record)
    else if (record.line === 'actor') this.#actors.push(record)
    else if (record.line === 'bookmark') this.#bookmarks.push(record)
  }

  /** Returns the records since the last call as a block; undefined if there are none. */
  flush(): TimelineBlock | undefined {
    const actors = this.#actors.slice(this.#sent)
    const isEmpty = this.waiting + this.#stimuli.t.length + actors.length + this.#bookmarks.length === 0
    if (isEmpty && !this.#header) return undefined
    const block: TimelineBlock = {
      ...(this.#header && { header: this.#header }),
      actors,
      types: this.#types.takeFresh(),
      states: this.#states.takeFresh(),
      vias: this.#vias.takeFresh(),
      steps: packed(STEP_COLUMNS, this.#steps),
      stimuli: packed(STIMULUS_COLUMNS, this.#stimuli),
      faults: this.#faults,
      wire: this.#wire,
      bookmarks: this.#bookmarks,
    }
    this.#header = undefined
    this.#sent = this.#actors.length
    this.#faults = []
    this.#wire = []
    this.#bookmarks = []
    this.#steps = emptyRows(STEP_COLUMNS)
    this.#stimuli = emptyRows(STIMULUS_COLUMNS)
    return block
  }

  #stimulus({ t, to, from, kind }: Stimulus): void {
    const rows = this.#stimuli
    rows.t.push(t)
    rows.to.push(to)
    rows.from.push(from ?? -1)
    rows.kind.push(STIMULUS_KINDS.indexOf(kind))
  }

  #step(step: StepRecord): void {
    const { actor, seq, event } = step
    const type = this.#types.numberOf(event.type)
    const fails = (this.#failing[type] ??= isFailure(event.type))
    const fault = faultOf(event)
    if (fault !== undefined) this.#faults.push([seq, fault])
    const isFirst = !this.#seen.has(actor)
    if (isFirst) this.#seen.add(actor)
    this.#wire.push(...this.#notes.take(step, isFirst, this.#actors, this.#isOwn))
    const rows = this.#steps
    rows.t.push(step.t)
    rows.actor.push(actor)
    rows.type.push(type)
    rows.cause.push(step.cause)
    rows.by.push(step.by ?? -1)
    rows.from.push(step.from ?? -1)
    rows.state.push(step.value === undefined ? 0 : this.#states.numberOf(step.value))
    rows.via.push(step.via === undefined || step.via.length === 0 ? 0 : this.#vias.numberOf(step.via))
    const failed = step.status === 'error' || fails
    rows.flags.push(
      STATUSES.indexOf(step.status) |
        (step.changed ? FLAG.changed : 0) |
        (event.type === LOST ? FLAG.lost : 0) |
        (failed ? FLAG.failed : 0) |
        (fault === undefined ? 0 : FLAG.injected),
    )
  }
}

type ColumnTable<Name extends string> = Parameters<typeof eachColumn<Name, unknown>>[0]

/** Collects numbers by column. */
const emptyRows = <Name extends string>(table: ColumnTable<Name>) => eachColumn(table, (): number[] => [])

/** Returns collected numbers as the columns of a block. */
const packed = <Name extends string>(
  table: ColumnTable<Name>,
  rows: Readonly<Record<Name, readonly number[]>>,
) =>
  eachColumn(table, (make, name) => {
    const numbers = make(rows[name].length)
    numbers.set(rows[name])
    return numbers
  })

/** Assigns each value a number, counted from `first`, and collects the new ones. */
class Intern<T> {
  #fresh: T[] = []
  #next: number
  readonly #keyOf: (value: T) => string
  readonly #byKey = new Map<string, number>()
  /** Fast path for identical objects. */
  readonly #byValue = new WeakMap<object, number>()

  constructor(first: number, keyOf: (value: T) => string) {
    this.#next = first
    this.#keyOf = keyOf
  }

  numberOf(value: T): number {
    const isObject = typeof value === 'object' && value !== null
    const seen = isObject ? this.#byValue.get(value) : undefined
    if (seen !== undefined) return seen
    const key = this.#keyOf(value)
    let number = this.#byKey.get(key)
    if (number === undefined) {
      this.#byKey.set(key, (number = this.#next++))
      this.#fresh.push(value)
    }
    if (isObject) this.#byValue.set(value, number)
    return number
  }

  /** Returns the new values since the last call, ordered by number. */
  takeFresh(): T[] {
    const fresh = this.#fresh
    this.#fresh = []
    return fresh
  }
}

const keyOfState = (value: StateValue): string =>
  typeof value === 'string' ? `"${value}` : JSON.stringify(value)

const keyOfVia = (via: readonly string[]): string => via.join('\n')

/** How a fault names itself in the reason of a closed socket. */
const FAULT_REASON = /^fault (\S{1,100})$/

/** Id of the injected fault, if the event names one. */
function faultOf(event: StepRecord['event']): string | undefined {
  const named = textAt(event, 'faultId') ?? textAt(event, 'failure', 'faultId')
  if (named !== undefined || event.type !== 'socket.closed') return named
  return FAULT_REASON.exec(textAt(event, 'reason') ?? '')?.[1]
}

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
    const { actors, stimuli, steps, bookmarks = [] } = lists
    const taken = this.#taken
    this.#first ??= steps[0]
    for (; taken.actors < actors.length; taken.actors++) this.#record(actors[taken.actors])
    const enough = Math.min(stimuli.length, taken.stimuli + limit)
    for (; taken.stimuli < enough; taken.stimuli++) this.#record(stimuli[taken.stimuli])
    const end = Math.min(steps.length, taken.steps + limit)
    for (; taken.steps < end; taken.steps++) this.#record(steps[taken.steps])
    // The steps that bookmarks name are known then.
    const noted = this.isBehind ? 0 : bookmarks.length
    for (; taken.bookmarks < noted; taken.bookmarks++) this.#record(bookmarks[taken.bookmarks])
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
