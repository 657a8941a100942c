// Detours: steps that match the recording but took another transition. Not a divergence, but a sign of a
// change.
import {
  type NamedTransition,
  namesTransitions,
  type ReplayableTrace,
  takenTransitions,
} from '../../../trace/index.ts'
import type { MachineDifference } from './find-system.ts'
import { sameStep } from './divergence-cause.ts'

/** One detour. */
export interface Detour {
  /** Index of the step. */
  readonly index: number
  readonly actor: string
  readonly event: string
  readonly was: readonly NamedTransition[]
  readonly is: readonly NamedTransition[]
}

/** The first detours and the number of further ones. */
export interface Detours {
  readonly items: readonly Detour[]
  readonly more: number
}

const MOST = 20

/** Finds detours among these steps, which match the recording. */
export function findDetours(
  then: ReplayableTrace,
  now: ReplayableTrace,
  indexes: readonly number[],
): Detours | undefined {
  const items: Detour[] = []
  let more = 0
  const [before, after] = [then.steps, now.steps]
  for (const index of indexes) {
    const [old, fresh] = [before[index], after[index]]
    if (!old || !fresh) continue
    const [was, is] = [takenTransitions(then, old, true), takenTransitions(now, fresh, true)]
    // The same transition may have moved because another was inserted before it.
    if (was.length === is.length && was.every((one, at) => is[at] && sameStep(one, is[at]))) continue
    const actor = then.actors[old.actor]?.path ?? ''
    if (items.length < MOST) items.push({ index, actor, event: old.event.type, was, is })
    else more += 1
  }
  return items.length > 0 ? { items, more } : undefined
}

/**
 * Returns steps that may be detours: those with other transition names, and all steps of changed machines.
 */
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
  for (const [index, { actor }] of then.steps.slice(0, compared).entries())
    if (others.has(index) || changed.has(then.actors[actor]?.src ?? '')) indexes.push(index)
  return indexes
}
