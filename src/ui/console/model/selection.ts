// Resolves the place in a trace: the selected step, its actor, and whether the end is followed.
import type { Timeline } from '../../../trace/index.ts'
import type { Place } from './place.ts'

/** The resolved selection. */
export interface Selection {
  readonly timeline: Timeline
  /** The moment: the last step that has happened; -1 if there is none. */
  readonly at: number
  /** Whether the moment is the end, which moves as the trace grows. */
  readonly following: boolean
  readonly actor: number
  /** The selected step: the actor's latest at the moment; -1 if it has none. */
  readonly seq: number
}

/** Resolves the place against the first `size` steps of the timeline. What it does not contain is ignored. */
export function select(place: Place, timeline: Timeline, size: number): Selection {
  const last = size - 1
  const isThere = place.seq !== undefined && place.seq <= last
  const at = isThere ? (place.seq ?? last) : last
  const actor = actorAt(place, timeline)
  return { timeline, at, following: !isThere, actor, seq: timeline.lastOf(actor, at) }
}

function actorAt({ actor }: Place, timeline: Timeline): number {
  if (typeof actor === 'number' && actor < timeline.actors.length) return actor
  const named = typeof actor === 'string' ? timeline.actors.find(({ path }) => path === actor) : undefined
  return named?.index ?? firstActor(timeline)
}

/** Default selection: the session if there is one, else the root. */
function firstActor({ actors }: Timeline): number {
  const isSession = (path: string) => path.slice(path.lastIndexOf('/') + 1) === 'session'
  return actors.find(({ path }) => isSession(path))?.index ?? 0
}
