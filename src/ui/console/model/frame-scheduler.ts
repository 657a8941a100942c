// Schedules drawing of growing content: immediately after a pause, else as often as the page can handle.

/** Calls `run` with the time in milliseconds in the page's next frame; the returned function cancels it. */
export type RequestFrame = (run: (t: number) => void) => () => void

/** Minimum time between two drawings, even if the page is idle. */
const REST_MS = 32
const LONGEST_REST_MS = 300
/** After a drawing, rests this many times as long as it took. */
const SHARE = 2

export interface FrameSchedulerOptions {
  readonly requestFrame: RequestFrame
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
  /** Start of the last drawing, until the frame after it. */
  #drewAt: number | undefined
  /** Draws nothing before this time. */
  #restsUntil = -Infinity
  /** Whether there is more to process. */
  #isMore = false
  /** Whether there is something to draw. */
  #isNew = false

  constructor(options: FrameSchedulerOptions) {
    this.#options = options
  }

  /** Reports new records. */
  readonly ask = (): void => {
    this.#isMore = this.#isNew = true
    this.#next()
  }

  stop(): void {
    this.#endFrame?.()
    this.#endFrame = this.#drewAt = undefined
  }

  #next(): void {
    this.#endFrame ??= this.#options.requestFrame(t => this.#frame(t))
  }

  #frame(t: number): void {
    this.#endFrame = undefined
    if (this.#drewAt !== undefined) {
      // The drawing took until this frame, since the page had none before.
      const rest = Math.min(Math.max((t - this.#drewAt) * SHARE, REST_MS), LONGEST_REST_MS)
      this.#restsUntil = t + rest
      this.#drewAt = undefined
    }
    if (this.#isMore) {
      this.#isMore = false
      if (this.#options.take()) this.#isMore = true
    }
    if (this.#isNew && t >= this.#restsUntil) {
      this.#isNew = this.#isMore
      this.#drewAt = t
      this.#options.draw()
    }
    if (this.#isNew || this.#drewAt !== undefined) this.#next()
  }
}
