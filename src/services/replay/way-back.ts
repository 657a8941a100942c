// The keyframes to which a replay can go back: those of the recording, and those that it takes of itself.
import type { KeyframeRecord, ReplayableTrace } from '../../trace/format.ts'

/** Keyframes in the order of their places. */
export class WayBack {
  readonly #keyframes: KeyframeRecord[]

  constructor({ keyframes }: ReplayableTrace) {
    this.#keyframes = keyframes.filter(({ at, unreachable }) => at > 0 && unreachable.length === 0)
  }

  /** The last one that stands after `from` and not after `goal`. */
  nearest(from: number, goal: number): KeyframeRecord | undefined {
    return this.#keyframes.findLast(({ at }) => at <= goal && at > from)
  }

  /** Keeps another one for this place, unless there is one. */
  keep(place: number, take: () => KeyframeRecord | undefined): void {
    const found = this.#keyframes.findIndex(({ at }) => at >= place)
    if (this.#keyframes[found]?.at === place) return
    const keyframe = take()
    if (keyframe) this.#keyframes.splice(found < 0 ? this.#keyframes.length : found, 0, keyframe)
  }
}
