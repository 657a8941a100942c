// Schedules drawing of growing content: immediately after a pause, else as often as the page can handle.

/** Frames and timers of a page; callbacks receive the time in milliseconds. */
export interface FrameClock {
  frame(run: (t: number) => void): () => void
  later(run: () => void, ms: number): () => void
}

/** Minimum time between two drawings, even if the page is idle. */
const REST_MS = 32
const LONGEST_REST_MS = 300
/** After a drawing, rests this many times as long as it took. */
const SHARE = 2

export interface FrameSchedulerOptions {
  readonly clock: FrameClock
  /** Processes a batch, in every frame while there is more; returns whether there is. */
  readonly take: () => boolean
  readonly draw: () => void
}

/**
 * Processes new records frame by frame and draws them so that the page keeps at least two thirds of the time.
 */
export class FrameScheduler {
  readonly #options: FrameSchedulerOptions
  #endFrame: (() => void) | undefined
  #endRest: (() => void) | undefined
  /** Start of the last drawing, until the frame after it. */
  #drewAt: number | undefined
  #isNew = false

  constructor(options: FrameSchedulerOptions) {
    this.#options = options
  }

  /** Reports new records. */
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
    this.#endFrame ??= this.#options.clock.frame(t => this.#frame(t))
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

  /** The drawing took until this frame, since the page had none before. */
  #rest(took: number): void {
    this.#drewAt = undefined
    const ms = Math.min(Math.max(took * SHARE, REST_MS), LONGEST_REST_MS)
    this.#endRest = this.#options.clock.later(() => {
      this.#endRest = undefined
      if (this.#isNew) this.#next()
    }, ms)
  }
}
