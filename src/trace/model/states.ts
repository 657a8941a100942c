// Keyframes of states: from place to place the last view of every living actor, packed, so that no seek reads far.
import { encodeRecord } from '../line-writer.ts'
import type { ActorEntry, ViewRecord } from '../format.ts'
import { packLines } from '../gzip.ts'
import { Column, countUpTo } from './column.ts'

/** All of them together are at most as large as this part of the text, however many actors live. */
const SHARE = 1 / 8

const NEVER = 0xffffffff

/** The states at one place. */
export interface StateKeyframe {
  /** How many views stand before it. */
  readonly views: number
  /** The living actors, and for each the number of its last view. */
  readonly actors: Uint32Array
  readonly seqs: Uint32Array
  /** Those views, one line each in the same order. */
  readonly packed: Uint8Array<ArrayBuffer>
}

/** Follows the actors through a file. */
export class StateKeyframes {
  readonly list: StateKeyframe[] = []
  readonly #living = new Map<number, { readonly view: ViewRecord; readonly size: number }>()
  readonly #parents = new Column(length => new Uint32Array(length))
  readonly #endedAt = new Column(length => new Uint32Array(length))
  #size = 0
  #since = 0

  actor({ parent }: ActorEntry): void {
    this.#parents.push(parent ?? NEVER)
    this.#endedAt.push(NEVER)
  }

  /** Takes the next view, whose line has this size. */
  view(view: ViewRecord, size: number): void {
    this.#since += size
    const { actor } = view
    this.#size += size - (this.#living.get(actor)?.size ?? 0)
    this.#living.set(actor, { view, size })
    if (view.status === 'active') return
    this.#endedAt.set(actor, Math.min(view.seq, this.#endedAt.get(actor)))
    this.#drop(actor)
  }

  /** Whether an actor, and all above it, have not ended with view `seq` or before. */
  isLiving(actor: number, seq: number): boolean {
    for (let at = actor; at !== NEVER && !Number.isNaN(at); at = this.#parents.get(at))
      if (this.#endedAt.get(at) <= seq) return false
    return true
  }

  /** Takes a keyframe after so many views, when it is time for one. */
  async settle(views: number): Promise<void> {
    if (this.#since * SHARE < this.#size) return
    for (const actor of this.#living.keys()) if (!this.isLiving(actor, views)) this.#drop(actor)
    if (this.#since * SHARE < this.#size || this.#living.size === 0) return
    this.#since = 0
    const living = [...this.#living].sort(([a], [b]) => a - b)
    const packed = await packLines(living.map(([, { view }]) => encodeRecord(view)))
    const actors = Uint32Array.from(living, ([actor]) => actor)
    const seqs = Uint32Array.from(living, ([, { view }]) => view.seq)
    this.list.push({ views, actors, seqs, packed })
  }

  /** The last keyframe that stands before view `seq` or right after the one before it. */
  before(seq: number): StateKeyframe | undefined {
    return this.list[countUpTo(this.list.length, at => (this.list[at]?.views ?? 0) <= seq) - 1]
  }

  get bytes(): number {
    const packed = this.list.reduce(
      (sum, { packed: { length }, actors }) => sum + length + 8 * actors.length,
      0,
    )
    return packed + this.#parents.bytes + this.#endedAt.bytes
  }

  /** When there are no more views, only the keyframes count. */
  finish(): void {
    this.#living.clear()
  }

  #drop(actor: number): void {
    this.#size -= this.#living.get(actor)?.size ?? 0
    this.#living.delete(actor)
  }
}
