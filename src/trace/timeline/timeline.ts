/**
 * The timeline: everything of a trace that lists, canvases and counts need, synchronous and in the page.
 *
 * - **Columns** (`ViewTable`): `t actor type cause by from state via status flags` of every view by its number
 *   (`seq`), about fifty bytes each; `stimulus(seq)`; tables `actors`, `types`, `states`, `vias`.
 * - **Actors**: `viewsOf`, `movesOf`, `lastOf(actor, seq)`, `nextOf`, `previous(seq)`, `born`, `ended`, `lifeOf`,
 *   `childrenOf`, `family`, `since`, `stayOf`, `visits`.
 * - **Causes**: `by(seq)`, `causesOf(seq)`, `effects(seq)`.
 * - **Marks**: `failures`, `injections` (ascending), `faultOf(seq)`, `bookmarks`, `gaps`, `wire`.
 * - **Lanes** (`lanes.ts`): `eachSpan`, `spansOf`, `eachPoint`, `pointsIn`, `density`, `errorsIn`.
 *
 * It only grows: by `take(block)`, with blocks from a `TimelineFeed`. `version` and `subscribe` tell of growth.
 * What only a record has (event, context, output) comes asynchronously, from `Details`.
 */
import type { TraceHeader } from '../format.ts'
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
  /** Latest view that a view led to, and for each of those the one before. */
  readonly #latestEffect = new Column(length => new Int32Array(length).fill(-1))
  readonly #elderEffect = new Column(length => new Int32Array(length))
  readonly #listeners = new Set<() => void>()
  #header: TraceHeader | undefined

  /** Absent until the first block. */
  get header(): TraceHeader | undefined {
    return this.#header
  }

  /** Takes records that follow those before. Columns of the block may be changed. */
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

  /** Calls back without growth: something beside the timeline became known. */
  touch(): void {
    this.version += 1
    for (const listener of this.#listeners) listener()
  }

  /** Calls back after every block; returns the unsubscribe function. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Numbers of an actor's views, ascending. */
  viewsOf(actor: number): readonly number[] {
    return this.#tracks.viewsOf(actor)
  }

  /** Those with which its state or status became another. */
  movesOf(actor: number): readonly number[] {
    return this.#tracks.movesOf(actor)
  }

  childrenOf(actor: number): readonly number[] {
    return this.#tracks.childrenOf(actor)
  }

  /** Its children at a moment; those of -1 are the roots. Good until the next question about that parent. */
  childrenAt(actor: number, seq: number): Living {
    return this.#living.at(actor, seq)
  }

  /** The actor's latest view at or before `seq`, or -1. */
  lastOf(actor: number, seq: number): number {
    const views = this.viewsOf(actor)
    return views[countUpToNumber(views, seq) - 1] ?? -1
  }

  /** The actor's first view after `seq`, or -1. */
  nextOf(actor: number, seq: number): number {
    const views = this.viewsOf(actor)
    return views[countUpToNumber(views, seq)] ?? -1
  }

  /** The view before this one of the same actor, or -1. */
  previous(seq: number): number {
    return seq >= 0 && seq < this.size ? this.lastOf(this.actor(seq), seq - 1) : -1
  }

  /** The view with which the actor came to the state that it had at `seq`, or -1. */
  since(actor: number, seq: number): number {
    const moves = this.movesOf(actor)
    return moves[countUpToNumber(moves, seq) - 1] ?? -1
  }

  /** For how long the actor stayed in the state that it reached with a view. */
  stayOf(seq: number): number {
    const actor = this.actor(seq)
    const moves = this.movesOf(actor)
    const next = moves[countUpToNumber(moves, seq)]
    if (next !== undefined) return this.t(next) - this.t(seq)
    return Math.max(0, this.lifeOf(actor).to - this.t(seq))
  }

  /** From which view on the actor exists; `NEVER` for one without views. */
  born(actor: number): number {
    return this.#tracks.born(actor)
  }

  /** Which view ended the actor; `NEVER` while it goes on. */
  ended(actor: number): number {
    return this.#tracks.ended(actor)
  }

  /** When it lived: up to the end of the trace when nothing ended it, or an actor above it. */
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

  /** Its number in `FAMILIES`. */
  familyId(actor: number): number {
    return this.#tracks.familyId(actor)
  }

  /** Views whose event was sent while this one was processed, ascending. */
  effects(seq: number): readonly number[] {
    const found: number[] = []
    for (let at = this.#latestEffect.get(seq); at >= 0; at = this.#elderEffect.get(at)) found.push(at)
    return found.reverse()
  }

  /** The views that led to this one, nearest first, at most so many. */
  causesOf(seq: number, most = 100): readonly number[] {
    const found: number[] = []
    for (let at = this.by(seq); at >= 0 && found.length < most; at = this.by(at)) found.push(at)
    return found
  }

  /** Requests with their attempts, and sockets, in the order in which they began. */
  get wire(): readonly Wire[] {
    return this.#wire.list
  }

  /** How often the actor had entered each state, by its path, up to `seq`. The map is good until the next call. */
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
