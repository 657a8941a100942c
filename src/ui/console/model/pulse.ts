// When what grows is drawn: at once when it was quiet, else as often as the page can bear.

/** Frames and timers of a page; all callbacks get the time in milliseconds. */
export interface Beats {
  frame(run: (t: number) => void): () => void
  later(run: () => void, ms: number): () => void
}

/** Between two drawings at least, and of what the page is at leisure. */
const REST_MS = 32
const LONGEST_REST_MS = 300
/** A drawing is followed by so many times as long a rest. */
const SHARE = 2

export interface PulseOptions {
  readonly beats: Beats
  /** Takes up a portion, in every frame while there is more; answers whether there is. */
  readonly take: () => boolean
  readonly draw: () => void
}

/** Takes what comes frame by frame, and draws it so that at least two thirds of the time are left to the page. */
export class Pulse {
  readonly #options: PulseOptions
  #endFrame: (() => void) | undefined
  #endRest: (() => void) | undefined
  /** When the last drawing began, until the frame after it. */
  #drewAt: number | undefined
  #isNew = false

  constructor(options: PulseOptions) {
    this.#options = options
  }

  /** Something came. */
  readonly ask = (): void => {
    this.#isNew = true
    this.#next()
  }

  stop(): void {
    this.#endFrame?.()
    this.#endRest?.()
    this.#endFrame = this.#endRest = this.#drewAt = undefined
  }

  #next(): void {
    this.#endFrame ??= this.#options.beats.frame(t => this.#frame(t))
  }

  #frame(t: number): void {
    this.#endFrame = undefined
    if (this.#drewAt !== undefined) this.#rest(t - this.#drewAt)
    const isMore = this.#isNew && this.#options.take()
    if (this.#isNew && !this.#endRest) {
      this.#isNew = isMore
      this.#drewAt = t
      this.#options.draw()
    }
    if (isMore || this.#drewAt !== undefined) this.#next()
  }

  /** The drawing took so long: the page had no other frame before. */
  #rest(took: number): void {
    this.#drewAt = undefined
    const ms = Math.min(Math.max(took * SHARE, REST_MS), LONGEST_REST_MS)
    this.#endRest = this.#options.beats.later(() => {
      this.#endRest = undefined
      if (this.#isNew) this.#next()
    }, ms)
  }
}
