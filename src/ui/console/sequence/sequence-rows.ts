// The rows and lifelines of the sequence diagram: messages between actors, in the order in which they were taken.
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import type { Range } from '../canvas/time-scale.ts'

/** What comes from no actor. */
export const OUTSIDE = -1

/** Events that the query lets through, by their rows in the log. */
export interface SequenceEvents {
  /** The view at a row, ascending; -1 beyond the end. */
  readonly seqAt: (row: number) => number
  readonly rows: number
}

/** Rows that are laid out, from the first up to, but without, the second, and how many are left out on either side. */
export interface SequenceWindow {
  readonly from: number
  readonly to: number
  readonly before: number
  readonly after: number
}

export interface Sequence {
  /** Numbers of the views whose messages are drawn, ascending. */
  readonly seqs: readonly number[]
  /** Actors with a lifeline, in the order of the tree; `OUTSIDE` first when anything came from there. */
  readonly lines: readonly number[]
  /** For each actor the index of its lifeline, or of the nearest above it that has one. */
  readonly lineOf: (actor: number) => number
  /** Messages within one lifeline, of actors that share it. */
  readonly folded: number
  /** Actors that share the lifeline of one above them. */
  readonly sharing: number
}

/** XState's own news of beginnings and ends, which say nothing that the lifelines don't. */
const isOwn = (type: string): boolean => type === 'xstate.init' || type === 'xstate.stop'

/** Of more events than `MOST`, three pages about the moment are laid out. */
const [PAGE, MOST] = [1000, 4000]

/** The rows of a range that are laid out. It stays the same until the moment comes to another page. */
export function sequenceWindow(
  timeline: Timeline,
  { seqAt, rows }: SequenceEvents,
  range: Range,
  at: number,
): SequenceWindow {
  const [firstSeq, endSeq] = timeline.within(...range)
  const rowFrom = (seq: number) => firstRow(rows, row => seqAt(row) >= seq)
  const [first, end] = [rowFrom(firstSeq), rowFrom(endSeq)]
  if (end - first <= MOST) return { from: first, to: end, before: 0, after: 0 }
  const last = Math.floor((end - 1) / PAGE)
  const page = Math.floor(Math.min(Math.max(rowFrom(at), first), end - 1) / PAGE)
  const middle = Math.min(Math.max(page, Math.floor(first / PAGE) + 1), last - 1)
  const [from, to] = [Math.max(first, (middle - 1) * PAGE), Math.min(end, (middle + 2) * PAGE)]
  return { from, to, before: from - first, after: end - to }
}

/** Numbers of the views in these rows that are messages. */
export function messagesIn(
  timeline: Timeline,
  { seqAt }: SequenceEvents,
  { from, to }: Pick<SequenceWindow, 'from' | 'to'>,
): readonly number[] {
  const found: number[] = []
  for (let row = from; row < to; row++) {
    const seq = seqAt(row)
    if (seq >= 0 && !isOwn(timeline.type(seq))) found.push(seq)
  }
  return found
}

/** Lays out messages on as many lifelines as there is `room` for; the actors of `keep` have one in any case. */
export function sequence(
  timeline: Timeline,
  messages: readonly number[],
  room: number,
  keep: readonly number[],
): Sequence {
  const { lines, sharing } = lifelines(timeline, messages, room, keep)
  const known = new Map(lines.map((actor, at) => [actor, at]))
  const lineOf = (actor: number): number => {
    for (let at: number | undefined = actor; at !== undefined; at = timeline.actors[at]?.parent) {
      const line = known.get(at)
      if (line !== undefined) return line
    }
    return 0
  }
  const seqs = messages.filter(seq => {
    const [from, to] = [timeline.from(seq), timeline.actor(seq)]
    return lineOf(from) !== lineOf(to) || (from === to && known.has(to))
  })
  return { seqs, lines, lineOf, folded: messages.length - seqs.length, sharing }
}

/** The actors that have most to do with others, as many as there is room for, and what they descend from. */
function lifelines(timeline: Timeline, messages: readonly number[], room: number, keep: readonly number[]) {
  const counts = new Map<number, number>()
  const add = (of: number) => counts.set(of, (counts.get(of) ?? 0) + 1)
  for (const seq of messages) {
    const [from, to] = [timeline.from(seq), timeline.actor(seq)]
    if (from === to) continue
    add(from)
    add(to)
  }
  // What came from outside must not look as if an actor had sent it.
  if (counts.has(OUTSIDE)) counts.set(OUTSIDE, Infinity)
  for (const actor of keep) counts.set(actor, Infinity)
  const ranked = [...counts].toSorted(([a, most], [b, least]) => least - most || a - b)
  const lines = ranked
    .slice(0, Math.max(2, room))
    .map(([of]) => of)
    .toSorted((a, b) => a - b)
  return { lines, sharing: Math.max(0, counts.size - lines.length) }
}

function firstRow(rows: number, isThere: (row: number) => boolean): number {
  let [low, high] = [0, rows]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isThere(middle)) high = middle
    else low = middle + 1
  }
  return low
}
