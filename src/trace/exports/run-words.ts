// What exports say of a run: names of actors, states in words, and when each actor came and went.
import type { ActorEntry, StateValue, TraceSource, ViewRecord } from '../format.ts'

/** The part of a trace that exports read. */
export type Exported = Pick<TraceSource, 'header' | 'actors' | 'stimuli' | 'views'>

export const pathOf = ({ actors }: Exported, index: number): string => actors[index]?.path ?? `actor ${index}`

/** A state value level by level, from the outermost state on; regions of a parallel state stand side by side. */
export function levelsOf(value: StateValue | undefined): string[] {
  if (value === undefined) return []
  if (typeof value === 'string') return [value]
  const regions = Object.entries(value)
  const [only] = regions
  // A machine without states.
  if (!only) return []
  if (regions.length === 1) return [only[0], ...levelsOf(only[1])]
  return [regions.map(([key, inner]) => [key, ...levelsOf(inner)].join('.')).join(' · ')]
}

/** A state value in one piece: `exchanging.sending`. */
export const stateWords = (value: StateValue | undefined): string => levelsOf(value).join('.')

/** A state as JSON; the status of an actor that has no states. */
export function shownState({
  state,
  status,
}: {
  readonly state?: StateValue
  readonly status: string
}): string {
  return JSON.stringify(levelsOf(state).length === 0 ? status : state)
}

export interface Life {
  readonly actor: ActorEntry
  readonly start: ViewRecord
  /** Absent when it was alive to the end. */
  readonly end?: ViewRecord
}

/** Every actor that took a step, in the order of the table. */
export function livesOf({ actors, views }: Exported): Life[] {
  const starts = new Map<number, ViewRecord>()
  const ends = new Map<number, ViewRecord>()
  for (const view of views) {
    if (!starts.has(view.actor)) starts.set(view.actor, view)
    if (view.status !== 'active' && !ends.has(view.actor)) ends.set(view.actor, view)
  }
  return actors.flatMap(actor => {
    const [start, end] = [starts.get(actor.index), ends.get(actor.index)]
    return start ? [{ actor, start, ...(end && { end }) }] : []
  })
}

/** Who sent what a step took: an actor, or nobody when it came from outside; a timer is the actor's own. */
export function senderOf(trace: Exported, view: ViewRecord): number | undefined {
  if (view.from !== undefined) return view.from
  const stimulus = trace.stimuli[view.cause]
  return view.by === undefined && stimulus?.kind === 'timer' ? view.actor : undefined
}

/** A part of something unknown, where there is one. */
export function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  let at = value
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = Reflect.get(at, key)
  }
  return at
}

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
