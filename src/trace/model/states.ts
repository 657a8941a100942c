// State keyframes: at intervals, the last step of every living actor, so that seeking reads little.
import type { ActorEntry, StepRecord } from '../format/records.ts'
import { join } from '../read/gzip.ts'
import { Column, countUpTo } from './column.ts'

/** Maximum total size as a fraction of the text, however many actors are alive. */
const SHARE = 1 / 64

// Created when needed: not every engine has them, and not every client records.
let encoder: TextEncoder | undefined
let decoder: TextDecoder | undefined

const NEVER = 0xffffffff

/** The states at one position. */
export interface StateKeyframe {
  /** Number of earlier steps. */
  readonly steps: number
  /** The living actors, and the number of each one's last step. */
  readonly actors: Uint32Array
  readonly seqs: Uint32Array
  /** The lines of those steps, and the end of each. */
  readonly text: Uint8Array
  readonly ends: Uint32Array
}

interface LastStep {
  readonly seq: number
  readonly line: string
}

/** Tracks the actors through a file. */
export class StateKeyframes {
  readonly list: StateKeyframe[] = []
  readonly #living = new Map<number, LastStep>()
  readonly #parents = new Column(length => new Uint32Array(length))
  readonly #endedAt = new Column(length => new Uint32Array(length))
  /** Actors whose line is still a substring of the text it was read from. */
  readonly #fresh = new Set<number>()
  #size = 0
  #since = 0

  actor({ parent }: ActorEntry): void {
    this.#parents.push(parent ?? NEVER)
    this.#endedAt.push(NEVER)
  }

  /** Processes the next step and its line. */
  step(step: StepRecord, line: string): void {
    this.#since += line.length
    const { actor, seq } = step
    this.#size += line.length - (this.#living.get(actor)?.line.length ?? 0)
    this.#living.set(actor, { seq, line })
    this.#fresh.add(actor)
    if (step.status === 'active') return
    this.#endedAt.set(actor, Math.min(step.seq, this.#endedAt.get(actor)))
    this.#drop(actor)
  }

  /** Whether neither the actor nor any of its ancestors has ended by step `seq`. */
  isLiving(actor: number, seq: number): boolean {
    for (let at = actor; at !== NEVER && !Number.isNaN(at); at = this.#parents.get(at))
      if (this.#endedAt.get(at) <= seq) return false
    return true
  }

  /** Adds a keyframe after this many steps, if one is due. */
  settle(steps: number): void {
    this.#copyFresh()
    if (this.#since * SHARE < this.#size) return
    for (const actor of this.#living.keys()) if (!this.isLiving(actor, steps)) this.#drop(actor)
    if (this.#since * SHARE < this.#size || this.#living.size === 0) return
    this.#since = 0
    const living = [...this.#living].sort(([a], [b]) => a - b)
    const lines = living.map(([, { line }]) => (encoder ??= new TextEncoder()).encode(line))
    const text = join(
      lines,
      lines.reduce((sum, { length }) => sum + length, 0),
    )
    let end = 0
    const ends = Uint32Array.from(lines, ({ length }) => (end += length))
    const actors = Uint32Array.from(living, ([actor]) => actor)
    const seqs = Uint32Array.from(living, ([, { seq }]) => seq)
    this.list.push({ steps, actors, seqs, text, ends })
  }

  /** Returns the last keyframe before step `seq`. */
  before(seq: number): StateKeyframe | undefined {
    return this.list[countUpTo(this.list.length, at => (this.list[at]?.steps ?? 0) <= seq) - 1]
  }

  get bytes(): number {
    const held = this.list.reduce((sum, { text, actors }) => sum + text.length + 12 * actors.length, 0)
    return held + this.#parents.bytes + this.#endedAt.bytes
  }

  /** After the last step, only the keyframes are needed. */
  finish(): void {
    this.#living.clear()
  }

  /** A substring keeps the whole text in memory. */
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

/** The line of an actor's last step before a keyframe. */
export function lineIn({ actors, text, ends }: StateKeyframe, actor: number): string {
  const at = countUpTo(actors.length, index => (actors[index] ?? 0) < actor)
  return (decoder ??= new TextDecoder()).decode(text.subarray(ends[at - 1] ?? 0, ends[at]))
}
