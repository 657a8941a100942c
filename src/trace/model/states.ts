// Keyframes of states: from place to place the last view of every living actor, so that no seek reads far.
import type { ActorEntry, ViewRecord } from '../format.ts'
import { join } from '../gzip.ts'
import { Column, countUpTo } from './column.ts'

/** All of them together are at most as large as this part of the text, however many actors live. */
const SHARE = 1 / 64

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const NEVER = 0xffffffff

/** The states at one place. */
export interface StateKeyframe {
  /** How many views stand before it. */
  readonly views: number
  /** The living actors, and for each the number of its last view. */
  readonly actors: Uint32Array
  readonly seqs: Uint32Array
  /** The lines of those views, and where each ends. */
  readonly text: Uint8Array
  readonly ends: Uint32Array
}

interface LastStep {
  readonly seq: number
  readonly line: string
}

/** Follows the actors through a file. */
export class StateKeyframes {
  readonly list: StateKeyframe[] = []
  readonly #living = new Map<number, LastStep>()
  readonly #parents = new Column(length => new Uint32Array(length))
  readonly #endedAt = new Column(length => new Uint32Array(length))
  /** Actors whose line is still a part of the text that it was read from. */
  readonly #fresh = new Set<number>()
  #size = 0
  #since = 0

  actor({ parent }: ActorEntry): void {
    this.#parents.push(parent ?? NEVER)
    this.#endedAt.push(NEVER)
  }

  /** Takes the next view and its line. */
  view(view: ViewRecord, line: string): void {
    this.#since += line.length
    const { actor, seq } = view
    this.#size += line.length - (this.#living.get(actor)?.line.length ?? 0)
    this.#living.set(actor, { seq, line })
    this.#fresh.add(actor)
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
  settle(views: number): void {
    this.#copyFresh()
    if (this.#since * SHARE < this.#size) return
    for (const actor of this.#living.keys()) if (!this.isLiving(actor, views)) this.#drop(actor)
    if (this.#since * SHARE < this.#size || this.#living.size === 0) return
    this.#since = 0
    const living = [...this.#living].sort(([a], [b]) => a - b)
    const lines = living.map(([, { line }]) => encoder.encode(line))
    const text = join(
      lines,
      lines.reduce((sum, { length }) => sum + length, 0),
    )
    let end = 0
    const ends = Uint32Array.from(lines, ({ length }) => (end += length))
    const actors = Uint32Array.from(living, ([actor]) => actor)
    const seqs = Uint32Array.from(living, ([, { seq }]) => seq)
    this.list.push({ views, actors, seqs, text, ends })
  }

  /** The last keyframe that stands before view `seq` or right after the one before it. */
  before(seq: number): StateKeyframe | undefined {
    return this.list[countUpTo(this.list.length, at => (this.list[at]?.views ?? 0) <= seq) - 1]
  }

  get bytes(): number {
    const held = this.list.reduce((sum, { text, actors }) => sum + text.length + 12 * actors.length, 0)
    return held + this.#parents.bytes + this.#endedAt.bytes
  }

  /** When there are no more views, only the keyframes count. */
  finish(): void {
    this.#living.clear()
  }

  /** A part of a text keeps all of it in memory. */
  #copyFresh(): void {
    for (const actor of this.#fresh) {
      const last = this.#living.get(actor)
      if (last) this.#living.set(actor, { ...last, line: `${last.line} `.slice(0, -1) })
    }
    this.#fresh.clear()
  }

  #drop(actor: number): void {
    this.#size -= this.#living.get(actor)?.line.length ?? 0
    this.#living.delete(actor)
  }
}

/** The line of an actor's last view before a keyframe. */
export function lineIn({ actors, text, ends }: StateKeyframe, actor: number): string {
  const at = countUpTo(actors.length, index => (actors[index] ?? 0) < actor)
  return decoder.decode(text.subarray(ends[at - 1] ?? 0, ends[at]))
}
