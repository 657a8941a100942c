// Shared by the exports: actor names, states as text, and when each actor started and ended.
import type { ActorEntry, StateValue, StepRecord } from '../format/records.ts'
import type { TraceSource } from '../format/trace-source.ts'

/** The part of a trace that exports read. */
export type Exported = Pick<TraceSource, 'header' | 'actors' | 'stimuli' | 'steps'>

/** A failed export; the message names what was requested and what is available. */
export class ExportError extends Error {
  override name = 'ExportError'
}

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
  readonly start: StepRecord
  /** Absent if it was alive to the end. */
  readonly end?: StepRecord
}

/** Returns every actor that took a step, in table order. */
export function livesOf({ actors, steps }: Exported): Life[] {
  const starts = new Map<number, StepRecord>()
  const ends = new Map<number, StepRecord>()
  for (const step of steps) {
    if (!starts.has(step.actor)) starts.set(step.actor, step)
    if (step.status !== 'active' && !ends.has(step.actor)) ends.set(step.actor, step)
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
export function senderOf(trace: Exported, step: StepRecord): number | undefined {
  if (step.from !== undefined) return step.from
  const stimulus = trace.stimuli[step.cause]
  return step.by === undefined && stimulus?.kind === 'timer' ? step.actor : undefined
}
