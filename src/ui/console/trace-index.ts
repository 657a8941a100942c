// Looks up records of a trace by actor, cause and state; grows with the trace and never starts over.
import type { TraceSource, ViewRecord } from '../../trace/format.ts'
import { activePaths } from './state-value.ts'

interface ActorTrack {
  /** Sequence numbers of the actor's views, ascending. */
  readonly views: number[]
  /** First view in which a state was active, by state path. */
  readonly firstIn: Map<string, number>
  /** Sequence number from which the actor exists. */
  readonly born: number
  /** Sequence number of the view that ended it. */
  ended: number
}

const NEVER = Number.MAX_SAFE_INTEGER
const NO_VIEWS: readonly number[] = []

/** The index of one trace. Call `advance` after the trace grew; every look-up is then cheap. */
export class TraceIndex {
  readonly source: TraceSource
  #size = 0
  #first: ViewRecord | undefined
  #tracks: (ActorTrack | undefined)[] = []
  /** Sequence number of the view before, of the same actor, by sequence number. */
  #previous: number[] = []
  /** Views sent from a view, by its sequence number; sparse. */
  #effects = new Map<number, number[]>()

  constructor(source: TraceSource) {
    this.source = source
  }

  /** How many views are indexed. */
  get size(): number {
    return this.#size
  }

  /** Whether views wait to be indexed. */
  get behind(): boolean {
    return this.#size < this.source.views.length
  }

  /** Whether the source holds another recording than the one indexed. */
  get outdated(): boolean {
    return this.#size > this.source.views.length || (this.#size > 0 && this.source.views[0] !== this.#first)
  }

  /** Takes up at most `limit` new views. */
  advance(limit: number): void {
    this.#first ??= this.source.views[0]
    const end = Math.min(this.source.views.length, this.#size + limit)
    for (let seq = this.#size; seq < end; seq += 1) {
      const view = this.source.views[seq]
      if (view) this.#take(seq, view)
    }
    this.#size = end
  }

  /** The actor's latest view at or before `seq`, or -1. */
  lastOf(actor: number, seq: number): number {
    const views = this.viewsOf(actor)
    return views[countUpTo(views, seq) - 1] ?? -1
  }

  /** The actor's first view after `seq`, or -1. */
  nextOf(actor: number, seq: number): number {
    const views = this.viewsOf(actor)
    return views[countUpTo(views, seq)] ?? -1
  }

  /** Sequence numbers of the actor's views. */
  viewsOf(actor: number): readonly number[] {
    return this.#tracks[actor]?.views ?? NO_VIEWS
  }

  /** The view before this one of the same actor, or -1. */
  previous(seq: number): number {
    return this.#previous[seq] ?? -1
  }

  /** Views whose event was sent while this one was processed. */
  effects(seq: number): readonly number[] {
    return this.#effects.get(seq) ?? NO_VIEWS
  }

  /** From which view on the actor exists; an actor without views never shows up in the past. */
  born(actor: number): number {
    return this.#tracks[actor]?.born ?? NEVER
  }

  /** Which view ended the actor. */
  ended(actor: number): number {
    return this.#tracks[actor]?.ended ?? NEVER
  }

  /** Whether the actor had been in the state by `seq`. */
  visited(actor: number, path: string, seq: number): boolean {
    return (this.#tracks[actor]?.firstIn.get(path) ?? NEVER) <= seq
  }

  #take(seq: number, view: ViewRecord): void {
    const track = this.#trackOf(view.actor, seq)
    const before = track.views.at(-1) ?? -1
    this.#previous[seq] = before
    track.views.push(seq)
    if (view.status !== 'active' && track.ended === NEVER) track.ended = seq
    if (view.by !== undefined) this.#addEffect(view.by, seq)
    if (before === -1 || view.value !== this.source.views[before]?.value) {
      for (const path of activePaths(view.value)) if (!track.firstIn.has(path)) track.firstIn.set(path, seq)
    }
  }

  #trackOf(actor: number, seq: number): ActorTrack {
    const known = this.#tracks[actor]
    if (known) return known
    const track: ActorTrack = { views: [], firstIn: new Map(), born: seq, ended: NEVER }
    this.#tracks[actor] = track
    return track
  }

  #addEffect(cause: number, seq: number): void {
    const known = this.#effects.get(cause)
    if (known) known.push(seq)
    else this.#effects.set(cause, [seq])
  }
}

/** How many of the ascending numbers are at most `limit`. */
export function countUpTo(numbers: readonly number[], limit: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? NEVER) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
