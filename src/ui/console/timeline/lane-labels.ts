// What a lane is called, and what can be said of it at a glance.
import type { Wire } from '../../../trace/timeline/wire-table.ts'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import { ownName } from '../actor-names.ts'
import { duration, type Range } from '../canvas/time-scale.ts'
import { clockTime, count, plural } from '../text.ts'

/** The actor's own name; of a request also what it asks for. */
export function laneLabel(timeline: Timeline, actor: number, wire: Wire | undefined): string {
  const entry = timeline.actors[actor]
  if (!entry) return `actor ${actor}`
  const own = ownName(entry, timeline.actors)
  return wire?.kind === 'request' ? `${wire.method} ${wire.path}` : own
}

/** The lane in a sentence: what the actor was at the moment, and what it did in the range. */
export function laneSentence(timeline: Timeline, actor: number, seq: number, range: Range): string {
  const last = timeline.lastOf(actor, seq)
  const state = last < 0 ? 'not started' : timeline.state(last).label || timeline.status(last)
  const from = last < 0 ? undefined : timeline.since(actor, last)
  const since = from === undefined || from < 0 ? '' : `, since ${clockTime(timeline.t(from))}`
  const [first, end] = timeline.within(...range)
  const events = timeline.viewsOf(actor).filter(view => view >= first && view < end).length
  return `${state}${since}; ${plural(events, 'event')} in this range`
}

/** The card under the pointer. */
export interface HoverFacts {
  readonly title: string
  readonly state: string
  readonly lines: readonly string[]
}

/** What stands at a place of a lane: a view, or else the state. */
export function hoverFacts(timeline: Timeline, actor: number, seq: number, isPoint: boolean): HoverFacts {
  const state = timeline.state(seq).label || timeline.status(seq)
  const fault = timeline.faultOf(seq)
  const at = `event ${count(seq)} at ${clockTime(timeline.t(seq))}`
  const since = timeline.since(actor, seq)
  return {
    title: isPoint ? timeline.type(seq) : laneLabel(timeline, actor, undefined),
    state,
    lines: [
      isPoint
        ? at
        : `for ${duration(timeline.stayOf(since < 0 ? seq : since))}, since ${clockTime(timeline.t(since < 0 ? seq : since))}`,
      ...(timeline.failed(seq) ? ['failed'] : []),
      ...(fault === undefined ? [] : [`injected by ${fault}`]),
    ],
  }
}
