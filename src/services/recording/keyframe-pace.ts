// How often keyframes are taken: so seldom that they cost little beside what lies between them.

/** Some milliseconds of replaying. */
const EVERY = 4096

/** Without views, nothing but keyframes tells where a replay went another way, so they lie closer together. */
const EVERY_UNSEEN = 1024

/** For each actor and each name in a keyframe, at least so many stimuli lie before the next. */
const SHARE = 8

/** Tells when the next keyframe is due. */
export class KeyframePace {
  readonly #every: number
  readonly #isFixed: boolean
  #due: number

  /** `every` as the app wishes it. */
  constructor(every: number | undefined, hasViews: boolean) {
    this.#every = every ?? (hasViews ? EVERY : EVERY_UNSEEN)
    this.#isFixed = hasViews || every !== undefined
    this.#due = this.#every
  }

  /** Whether one is due after so many stimuli. */
  isDue(length: number): boolean {
    return length >= this.#due
  }

  /** One was taken, or the recording begins with one, of so many actors and names. */
  taken(length: number, size: number): void {
    this.#due = length + (this.#isFixed ? this.#every : Math.max(this.#every, size * SHARE))
  }

  /** The system could not be brought back as it is; an actor that is in the way may be gone a little later. */
  missed(length: number): void {
    this.#due = length + Math.ceil(this.#every / 16)
  }
}
