// Resolves a comparison: two moments, and for each the actor's last step.
import type { Timeline } from '../../../trace/index.ts'
import type { Comparison, Marks } from '../model/place.ts'

/** Two moments, as view numbers. */
export interface Moments {
  readonly from: number
  readonly to: number
}

/** Returns the moments of a comparison other than `before`; undefined while a mark is missing. */
export function momentsOf(comparison: Comparison, { a, b }: Marks, at: number): Moments | undefined {
  const to = comparison.endsWith('ab') ? b : at
  return a === undefined || to === undefined || to < 0 ? undefined : { from: a, to }
}

export const isOfAll = (comparison: Comparison): boolean => comparison.startsWith('all-')

/** An actor with steps between two moments that changed something. */
export interface ChangedActor {
  readonly actor: number
  /** Its steps at both moments; -1 if it had not started. */
  readonly from: number
  readonly to: number
  /** Number of steps between them. */
  readonly steps: number
}

export interface ChangedActors {
  readonly changed: readonly ChangedActor[]
  /** Number of unchanged actors, and of actors not started at either moment. */
  readonly same: number
  readonly absent: number
}

/** Returns the actors that changed between two moments, in the order of the actor table. */
export function changedActors(timeline: Timeline, { from, to }: Moments): ChangedActors {
  const changed: ChangedActor[] = []
  let [same, absent] = [0, 0]
  for (const { index: actor } of timeline.actors) {
    const [was, is] = [timeline.lastOf(actor, from), timeline.lastOf(actor, to)]
    if (was < 0 && is < 0) absent += 1
    else if (was === is || !hasChange(timeline, actor, was, is)) same += 1
    else changed.push({ actor, from: was, to: is, steps: stepsBetween(timeline, actor, was, is) })
  }
  return { changed, same, absent }
}

function hasChange(timeline: Timeline, actor: number, was: number, is: number): boolean {
  if (was < 0 || is < 0) return true
  const [low, high] = [Math.min(was, is), Math.max(was, is)]
  for (let seq = timeline.nextOf(actor, low); seq >= 0 && seq <= high; seq = timeline.nextOf(actor, seq))
    if (timeline.changed(seq) || timeline.moved(seq)) return true
  return false
}

function stepsBetween(timeline: Timeline, actor: number, was: number, is: number): number {
  const steps = timeline.stepsOf(actor)
  const place = (seq: number) => (seq < 0 ? -1 : steps.indexOf(seq))
  return Math.abs(place(is) - place(was))
}
