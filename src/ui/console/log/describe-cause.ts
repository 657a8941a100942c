// Short text for the cause of a view, from the timeline alone.
import type { Timeline } from '../../../trace/index.ts'
import { shortPath } from '../actor-names.ts'

/** Returns the view that sent its event, as `#812`, or its external origin. */
export function describeCause(timeline: Timeline, seq: number): string {
  const by = timeline.by(seq)
  return by >= 0 ? `#${by}` : describeOrigin(timeline, seq)
}

/** Returns the external origin: `app`, `timer`, `stop`, or the actor that sent the result. */
export function describeOrigin(timeline: Timeline, seq: number): string {
  const stimulus = timeline.stimulus(timeline.cause(seq))
  if (!stimulus) return timeline.cause(seq) < 0 ? 'start' : ''
  if (stimulus.kind === 'external') return 'app'
  if (stimulus.kind !== 'leaf') return stimulus.kind
  const from = stimulus.from === undefined ? undefined : timeline.actors[stimulus.from]
  return from ? shortPath(from) : 'leaf'
}
