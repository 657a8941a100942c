// What a whole recording was in a fixed number of buckets, kept up to date as it grows: states by family, and events.
import { FLAG } from '../../../trace/timeline/block.ts'
import { FAMILIES } from '../../../trace/timeline/family.ts'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import type { Tone } from '../../widgets/pill.tsx'

/** How grave a state is, from nothing to say to failed. */
export const LEVELS: readonly Tone[] = ['neutral', 'ok', 'stale', 'pending', 'fail']

export const BUCKETS = 4096
/** Width of a bucket in the beginning, in milliseconds; it doubles when the recording does not fit any more. */
const NARROWEST = 0.125

/**
 * Counts by bucket. A state counts in all buckets from the one in which it begins to the one in which it ends: only
 * those two are written down, so that a state costs the same however long it lasts, and doubling adds up neighbours.
 */
export class Overview {
  /** Milliseconds that a bucket stands for. */
  width = NARROWEST
  readonly events = new Uint32Array(BUCKETS)
  readonly failed = new Uint32Array(BUCKETS)
  readonly injected = new Uint32Array(BUCKETS)
  /** By family and level. */
  readonly #begins = tables()
  readonly #ends = tables()
  /** The table of the state that an actor is in; -1 for none. */
  readonly #open: number[] = []
  readonly #timeline: Timeline
  readonly #toneOf: (seq: number) => Tone
  #seen = 0

  constructor(timeline: Timeline, toneOf: (seq: number) => Tone) {
    this.#timeline = timeline
    this.#toneOf = toneOf
  }

  /** Takes up at most `limit` further views; says whether there are more. */
  advance(limit: number): boolean {
    const timeline = this.#timeline
    const end = Math.min(timeline.size, this.#seen + limit)
    while (end > 0 && timeline.t(end - 1) >= this.width * BUCKETS) this.#widen()
    for (; this.#seen < end; this.#seen++) this.#take(this.#seen)
    return end < timeline.size
  }

  bucketAt(t: number): number {
    return Math.min(BUCKETS - 1, Math.max(0, Math.floor(t / this.width)))
  }

  /** The gravest level of a family in each bucket, plus one; 0 where none of its machines lived. */
  levels(family: number): Uint8Array {
    const found = new Uint8Array(BUCKETS)
    LEVELS.forEach((_, level) => {
      this.#each(family, level, (bucket, count) => {
        if (count > 0) found[bucket] = level + 1
      })
    })
    return found
  }

  /** How many machines of a family were in states of each level within a bucket. */
  countsAt(family: number, bucket: number): readonly number[] {
    return LEVELS.map((_, level) => {
      let found = 0
      this.#each(family, level, (at, count) => {
        if (at === bucket) found = count
      })
      return found
    })
  }

  #each(family: number, level: number, visit: (bucket: number, count: number) => void): void {
    const table = family * LEVELS.length + level
    const [begins, ends] = [this.#begins[table], this.#ends[table]]
    if (!begins || !ends) return
    let count = 0
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      count += begins[bucket] ?? 0
      visit(bucket, count)
      count -= ends[bucket] ?? 0
    }
  }

  #take(seq: number): void {
    const timeline = this.#timeline
    const flags = timeline.flags(seq)
    const bucket = this.bucketAt(timeline.t(seq))
    add(this.events, bucket)
    if ((flags & FLAG.failed) !== 0) add(this.failed, bucket)
    if ((flags & FLAG.injected) !== 0) add(this.injected, bucket)
    if ((flags & FLAG.moved) === 0) return
    const actor = timeline.actor(seq)
    if ((flags & 3) !== 0) return this.#endAll(actor, bucket)
    if (!standsForFamily(timeline, seq)) return
    this.#close(actor, bucket)
    const table = timeline.familyId(actor) * LEVELS.length + LEVELS.indexOf(this.#toneOf(seq))
    this.#open[actor] = table
    add(this.#begins[table], bucket)
  }

  #close(actor: number, bucket: number): void {
    const table = this.#open[actor] ?? -1
    if (table >= 0) add(this.#ends[table], bucket)
    this.#open[actor] = -1
  }

  /** An actor ends with all below it, of which no word may be left. */
  #endAll(actor: number, bucket: number): void {
    this.#close(actor, bucket)
    for (const child of this.#timeline.childrenOf(actor)) this.#endAll(child, bucket)
  }

  #widen(): void {
    this.width *= 2
    for (const table of [this.events, this.failed, this.injected, ...this.#begins, ...this.#ends])
      halve(table)
  }
}

const tables = () => Array.from({ length: FAMILIES.length * LEVELS.length }, () => new Uint32Array(BUCKETS))

function add(table: Uint32Array | undefined, bucket: number): void {
  if (table) table[bucket] = (table[bucket] ?? 0) + 1
}

/** Neighbours become one; the second half is empty. */
function halve(table: Uint32Array): void {
  for (let at = 0; at < BUCKETS / 2; at++) table[at] = (table[2 * at] ?? 0) + (table[2 * at + 1] ?? 0)
  table.fill(0, BUCKETS / 2)
}

/** Whether a view is of a machine with states, and none that mediates for those of its family. */
export function standsForFamily(timeline: Timeline, seq: number): boolean {
  if (timeline.state(seq).label === '') return false
  const actor = timeline.actor(seq)
  const family = timeline.family(actor)
  const name = timeline.actors[actor]?.src.replace(/Machine$/, '')
  return family === 'client' || name === family
}
