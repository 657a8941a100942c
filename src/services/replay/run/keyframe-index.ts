// Keyframes for stepping back: those of the recording and those that the replay takes.
import type { KeyframeRecord, ReplayableTrace } from '../../../trace/index.ts'

/** Keyframes in order of position. */
export class KeyframeIndex {
  readonly #keyframes: KeyframeRecord[]

  constructor({ keyframes }: ReplayableTrace) {
    this.#keyframes = keyframes.filter(({ at, unreachable }) => at > 0 && unreachable.length === 0)
  }

  /** Returns the last keyframe after `from` and up to `goal`. */
  nearest(from: number, goal: number): KeyframeRecord | undefined {
    return this.#keyframes.findLast(({ at }) => at <= goal && at > from)
  }

  /** Adds a keyframe for this position unless there is one. */
  add(place: number, take: () => KeyframeRecord | undefined): void {
    const found = this.#keyframes.findIndex(({ at }) => at >= place)
    if (this.#keyframes[found]?.at === place) return
    const keyframe = take()
    if (keyframe) this.#keyframes.splice(found < 0 ? this.#keyframes.length : found, 0, keyframe)
  }
}
