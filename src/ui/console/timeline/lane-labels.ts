// Names and short descriptions of lanes.
import { countUpToNumber, type Timeline, type Wire } from '../../../trace/index.ts'
import { ownName } from '../actor-names.ts'
import { duration, type Range } from '../canvas/time-scale.ts'
import type { Finding } from '../checks/verdicts.ts'
import { clockTime, count, plural } from '../text.ts'
import type { Hit } from './hit.ts'

/** Returns the actor's own name; for a request, also its path. */
export function laneLabel(timeline: Timeline, actor: number, wire: Wire | undefined): string {
  const entry = timeline.actors[actor]
  if (!entry) return `actor ${actor}`
  const own = ownName(entry, timeline.actors)
  return wire?.kind === 'request' ? `${wire.method} ${shortCall(wire.path)}` : own
}

/**
 * Returns the path without the common prefix and the query string: `vessels`, `storage/object/list/charts`.
 */
function shortCall(path: string): string {
  const bare = path.replace(/\?[^]*/, '')
  return bare.replace(/^\/rest\/v1\//, '').replace(/^\/(\w+)\/v1\//, '$1/') || bare
}

/** Describes the lane in a sentence: the actor's state at the moment, and its activity in the range. */
export function laneSentence(timeline: Timeline, actor: number, seq: number, range: Range): string {
  const last = timeline.lastOf(actor, seq)
  const state = last < 0 ? 'not started' : timeline.state(last).label || timeline.status(last)
  const from = last < 0 ? undefined : timeline.since(actor, last)
  const since = from === undefined || from < 0 ? '' : `, since ${clockTime(timeline.t(from))}`
  const [first, end] = timeline.within(...range)
  const steps = timeline.stepsOf(actor)
  const events = countUpToNumber(steps, end - 1) - countUpToNumber(steps, first - 1)
  return `${state}${since}; ${plural(events, 'event')} in this range`
}

/** Describes a position of a lane: a view or a state, with its findings and notes. */
export function hoverFacts(
  timeline: Timeline,
  { actor, seq, isPoint }: Pick<Hit, 'actor' | 'seq' | 'isPoint'>,
  wires: ReadonlyMap<number, Wire>,
  findings: readonly Finding[],
) {
  const fault = timeline.faultOf(seq)
  const since = timeline.since(actor, seq)
  const from = since < 0 ? seq : since
  const time = isPoint
    ? `event ${count(seq)} at ${clockTime(timeline.t(seq))}`
    : `for ${duration(timeline.stayOf(from))}, since ${clockTime(timeline.t(from))}`
  const note = timeline.bookmarks.find(({ step }) => step === seq)?.note
  return {
    title: isPoint ? timeline.type(seq) : laneLabel(timeline, actor, wires.get(actor)),
    value: timeline.state(seq).label || timeline.status(seq),
    lines: [
      time,
      ...(timeline.failed(seq) ? ['failed'] : []),
      ...(fault === undefined ? [] : [`injected by ${fault}`]),
      ...findings.filter(finding => finding.seq === seq).map(({ text }) => `failed: ${text}`),
      ...(note === undefined ? [] : [`note: ${note}`]),
    ],
  }
}
