// Decides how often keyframes are taken, so that their cost is small compared to the steps between them.

/** Stimuli per keyframe; a few milliseconds of replay. */
const EVERY = 4096

/** Without steps, only keyframes show where a replay diverges, so they are closer together. */
const EVERY_UNSEEN = 1024

/** Minimum stimuli until the next keyframe, per actor and name in the last one. */
const SHARE = 8

/** Decides when the next keyframe is due. */
export class KeyframePace {
  readonly #every: number
  readonly #isFixed: boolean
  #due: number

  /** `every` is the app's setting. */
  constructor(every: number | undefined, hasSteps: boolean) {
    this.#every = every ?? (hasSteps ? EVERY : EVERY_UNSEEN)
    this.#isFixed = hasSteps || every !== undefined
    this.#due = this.#every
  }

  /** Whether a keyframe is due after this many stimuli. */
  isDue(length: number): boolean {
    return length >= this.#due
  }

  /**
   * Call this after a keyframe with `size` actors and names was taken, or when the recording begins with one.
   */
  taken(length: number, size: number): void {
    this.#due = length + (this.#isFixed ? this.#every : Math.max(this.#every, size * SHARE))
  }

  /**
   * Call this if the system could not be restored from its current state; the blocking actor may soon be
   * gone.
   */
  missed(length: number): void {
    this.#due = length + Math.ceil(this.#every / 16)
  }
}
