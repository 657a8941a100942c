// Summarizes a recording in a fixed number of buckets, updated as it grows: states by family, and events; and
// describes one.
import { FAMILIES, FLAG, type Timeline, type StateInfo } from '../../../trace/index.ts'
import type { Tone } from '../../widgets/pill.tsx'
import { clockTime, count, plural } from '../text.ts'

/** Severity of a state, from neutral to failed. */
export const LEVELS: readonly Tone[] = ['neutral', 'ok', 'stale', 'pending', 'fail']

export const BUCKETS = 4096
/** Initial width of a bucket, in milliseconds; doubles when the recording no longer fits. */
const NARROWEST = 0.125

/**
 * Counts by bucket. A state counts in all buckets from its first to its last, but only those two are stored,
 * so that its cost does not depend on its duration, and doubling the width adds neighbors.
 */
export class Overview {
  /** Milliseconds per bucket. */
  width = NARROWEST
  readonly events = new Uint32Array(BUCKETS)
  readonly failed = new Uint32Array(BUCKETS)
  readonly injected = new Uint32Array(BUCKETS)
  /** By family and level. */
  readonly #begins = tables()
  readonly #ends = tables()
  /** The table of an actor's state; -1 for none. */
  readonly #open: number[] = []
  readonly #timeline: Timeline
  readonly #toneOf: (seq: number) => Tone
  #seen = 0

  constructor(timeline: Timeline, toneOf: (seq: number) => Tone) {
    this.#timeline = timeline
    this.#toneOf = toneOf
  }

  /** Processes at most `limit` further views; returns whether there are more. */
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

  /**
   * Returns the most severe level of a family in each bucket, plus one; 0 where none of its machines was
   * running.
   */
  levels(family: number): Uint8Array {
    const found = new Uint8Array(BUCKETS)
    LEVELS.forEach((_, level) => {
      this.#each(family, level, (bucket, count) => {
        if (count > 0) found[bucket] = level + 1
      })
    })
    return found
  }

  /** Returns the number of a family's machines in states of each level within a bucket. */
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

  /** An actor ends together with all its descendants, which may have no end of their own in the trace. */
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

/** Merges neighbors; the second half becomes empty. */
function halve(table: Uint32Array): void {
  for (let at = 0; at < BUCKETS / 2; at++) table[at] = (table[2 * at] ?? 0) + (table[2 * at + 1] ?? 0)
  table.fill(0, BUCKETS / 2)
}

/** Whether a view belongs to a machine with states that represents its family, not one that mediates. */
function standsForFamily(timeline: Timeline, seq: number): boolean {
  if (timeline.state(seq).label === '') return false
  const actor = timeline.actor(seq)
  const family = timeline.family(actor)
  const name = timeline.actors[actor]?.src.replace(/Machine$/, '')
  return family === 'client' || name === family
}

interface OverviewFacts {
  readonly title: string
  readonly lines: readonly string[]
}

/** Labels for machines in states of a level; the levels themselves are drawn. */
const WORDS = ['idle', 'ok', 'stale', 'waiting', 'failed'] as const

/** Returns the facts of the bucket at a time, and of highlights within `near` milliseconds. */
export function overviewFacts(
  timeline: Timeline,
  overview: Overview,
  t: number,
  near: number,
  findings: readonly { readonly seq: number; readonly name: string }[],
): OverviewFacts {
  const bucket = overview.bucketAt(t)
  const isNear = (seq: number) => Math.abs(timeline.t(seq) - t) <= near
  const [events, failed, injected] = [
    overview.events[bucket] ?? 0,
    overview.failed[bucket] ?? 0,
    overview.injected[bucket] ?? 0,
  ]
  const found = findings.filter(({ seq }) => isNear(seq)).map(({ name }) => name)
  const notes = timeline.bookmarks.filter(({ step }) => isNear(step)).map(({ note }) => note)
  return {
    title: `${clockTime(t)} · event ${count(Math.max(0, timeline.countAt(t) - 1))}`,
    lines: [
      ...FAMILIES.flatMap((family, at) => familyLine(timeline, overview, t, family, at, bucket)),
      ...(events > 0 ? [`${plural(events, 'event')} in ${durationOf(overview)}`] : []),
      ...(failed > 0 ? [`${count(failed)} failed`] : []),
      ...(injected > 0 ? [`${count(injected)} injected`] : []),
      ...new Set(found.map(name => `failed: ${name}`)),
      ...notes.map(note => `note: ${note}`),
    ].slice(0, 9),
  }
}

const durationOf = ({ width }: Overview): string => (width < 1 ? `${width} ms` : `${count(width)} ms`)

function familyLine(
  timeline: Timeline,
  overview: Overview,
  t: number,
  family: string,
  at: number,
  bucket: number,
): string[] {
  const counts = overview.countsAt(at, bucket)
  const all = counts.reduce((sum, value) => sum + value, 0)
  if (all === 0) return []
  const only = all === 1 ? stateOfOnly(timeline, t, at) : undefined
  if (only !== undefined) return [`${family}: ${only}`]
  const words = counts.flatMap((value, level) => (value > 0 ? [`${count(value)} ${WORDS[level]}`] : []))
  return [`${family}: ${words.toReversed().join(', ')}`]
}

/** How far back to search for the state of a family. */
const BACK = 2000
/** Maximum length of a state that is shown in full. */
const LONG = 36

/** Returns the state of the family's machine that took the last step before a time. */
function stateOfOnly(timeline: Timeline, t: number, family: number): string | undefined {
  const last = timeline.countAt(t) - 1
  for (let seq = last; seq >= Math.max(0, last - BACK); seq--) {
    const isOurs = timeline.familyId(timeline.actor(seq)) === family && standsForFamily(timeline, seq)
    if (isOurs && timeline.status(seq) === 'active') return shortened(timeline.state(seq))
  }
  return undefined
}

/** Shortens a long state to its innermost states. */
function shortened({ label, leaves }: StateInfo): string {
  if (label.length <= LONG) return label
  return leaves.map(path => path.slice(path.lastIndexOf('.') + 1)).join(' · ')
}
