// The timeline of one trace: what views read of its steps, actors, marks, requests and causes.
import { Listeners } from '../listeners.ts'
import type { TraceHeader, BookmarkRecord } from '../format/records.ts'
import { Column } from '../model/column.ts'
import { ActorTracks, countUpToNumber } from './actor-tracks.ts'
import { FLAG, type TimelineBlock } from './block.ts'
import { WireTable, type Wire, type WirePart } from './wire-table.ts'

/** Columns and tracks, and lists of marks. */
class MarkedTable extends ActorTracks {
  /** Numbers of the failed steps, ascending. */
  readonly failures: number[] = []
  /** Numbers of the steps that carry an injected fault, ascending. */
  readonly injections: number[] = []
  readonly gaps: Gap[] = []
  /**
   * Bookmarks in the order of creation; a later one replaces an earlier one on the same step. A new list
   * after each change.
   */
  bookmarks: readonly BookmarkRecord[] = []
  readonly #faults = new Map<number, string>()

  /** Id of the fault that a step carries. */
  faultOf(seq: number): string | undefined {
    return this.#faults.get(seq)
  }

  protected mark(seq: number, flags: number): void {
    if ((flags & FLAG.failed) !== 0) this.failures.push(seq)
    if ((flags & FLAG.injected) !== 0) this.injections.push(seq)
    if ((flags & FLAG.lost) === 0) return
    const last = this.gaps.at(-1)
    if (last?.to === seq) last.to += 1
    else this.gaps.push({ from: seq, to: seq + 1 })
  }

  protected takeMarks({ faults, bookmarks }: TimelineBlock): void {
    for (const [seq, fault] of faults) this.#faults.set(seq, fault)
    for (const bookmark of bookmarks) {
      // A new list, so that steps detect the change.
      const others = this.bookmarks.filter(({ step }) => step !== bookmark.step)
      this.bookmarks = bookmark.note === '' ? others : [...others, bookmark]
    }
  }
}

/** The timeline of one trace. */
export class Timeline extends MarkedTable {
  /** Grows with every block. */
  version = 0
  readonly #visits = new Visits(this)
  readonly #wire = new WireTable(this.actors)
  /** The latest effect of each step, and for each effect the previous one. */
  readonly #latestEffect = new Column(length => new Int32Array(length).fill(-1))
  readonly #elderEffect = new Column(length => new Int32Array(length))
  readonly #listeners = new Listeners()
  #header: TraceHeader | undefined

  /** Absent until the first block. */
  get header(): TraceHeader | undefined {
    return this.#header
  }

  /** Appends records that follow the previous ones. May modify the columns of the block. */
  take(block: TimelineBlock): void {
    const from = this.size
    this.#header ??= block.header
    this.takeColumns(block)
    this.know()
    for (let seq = from; seq < this.size; seq++) this.#follow(seq)
    this.takeMarks(block)
    for (const note of block.wire) this.#wire.take(note, this.t(note.seq))
    this.touch()
  }

  /** Notifies listeners without growth, when data outside the timeline has become available. */
  touch(): void {
    this.version += 1
    this.#listeners.notify()
  }

  /** Subscribes to new blocks; returns the unsubscribe function. */
  readonly subscribe = this.#listeners.subscribe

  /** Steps whose event was sent while this one was processed, ascending. */
  effects(seq: number): readonly number[] {
    const found: number[] = []
    for (let at = this.#latestEffect.get(seq); at >= 0; at = this.#elderEffect.get(at)) found.push(at)
    return found.reverse()
  }

  /** The causes of this step, nearest first, up to a maximum. */
  causesOf(seq: number, most = 100): readonly number[] {
    const found: number[] = []
    for (let at = this.by(seq); at >= 0 && found.length < most; at = this.by(at)) found.push(at)
    return found
  }

  /** Requests with their attempts, calls of other ports, and sockets, in start order. */
  get wire(): readonly Wire[] {
    return this.#wire.list
  }

  /** The attempts of a port, by the index of its actor. */
  wirePartsOf(port: number): readonly WirePart[] {
    return this.#wire.partsOf(port)
  }

  /**
   * How often the actor had entered each state, by path, up to `seq`. The map is valid until the next call.
   */
  visits(actor: number, seq: number): ReadonlyMap<string, number> {
    return this.#visits.upTo(actor, seq)
  }

  override get bytes(): number {
    return super.bytes + this.#latestEffect.bytes + this.#elderEffect.bytes + 4 * this.size
  }

  #follow(seq: number): void {
    this.mark(seq, this.flags(seq))
    this.follow(seq)
    const by = this.by(seq)
    this.#latestEffect.push(-1)
    this.#elderEffect.push(by >= 0 ? this.#latestEffect.get(by) : -1)
    if (by >= 0) this.#latestEffect.set(by, seq)
  }
}

/** A range of steps with lost lines: from `from` up to, but not including, `to`. */
interface Gap {
  readonly from: number
  to: number
}

interface Counted {
  /** Number of counted moves. */
  moves: number
  readonly counts: Map<string, number>
}

/** Number of actors whose counts are cached. */
const KEPT = 64

/** Counts how often an actor entered each state up to a moment, incrementally from the last requested moment. */
class Visits {
  readonly #timeline: ActorTracks
  readonly #counted = new Map<number, Counted>()

  constructor(timeline: ActorTracks) {
    this.#timeline = timeline
  }

  /** Takes as many steps as there are moves between this moment and the last requested one. */
  upTo(actor: number, seq: number): ReadonlyMap<string, number> {
    const moves = this.#timeline.movesOf(actor)
    const wanted = countUpToNumber(moves, seq)
    const counted = this.#of(actor)
    for (; counted.moves < wanted; counted.moves++) this.#count(counted, moves, counted.moves, 1)
    for (; counted.moves > wanted; counted.moves--) this.#count(counted, moves, counted.moves - 1, -1)
    return counted.counts
  }

  #of(actor: number): Counted {
    const known = this.#counted.get(actor) ?? { moves: 0, counts: new Map<string, number>() }
    // The most recent come last.
    this.#counted.delete(actor)
    this.#counted.set(actor, known)
    if (this.#counted.size > KEPT) for (const oldest of this.#counted.keys()) return this.#drop(oldest, known)
    return known
  }

  #drop(actor: number, known: Counted): Counted {
    this.#counted.delete(actor)
    return known
  }

  #count({ counts }: Counted, moves: readonly number[], at: number, by: 1 | -1): void {
    const before = at > 0 ? this.#timeline.state(moves[at - 1] ?? -1).paths : []
    for (const path of this.#timeline.state(moves[at] ?? -1).paths) {
      if (before.includes(path)) continue
      const count = (counts.get(path) ?? 0) + by
      if (count > 0) counts.set(path, count)
      else counts.delete(path)
    }
  }
}
