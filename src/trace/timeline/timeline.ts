/**
 * The timeline: the parts of a trace that lists, canvases and counts need, available synchronously in the page.
 *
 * - **Columns** (`ViewTable`): `t actor type cause by from state via status flags` of every step by its number
 *   (`seq`), about fifty bytes each; `stimulus(seq)`; tables `actors`, `types`, `states`, `vias`.
 * - **Actors**: `viewsOf`, `movesOf`, `lastOf(actor, seq)`, `nextOf`, `previous(seq)`, `born`, `ended`, `lifeOf`,
 *   `childrenOf`, `family`, `since`, `stayOf`, `visits`.
 * - **Causes**: `by(seq)`, `causesOf(seq)`, `effects(seq)`.
 * - **Marks**: `failures`, `injections` (ascending), `faultOf(seq)`, `bookmarks`, `gaps`, `wire`.
 * - **Lanes** (`lanes.ts`): `eachSpan`, `spansOf`, `eachPoint`, `pointsIn`, `density`, `errorsIn`.
 *
 * It only grows: by `take(block)`, with blocks from a `TimelineFeed`. `version` and `subscribe` report growth.
 * Data that only records contain (event, context, output) are loaded asynchronously, by `Details`.
 */
import type { TraceHeader } from '../format/records.ts'
import { Column } from '../model/column.ts'
import { ActorTracks, countUpToNumber, NEVER } from './actor-tracks.ts'
import { FLAG, type TimelineBlock } from './block.ts'
import type { Family } from './family.ts'
import { LivingChildren, type Living } from './living.ts'
import { MarkedTable } from './marked-table.ts'
import { Visits } from './visits.ts'
import { WireTable, type Wire } from './wire-table.ts'

/** The timeline of one trace. */
export class Timeline extends MarkedTable {
  /** Grows with every block. */
  version = 0
  readonly #tracks = new ActorTracks(this.actors)
  readonly #visits = new Visits(this)
  readonly #living = new LivingChildren()
  readonly #wire = new WireTable(this.actors)
  /** The latest effect of each step, and for each effect the previous one. */
  readonly #latestEffect = new Column(length => new Int32Array(length).fill(-1))
  readonly #elderEffect = new Column(length => new Int32Array(length))
  readonly #listeners = new Set<() => void>()
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
    this.#tracks.know()
    for (let seq = from; seq < this.size; seq++) this.#follow(seq)
    this.takeMarks(block)
    for (const note of block.wire) this.#wire.take(note, this.t(note.seq))
    this.touch()
  }

  /** Notifies listeners without growth, when data outside the timeline has become available. */
  touch(): void {
    this.version += 1
    for (const listener of this.#listeners) listener()
  }

  /** Subscribes to new blocks; returns the unsubscribe function. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Numbers of an actor's steps, ascending. */
  stepsOf(actor: number): readonly number[] {
    return this.#tracks.stepsOf(actor)
  }

  /** The steps in which its state or status changed. */
  movesOf(actor: number): readonly number[] {
    return this.#tracks.movesOf(actor)
  }

  childrenOf(actor: number): readonly number[] {
    return this.#tracks.childrenOf(actor)
  }

  /** Its children at a moment; those of -1 are the roots. Valid until the next query of that parent. */
  childrenAt(actor: number, seq: number): Living {
    return this.#living.at(actor, seq)
  }

  /** The actor's latest step at or before `seq`, or -1. */
  lastOf(actor: number, seq: number): number {
    const steps = this.stepsOf(actor)
    return steps[countUpToNumber(steps, seq) - 1] ?? -1
  }

  /** The actor's first step after `seq`, or -1. */
  nextOf(actor: number, seq: number): number {
    const steps = this.stepsOf(actor)
    return steps[countUpToNumber(steps, seq)] ?? -1
  }

  /** The previous step of the same actor, or -1. */
  previous(seq: number): number {
    return seq >= 0 && seq < this.size ? this.lastOf(this.actor(seq), seq - 1) : -1
  }

  /** The step that started the actor's state at `seq`, or -1. */
  since(actor: number, seq: number): number {
    const moves = this.movesOf(actor)
    return moves[countUpToNumber(moves, seq) - 1] ?? -1
  }

  /** How long the actor stayed in the state that it reached with a step. */
  stayOf(seq: number): number {
    const actor = this.actor(seq)
    const moves = this.movesOf(actor)
    const next = moves[countUpToNumber(moves, seq)]
    if (next !== undefined) return this.t(next) - this.t(seq)
    return Math.max(0, this.lifeOf(actor).to - this.t(seq))
  }

  /** The actor's first step; `NEVER` if it has none. */
  born(actor: number): number {
    return this.#tracks.born(actor)
  }

  /** The step that ended the actor; `NEVER` while it is running. */
  ended(actor: number): number {
    return this.#tracks.ended(actor)
  }

  /** The actor's lifetime: to the end of the trace unless it or an ancestor ended before. */
  lifeOf(actor: number): { readonly from: number; readonly to: number; readonly ended: boolean } {
    let end = this.ended(actor)
    for (let up = this.actors[actor]?.parent; up !== undefined; up = this.actors[up]?.parent)
      end = Math.min(end, this.ended(up))
    const born = this.born(actor)
    const from = born === NEVER ? this.end : this.t(born)
    return { from, to: end === NEVER ? this.end : Math.max(from, this.t(end)), ended: end !== NEVER }
  }

  family(actor: number): Family {
    return this.#tracks.family(actor)
  }

  /** Its index in `FAMILIES`. */
  familyId(actor: number): number {
    return this.#tracks.familyId(actor)
  }

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

  /** Requests with their attempts, and sockets, in start order. */
  get wire(): readonly Wire[] {
    return this.#wire.list
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
    const flags = this.flags(seq)
    const actor = this.actor(seq)
    if (this.#tracks.take(seq, actor, this.stateId(seq), (flags & 3) === 0)) {
      this.columns.flags.set(seq, flags | FLAG.moved)
      const parent = this.actors[actor]?.parent ?? -1
      if (this.#tracks.born(actor) === seq) this.#living.note(parent, actor, seq, true)
      if (this.#tracks.ended(actor) === seq) this.#living.note(parent, actor, seq, false)
    }
    this.mark(seq, flags)
    const by = this.by(seq)
    this.#latestEffect.push(-1)
    this.#elderEffect.push(by >= 0 ? this.#latestEffect.get(by) : -1)
    if (by >= 0) this.#latestEffect.set(by, seq)
  }
}
