// Steps that came out as recorded, but by another transition: no divergence, and yet a sign that something changed.
import type { NamedTransition } from '../../trace/chart-states.ts'
import type { ReplayableTrace, ViewRecord } from '../../trace/format.ts'
import { namesTransitions, takenTransitions } from '../../trace/taken-transitions.ts'
import { compareMachines } from './find-system.ts'
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

/** Looks through the steps that were found equal; a recording whose steps name no transitions shows none. */
export function findDetours(
  then: ReplayableTrace,
  now: ReplayableTrace,
  compared: number,
): Detours | undefined {
  if (!namesTransitions(then)) return undefined
  const items: Detour[] = []
  let more = 0
  const [before, after] = [then.views, now.views]
  const changed = new Set(compareMachines(then, now).map(({ id }) => id))
  for (let index = 0; index < compared; index++) {
    const [old, fresh] = [before[index], after[index]]
    if (!old || !fresh) continue
    if (hasSameNames(old, fresh) && !changed.has(then.actors[old.actor]?.src ?? '')) continue
    const [was, is] = [takenTransitions(then, old, true), takenTransitions(now, fresh, true)]
    // The same one may stand elsewhere, since another was put before it.
    if (was.length === is.length && was.every((one, at) => is[at] && sameStep(one, is[at]))) continue
    const actor = then.actors[old.actor]?.path ?? ''
    if (items.length < MOST) items.push({ index, actor, event: old.event.type, was, is })
    else more += 1
  }
  return items.length > 0 ? { items, more } : undefined
}

function hasSameNames({ via: was = [] }: ViewRecord, { via: is = [] }: ViewRecord): boolean {
  return was.length === is.length && was.every((name, at) => name === is[at])
}
