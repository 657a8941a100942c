// The causes of an event, back to its external origin, and its effects.
import { type StimulusFacts, type Timeline, shortPath } from '../../../trace/index.ts'
import { ownName } from '../actor-names.ts'
import { changeAt } from '../state-change.ts'
import { count, plural } from '../text.ts'

const LONGEST = 100

export interface CauseChain {
  /** The external stimulus, if the trace contains it. */
  readonly stimulus: StimulusFacts | undefined
  /** View numbers from the first to the requested one. */
  readonly seqs: readonly number[]
  /** Whether the chain goes back further than shown. */
  readonly cut: boolean
}

/** Returns the chain that ends in a view. */
export function causeChain(timeline: Timeline, seq: number): CauseChain {
  const seqs = [...timeline.causesOf(seq, LONGEST - 1).toReversed(), seq]
  const isCut = timeline.by(seqs[0] ?? seq) >= 0
  return { stimulus: timeline.stimulus(timeline.cause(seq)), seqs, cut: isCut }
}

/** An event that followed, and its depth below the requested one. */
export interface Effect {
  readonly seq: number
  /** 1 for a direct effect. */
  readonly depth: number
}

/** Returns the effects of a view, each below its sender, up to a maximum, and whether there are more. */
export function effectsOf(
  timeline: Timeline,
  seq: number,
  most: number,
): { readonly effects: readonly Effect[]; readonly isCut: boolean } {
  const effects: Effect[] = []
  const next: Effect[] = timeline.effects(seq).map(at => ({ seq: at, depth: 1 }))
  next.reverse()
  for (let one = next.pop(); one && effects.length < most; one = next.pop()) {
    const { depth } = one
    effects.push(one)
    next.push(
      ...timeline
        .effects(one.seq)
        .map(at => ({ seq: at, depth: depth + 1 }))
        .toReversed(),
    )
    if (effects.length === most && next.length > 0) return { effects, isCut: true }
  }
  return { effects, isCut: false }
}

/** Actors that are named as receivers of an event that was passed on. */
const RECEIVERS_NAMED = 2

/**
 * Describes the effects of a step that changed nothing: the actors to which it passed its event on, or how many events
 * it led to; undefined if nothing did.
 */
export function describeRelay(timeline: Timeline, seq: number): string | undefined {
  const effects = timeline.effects(seq)
  if (effects.length === 0) return undefined
  const same = effects.filter(effect => timeline.type(effect) === timeline.type(seq))
  const names = [...new Set(same.map(effect => timeline.actor(effect)))].flatMap(actor => {
    const entry = timeline.actors[actor]
    return entry ? [ownName(entry, timeline.actors)] : []
  })
  if (names.length === 0) return `led to ${plural(effects.length, 'event')}`
  const more = names.length - RECEIVERS_NAMED
  const named = names.slice(0, RECEIVERS_NAMED).join(more > 0 ? ', ' : ' and ')
  return `passed on to ${named}${more > 0 ? ` and ${count(more)} more` : ''}`
}

/** Describes briefly what a step did: its state change, `handled`, to whom it was passed on, or `no effect`. */
export function describeEffect(timeline: Timeline, seq: number): string {
  if (!timeline.changed(seq) && !timeline.moved(seq)) return describeRelay(timeline, seq) ?? 'no effect'
  const status = timeline.status(seq)
  const ended = status === 'active' ? '' : status
  const previous = timeline.previous(seq)
  const { from, to } = changeAt(timeline, seq)
  const moved = from !== '' ? `${from} → ${to}` : previous < 0 && to !== '' ? `started in ${to}` : ''
  const effect = [moved, ended].filter(text => text !== '').join(' · ')
  return effect === '' ? (previous < 0 ? 'started' : 'handled') : effect
}

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
