// The way between calls and steps, so that keys return.
import { Listeners, type Timeline, type Wire } from '../../../trace/index.ts'
import type { Layout, PlaceAction } from '../model/place.ts'

/** One move from a step to another. */
interface TrailMove {
  /** The step to return to. */
  readonly from: number
  /** The step that was shown instead. */
  readonly to: number
  /** The call whose details stay open after the move. */
  readonly wire: Wire | undefined
  /** The tab in the middle to return to. */
  readonly center: string
}

/** The latest moves; older ones are dropped. */
const MOST = 50

/** The moves in one trace. */
class CallTrail {
  readonly #listeners = new Listeners()
  #moves: readonly TrailMove[] = []

  readonly subscribe = this.#listeners.subscribe
  /** The last move. */
  readonly last = (): TrailMove | undefined => this.#moves.at(-1)

  add(move: TrailMove): void {
    this.#set([...this.#moves.slice(1 - MOST), move])
  }

  /** Removes and returns the last move. */
  takeLast(): TrailMove | undefined {
    const last = this.last()
    if (last) this.#set(this.#moves.slice(0, -1))
    return last
  }

  #set(moves: readonly TrailMove[]): void {
    this.#moves = moves
    this.#listeners.notify()
  }
}

const trails = new WeakMap<Timeline, CallTrail>()

/** The trail of a trace, which its views share. */
export function trailOf(timeline: Timeline): CallTrail {
  const trail = trails.get(timeline) ?? new CallTrail()
  trails.set(timeline, trail)
  return trail
}

export interface TrailPlace {
  readonly timeline: Timeline
  readonly layout: Layout
  readonly go: (action: PlaceAction) => void
}

/** Shows a step, and remembers the way. */
export function follow(
  { timeline, layout, go }: TrailPlace,
  {
    from,
    to,
    wire,
    center = layout.center,
  }: Pick<TrailMove, 'from' | 'to' | 'wire'> & { readonly center?: string },
): void {
  trailOf(timeline).add({ from, to, wire, center: layout.center })
  if (center !== layout.center) go({ type: 'layout', layout: { center } })
  go({ type: 'record', seq: to, actor: timeline.actor(to) })
}

/** Shows the step before the last move. Returns false if there is none. */
export function leadBack({ timeline, layout, go }: TrailPlace): boolean {
  const move = trailOf(timeline).takeLast()
  if (!move) return false
  if (move.center !== layout.center) go({ type: 'layout', layout: { center: move.center } })
  if (move.from >= 0) go({ type: 'record', seq: move.from, actor: timeline.actor(move.from) })
  return true
}
