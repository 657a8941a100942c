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

export interface Lifelines {
  /** Actors with a lifeline, in the order of the tree but for guests; `OUTSIDE` first when anything came from there. */
  readonly lines: readonly number[]
  /** For each actor the index of its lifeline, or of the nearest above it that has one; `ELSEWHERE` without any. */
  readonly lineOf: (actor: number) => number
  /** Actors that share the lifeline of one above them. */
  readonly sharing: number
}

/** The place beside all lifelines, for actors of a system of which none is drawn. */
export const ELSEWHERE = -1

/** So many lifelines are drawn on the narrowest screen. */
const LEAST = 3

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

/** Actors by how much they have to do with others in these messages, the busiest first. */
export function busiest(timeline: Timeline, messages: readonly number[]): readonly number[] {
  const counts = new Map<number, number>()
  const add = (of: number) => counts.set(of, (counts.get(of) ?? 0) + 1)
  for (const seq of messages) {
    const [from, to] = [timeline.from(seq), timeline.actor(seq)]
    if (from === to) continue
    add(from)
    add(to)
  }
  // What came from outside must not look as if an actor had sent it, and all others descend from an only root.
  if (counts.has(OUTSIDE)) counts.set(OUTSIDE, Infinity)
  if (isOnlyRoot(timeline, 0)) counts.set(0, Infinity)
  return [...counts].toSorted(([a, most], [b, least]) => least - most || a - b).map(([of]) => of)
}

const isOnlyRoot = (timeline: Timeline, of: number): boolean =>
  of === 0 && timeline.actors.every(({ parent }, at) => at === 0 || parent !== undefined)

/** As many lifelines as there is `room` for: those of the busiest, in the order of the tree, and of `keep`. */
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
  // A guest stands where one stood that matters less, so that all others keep their place while one steps.
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
