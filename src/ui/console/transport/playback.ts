// Plays the trace with its pauses at any speed: moves the moment until the end, or until the user moves it.
import type { Timeline } from '../../../trace/index.ts'
import type { Place, PlaceAction } from '../model/place.ts'

/** What the console shows, as of its last render. */
export interface PlaybackView {
  readonly timeline: Timeline
  readonly size: number
  readonly isLive: boolean
  readonly range: Place['range']
  /** The moment, as a view number. */
  readonly at: number
  readonly isFollowing: boolean
}

/** What it needs of the console's machine. */
export interface PlaybackControl {
  readonly isPlaying: () => boolean
  /** Whether more of the shown file is still being read. */
  readonly isPartial: () => boolean
  readonly send: (event: { readonly type: 'playback.started' | 'playback.stopped' }) => void
  readonly go: (action: PlaceAction) => void
}

/** Moves the moment for the port of the machine. */
export class Playback {
  readonly #control: PlaybackControl
  #view: PlaybackView | undefined
  #position: Position = { seq: 0, waited: 0 }

  constructor(control: PlaybackControl) {
    this.#control = control
  }

  readonly show = (view: PlaybackView): void => {
    this.#view = view
  }

  /**
   * Plays from the moment, or stops. While following a live end: pauses at this moment; at that end, follows
   * it again.
   */
  readonly toggle = (): void => {
    const { send, go, isPlaying } = this.#control
    if (isPlaying()) return send({ type: 'playback.stopped' })
    if (!this.#view) return
    const { timeline, size, isLive, isFollowing, range, at } = this.#view
    const [first, last] = playedViews(timeline, size, range)
    if (isLive && isFollowing) return go({ type: 'moment', seq: at })
    if (isLive && at >= last && !range) return go({ type: 'end' })
    const from = at >= last ? first : at
    if (from >= last) return
    if (from !== at) this.#move(from)
    this.#position = { seq: from, waited: 0 }
    send({ type: 'playback.started' })
  }

  /** Moves the moment frame by frame; returns a function that ends it. `onEnd` is called at the end. */
  readonly run = (speed: number, onEnd: () => void): (() => void) => {
    let before: number | undefined
    let request = requestAnimationFrame(function frame(this: void, now) {
      const isOver = advance(now - (before ?? now))
      before = now
      if (isOver) onEnd()
      else request = requestAnimationFrame(frame)
    })
    const advance = (passed: number) => this.#advance(passed, speed)
    return () => cancelAnimationFrame(request)
  }

  /** Returns whether the end is reached. */
  #advance(passed: number, speed: number): boolean {
    if (!this.#view) return true
    const { timeline, size, isLive, range, at } = this.#view
    const [first, last] = playedViews(timeline, size, range)
    // The user selected another moment: continue from there.
    const from = at === this.#position.seq ? this.#position : { seq: at, waited: 0 }
    const start = from.seq < first ? { seq: first, waited: 0 } : from
    this.#position = advanced(timeline, start, passed, speed, last)
    if (this.#position.seq !== at) this.#move(this.#position.seq)
    const mayGrow = this.#control.isPartial() && (!range || timeline.end < range[1])
    if (this.#position.seq < last || mayGrow) return false
    if (isLive && !range) this.#control.go({ type: 'end' })
    return true
  }

  /** The next frame may come before the next render. */
  #move(seq: number): void {
    if (this.#view) this.#view = { ...this.#view, at: seq }
    this.#control.go({ type: 'moment', seq })
  }
}

/** Speed factors. */
export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 100] as const

/** Longer pauses are shortened to this, in milliseconds. */
const QUIET_MS = 1000

/** Maximum events skipped at once, so that a frame stays short. */
const MOST = 20_000

/** Position of a playback. */
interface Position {
  readonly seq: number
  /** Milliseconds already waited for the next event. */
  readonly waited: number
}

/** Returns the milliseconds to wait for the event after this one. */
function gapAfter(timeline: Timeline, seq: number, speed: number): number {
  return Math.min(QUIET_MS, (timeline.t(seq + 1) - timeline.t(seq)) / speed)
}

/** Returns the position after the given milliseconds; it stops at the view `last`. */
export function advanced(
  timeline: Timeline,
  { seq, waited }: Position,
  passed: number,
  speed: number,
  last: number,
): Position {
  let at = seq
  let left = waited + passed
  for (let steps = 0; at < last && steps < MOST; steps++) {
    const gap = gapAfter(timeline, at, speed)
    if (left < gap) return { seq: at, waited: left }
    left -= gap
    at += 1
  }
  return { seq: at, waited: 0 }
}

/** Returns the first and last view to play: in the shown range, or all. */
export function playedViews(
  timeline: Timeline,
  size: number,
  range: readonly [from: number, to: number] | undefined,
): readonly [first: number, last: number] {
  if (!range) return [0, size - 1]
  const [first, end] = timeline.within(...range)
  return [first, Math.min(end, size) - 1]
}
