// Shared by the exports: actor names, states as text, and when each actor started and ended.
import type { ActorEntry, StateValue, TraceSource, ViewRecord } from '../format.ts'

/** The part of a trace that exports read. */
export type Exported = Pick<TraceSource, 'header' | 'actors' | 'stimuli' | 'views'>

export const pathOf = ({ actors }: Exported, index: number): string => actors[index]?.path ?? `actor ${index}`

/**
 * Returns a state value level by level, from the outermost state; the regions of a parallel state share a
 * level.
 */
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

/** Formats a state value: `exchanging.sending`. */
export const stateText = (value: StateValue | undefined): string => levelsOf(value).join('.')

/** Formats a state as JSON; the status for an actor without states. */
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
  /** Absent if it was alive to the end. */
  readonly end?: ViewRecord
}

/** Returns every actor that took a step, in table order. */
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

/**
 * Returns the sender of a step's event: an actor, or undefined for the outside; a timer belongs to its own
 * actor.
 */
export function senderOf(trace: Exported, view: ViewRecord): number | undefined {
  if (view.from !== undefined) return view.from
  const stimulus = trace.stimuli[view.cause]
  return view.by === undefined && stimulus?.kind === 'timer' ? view.actor : undefined
}

/** Reads a nested field of an unknown value, if it exists. */
export function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  let at = value
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = Reflect.get(at, key)
  }
  return at
}

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
