// Timeline queries for canvases: spans and points merged below a pixel.
import { countUpTo } from '../model/column.ts'
import type { Timeline } from './timeline.ts'

/** Called for each span: its times, the step that started it, and the number of merged states. */
export type SpanVisitor = (from: number, to: number, seq: number, merged: number) => void

/** Called for each point: its time, its latest step, and the number of merged steps. */
export type PointVisitor = (t: number, seq: number, merged: number) => void

export interface Span {
  readonly from: number
  readonly to: number
  /** The step that started it: its state is `timeline.state(seq)`. */
  readonly seq: number
  /** Number of merged states shorter than a pixel; 1 for a single span. */
  readonly merged: number
}

/**
 * Visits the states of an actor within these times, at most about `most`: those shorter than `(t1 - t0) /
 * most` are merged with the following. The cost depends on the number of spans, not of steps. Allocates
 * nothing.
 */
export function eachSpan(
  timeline: Timeline,
  actor: number,
  t0: number,
  t1: number,
  most: number,
  visit: SpanVisitor,
): void {
  const moves = timeline.movesOf(actor)
  const life = timeline.lifeOf(actor)
  const least = (t1 - t0) / Math.max(1, most)
  const timeOf = (at: number) => timeline.t(moves[at] ?? -1)
  let at = Math.max(0, firstAfter(moves, timeline, t0) - 1)
  while (at < moves.length) {
    const from = timeOf(at)
    const seq = moves[at] ?? -1
    if (from > t1 || seq >= timeline.ended(actor)) return
    let next = at + 1
    let to = next < moves.length ? timeOf(next) : life.to
    if (to - from < least && next < moves.length) {
      next = Math.max(next, firstAfter(moves, timeline, from + least, next))
      to = next < moves.length ? timeOf(next) : life.to
      // The last merged state is a separate span if it is long enough to be visible.
      const last = timeOf(next - 1)
      if (next - 1 > at && to - last >= least) {
        next -= 1
        to = last
      }
    }
    visit(from, Math.min(to, life.to), seq, next - at)
    at = next
  }
}

/** The same as a list. */
export function spansOf(timeline: Timeline, actor: number, t0: number, t1: number, most: number): Span[] {
  const spans: Span[] = []
  eachSpan(timeline, actor, t0, t1, most, (from, to, seq, merged) => spans.push({ from, to, seq, merged }))
  return spans
}

/**
 * Visits the steps of an actor within these times as at most about `most` points; those less than a pixel
 * apart are merged.
 */
export function eachPoint(
  timeline: Timeline,
  actor: number,
  t0: number,
  t1: number,
  most: number,
  visit: PointVisitor,
): void {
  const steps = timeline.stepsOf(actor)
  const least = (t1 - t0) / Math.max(1, most)
  let at = firstAt(steps, timeline, t0)
  while (at < steps.length) {
    const t = timeline.t(steps[at] ?? -1)
    if (t > t1) return
    const next = Math.max(at + 1, firstAfter(steps, timeline, t + least, at))
    visit(t, steps[next - 1] ?? -1, next - at)
    at = next
  }
}

/** Index of the first of these steps that is later than `t`, at or after `low`. */
function firstAfter(steps: readonly number[], timeline: Timeline, t: number, low = 0): number {
  return countUpTo(steps.length, at => timeline.t(steps[at] ?? -1) <= t, low)
}

/** Index of the first of these steps that is not before `t`. */
function firstAt(steps: readonly number[], timeline: Timeline, t: number): number {
  return countUpTo(steps.length, at => timeline.t(steps[at] ?? -1) < t)
}
