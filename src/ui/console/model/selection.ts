// What the place means in a trace: which view, of which actor, and whether the end is followed.
import type { TraceSource, ViewRecord } from '../../../trace/format.ts'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import type { TraceIndex } from '../trace-index.ts'
import type { Place } from './place.ts'

/** What the cursor stands on. */
export interface Selection {
  readonly timeline: Timeline
  readonly source: TraceSource
  /** The moment: the last view that has happened. -1 when there is none. */
  readonly at: number
  /** Whether the moment is the end, which moves as the trace grows. */
  readonly following: boolean
  readonly actor: number
  /** The selected view: the actor's latest at the moment; -1 when it has none. */
  readonly seq: number
  /** Its record; of a file, maybe without what only whole records have. */
  readonly record: ViewRecord | undefined
  /** The same actor's record before it. */
  readonly before: ViewRecord | undefined
}

/** Resolves the place against the first `size` views of the timeline. What it does not have is passed over. */
export function select(place: Place, index: TraceIndex, size: number): Selection {
  const { timeline, source } = index
  const last = size - 1
  const isThere = place.seq !== undefined && place.seq <= last
  const at = isThere ? (place.seq ?? last) : last
  const actor = actorAt(place, timeline)
  const seq = timeline.lastOf(actor, at)
  const [record, before] = [source.views[seq], source.views[timeline.previous(seq)]]
  return { timeline, source, at, following: !isThere, actor, seq, record, before }
}

function actorAt({ actor }: Place, timeline: Timeline): number {
  if (typeof actor === 'number' && actor < timeline.actors.length) return actor
  const named = typeof actor === 'string' ? timeline.actors.find(({ path }) => path === actor) : undefined
  return named?.index ?? firstActor(timeline)
}

/** Before anything is chosen: the session when there is one, else the root. */
function firstActor({ actors }: Timeline): number {
  const isSession = (path: string) => path.slice(path.lastIndexOf('/') + 1) === 'session'
  return actors.find(({ path }) => isSession(path))?.index ?? 0
}
