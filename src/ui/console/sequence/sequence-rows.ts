// The rows and lifelines of the sequence diagram: messages between actors, in the order in which they were taken.
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import type { Range } from '../canvas/time-scale.ts'

/** What comes from no actor. */
export const OUTSIDE = -1

export interface Sequence {
  /** Numbers of the views whose messages are drawn, ascending. */
  readonly seqs: readonly number[]
  /** Actors with a lifeline, in the order of the tree; `OUTSIDE` first when anything came from there. */
  readonly lines: readonly number[]
  /** For each actor the index of its lifeline, or of the nearest above it that has one. */
  readonly lineOf: (actor: number) => number
  /** Messages that an actor sent to itself, or within one lifeline. */
  readonly folded: number
  /** Actors that share the lifeline of one above them. */
  readonly sharing: number
}

/** XState's own news of beginnings and ends, which say nothing that the lifelines don't. */
const isOwn = (type: string): boolean => type === 'xstate.init' || type === 'xstate.stop'

export interface SequenceOptions {
  readonly range: Range
  /** How many lifelines there is room for. */
  readonly room: number
  /** Actors that have a lifeline in any case. */
  readonly keep: readonly number[]
  /** The view at a row of the log, or -1 beyond its end: only what the query lets through is drawn. */
  readonly seqAt: (row: number) => number
  readonly rows: number
}

/** At most so many views are looked at to choose lifelines. */
const SAMPLE = 20_000

/** Lays out the messages of a range. */
export function sequence(timeline: Timeline, options: SequenceOptions): Sequence {
  const { range, seqAt, rows } = options
  const messages: number[] = []
  const [first, end] = timeline.within(...range)
  for (let row = 0; row < rows; row++) {
    const seq = seqAt(row)
    if (seq < first) continue
    if (seq >= end) break
    if (!isOwn(timeline.type(seq))) messages.push(seq)
  }
  const { lines, sharing } = lifelines(timeline, messages, options)
  const known = new Map(lines.map((actor, at) => [actor, at]))
  const lineOf = (actor: number): number => {
    for (let at: number | undefined = actor; at !== undefined; at = timeline.actors[at]?.parent) {
      const line = known.get(at)
      if (line !== undefined) return line
    }
    return 0
  }
  const seqs = messages.filter(seq => lineOf(timeline.from(seq)) !== lineOf(timeline.actor(seq)))
  return { seqs, lines, lineOf, folded: messages.length - seqs.length, sharing }
}

/** The actors that have most to do with others, as many as there is room for, and what they descend from. */
function lifelines(timeline: Timeline, messages: readonly number[], { room, keep }: SequenceOptions) {
  const counts = new Map<number, number>()
  const add = (of: number) => counts.set(of, (counts.get(of) ?? 0) + 1)
  const every = Math.max(1, Math.floor(messages.length / SAMPLE))
  for (let at = 0; at < messages.length; at += every) {
    const seq = messages[at] ?? -1
    const [from, to] = [timeline.from(seq), timeline.actor(seq)]
    if (from === to) continue
    add(from)
    add(to)
  }
  for (const actor of keep) counts.set(actor, Infinity)
  const ranked = [...counts].toSorted(([a, most], [b, least]) => least - most || a - b)
  const lines = ranked
    .slice(0, Math.max(2, room))
    .map(([of]) => of)
    .toSorted((a, b) => a - b)
  return { lines, sharing: Math.max(0, counts.size - lines.length) }
}
