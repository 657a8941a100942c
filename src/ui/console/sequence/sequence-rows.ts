// Rows and lifelines of the sequence diagram: messages between actors, in processing order.
import type { Timeline } from '../../../trace/index.ts'
import type { Range } from '../canvas/time-scale.ts'

/** Sender of external events. */
export const OUTSIDE = -1

/** Events that match the query, by log row. */
export interface SequenceEvents {
  /** Returns the view of a row, ascending; -1 beyond the end. */
  readonly seqAt: (row: number) => number
  readonly rows: number
}

/**
 * Rows to lay out, from the first up to, but excluding, the second, and the number left out on either side.
 */
export interface SequenceWindow {
  readonly from: number
  readonly to: number
  readonly before: number
  readonly after: number
}

export interface Lifelines {
  /** Actors with a lifeline, in tree order except for guests; `OUTSIDE` is first if it sent anything. */
  readonly lines: readonly number[]
  /** Returns the index of an actor's lifeline, or of its nearest ancestor's; `ELSEWHERE` if none. */
  readonly lineOf: (actor: number) => number
  /** Number of actors that share an ancestor's lifeline. */
  readonly sharing: number
}

/** Position next to all lifelines, for actors of a system without any drawn ones. */
export const ELSEWHERE = -1

/** Minimum number of lifelines on the narrowest screen. */
const LEAST = 3

/** XState's own start and end events, which the lifelines show already. */
const isOwn = (type: string): boolean => type === 'xstate.init' || type === 'xstate.stop'

/** With more than `MOST` events, three pages around the moment are laid out. */
const [PAGE, MOST] = [1000, 4000]

/** Returns the rows of a range to lay out. Stays the same until the moment moves to another page. */
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

/** Returns the view numbers of messages in these rows. */
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

/** Ranks actors by their number of exchanged messages, busiest first. */
export function busiest(timeline: Timeline, messages: readonly number[]): readonly number[] {
  const counts = new Map<number, number>()
  const add = (of: number) => counts.set(of, (counts.get(of) ?? 0) + 1)
  for (const seq of messages) {
    const [from, to] = [timeline.from(seq), timeline.actor(seq)]
    if (from === to) continue
    add(from)
    add(to)
  }
  // External events must not look as if an actor had sent them, and a single root is the ancestor of all
  // actors.
  if (counts.has(OUTSIDE)) counts.set(OUTSIDE, Infinity)
  if (isOnlyRoot(timeline, 0)) counts.set(0, Infinity)
  return [...counts].toSorted(([a, most], [b, least]) => least - most || a - b).map(([of]) => of)
}

const isOnlyRoot = (timeline: Timeline, of: number): boolean =>
  of === 0 && timeline.actors.every(({ parent }, at) => at === 0 || parent !== undefined)

/** Returns as many lifelines as fit in `room`: the busiest actors, in tree order, and those in `keep`. */
export function lifelines(
  timeline: Timeline,
  ranked: readonly number[],
  room: number,
  keep: readonly number[],
): Lifelines {
  const most = Math.max(LEAST, room)
  const lines = ranked.slice(0, most).toSorted((a, b) => a - b)
  const important = [...new Set([...keep.filter(of => of !== OUTSIDE), ...ranked])]
  const fixed = new Set(lines.filter(of => of === OUTSIDE || isOnlyRoot(timeline, of)))
  // A guest takes the position of a less important actor, so that the others keep theirs while stepping.
  for (const [rank, guest] of important.slice(0, keep.length).entries()) {
    if (lines.includes(guest)) continue
    const least = important.findLastIndex(of => !fixed.has(of) && lines.includes(of))
    if (lines.length < most) lines.push(guest)
    else if (least > rank) lines.splice(lines.indexOf(important[least] ?? guest), 1, guest)
  }
  const places = new Map(lines.map((actor, at) => [actor, at]))
  const lineOf = (actor: number): number => {
    for (let at: number | undefined = actor; at !== undefined; at = timeline.actors[at]?.parent) {
      const line = places.get(at)
      if (line !== undefined) return line
    }
    return ELSEWHERE
  }
  return { lines, lineOf, sharing: important.length - lines.length }
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
