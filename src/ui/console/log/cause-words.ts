// What set a view off, in a word: from the timeline alone.
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import { shortPath } from '../actor-names.ts'

/** The view that sent its event, as `#812`, or what came from outside. */
export function causeWord(timeline: Timeline, seq: number): string {
  const by = timeline.by(seq)
  return by >= 0 ? `#${by}` : originWord(timeline, seq)
}

/** What came from outside: `app`, `timer`, `stop`, or the actor that told of something. */
export function originWord(timeline: Timeline, seq: number): string {
  const stimulus = timeline.stimulus(timeline.cause(seq))
  if (!stimulus) return timeline.cause(seq) < 0 ? 'start' : ''
  if (stimulus.kind === 'external') return 'app'
  if (stimulus.kind !== 'leaf') return stimulus.kind
  const from = stimulus.from === undefined ? undefined : timeline.actors[stimulus.from]
  return from ? shortPath(from) : 'leaf'
}
