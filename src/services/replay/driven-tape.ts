// The tape as a drive reads it: per step and kind, so that a reading more or less stays its own affair.
import type { ReplayableTrace, Stimulus, TapeEntry } from '../../trace/format.ts'

/** Readings for one drive. */
export class DrivenTape {
  /** Readings that were not recorded. */
  missing = 0
  /** All readings. */
  count = 0
  readonly #entries = new Map<string, (number | string)[]>()
  readonly #ordered: boolean
  #step = -1
  #now = 0
  #invented = 0

  constructor({ tape, stimuli }: ReplayableTrace) {
    this.#ordered = tape.every(({ at }) => at === undefined)
    const stepOf = stepNumbers(stimuli)
    for (const { kind, value, at } of tape) {
      const key = this.#key(kind, at === undefined ? -1 : (stepOf[at] ?? at))
      const values = this.#entries.get(key)
      if (values) values.push(value)
      else this.#entries.set(key, [value])
    }
  }

  /** A step begins; `elapsed` is the time since the one before. */
  step(seq: number, elapsed: number): void {
    this.#step = seq
    this.#now += elapsed
  }

  /** The next reading of this step. */
  read(kind: TapeEntry['kind']): number | string {
    this.count += 1
    const value = this.#entries.get(this.#key(kind, this.#step))?.shift()
    if (value === undefined) return this.#invent(kind)
    if (typeof value === 'number' && kind === 'now') this.#now = value
    return value
  }

  #key(kind: TapeEntry['kind'], step: number): string {
    return this.#ordered ? kind : `${kind} ${step}`
  }

  /** The same at every drive, and of the right kind. */
  #invent(kind: TapeEntry['kind']): number | string {
    this.missing += 1
    if (kind === 'now') return this.#now
    this.#invented += 1
    return kind === 'id' ? `new-${this.#invented}` : (this.#invented * 0.618_033_988_749_894_9) % 1
  }
}

/** For each stimulus the number of the step in which it came: anchored ones belong to the one before. */
function stepNumbers(stimuli: readonly Stimulus[]): readonly number[] {
  let step = -1
  return stimuli.map(({ anchor }, seq) => (anchor ? step : (step = seq)))
}
