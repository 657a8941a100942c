// Steps that came out as recorded, but by another transition: no divergence, and yet a sign that something changed.
import type { NamedTransition } from '../../trace/chart-states.ts'
import type { ReplayableTrace } from '../../trace/format.ts'
import { namesTransitions, takenTransitions } from '../../trace/taken-transitions.ts'
import type { MachineDifference } from './find-system.ts'
import { sameStep } from './culprit.ts'

/** One such step. */
export interface Detour {
  /** Index of the view. */
  readonly index: number
  readonly actor: string
  readonly event: string
  readonly was: readonly NamedTransition[]
  readonly is: readonly NamedTransition[]
}

/** The first of them, and how many more there are. */
export interface Detours {
  readonly items: readonly Detour[]
  readonly more: number
}

const MOST = 20

/** Looks through these steps, which were found equal, for such that took another transition. */
export function findDetours(
  then: ReplayableTrace,
  now: ReplayableTrace,
  indexes: readonly number[],
): Detours | undefined {
  const items: Detour[] = []
  let more = 0
  const [before, after] = [then.views, now.views]
  for (const index of indexes) {
    const [old, fresh] = [before[index], after[index]]
    if (!old || !fresh) continue
    const [was, is] = [takenTransitions(then, old, true), takenTransitions(now, fresh, true)]
    // The same one may stand elsewhere, since another was put before it.
    if (was.length === is.length && was.every((one, at) => is[at] && sameStep(one, is[at]))) continue
    const actor = then.actors[old.actor]?.path ?? ''
    if (items.length < MOST) items.push({ index, actor, event: old.event.type, was, is })
    else more += 1
  }
  return items.length > 0 ? { items, more } : undefined
}

/** The steps that may be such: those with other names, and all of machines that are not what they were. */
export function detourCandidates(
  then: ReplayableTrace,
  compared: number,
  otherNames: readonly number[],
  machines: readonly MachineDifference[],
): readonly number[] {
  if (!namesTransitions(then)) return []
  if (machines.length === 0) return otherNames
  const changed = new Set(machines.map(({ id }) => id))
  const others = new Set(otherNames)
  const indexes: number[] = []
  for (const [index, { actor }] of then.views.slice(0, compared).entries())
    if (others.has(index) || changed.has(then.actors[actor]?.src ?? '')) indexes.push(index)
  return indexes
}
