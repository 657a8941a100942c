// Tape for a drive: readings by step and kind, so that an additional or missing reading affects only its own
// step.
import type { ReplayableTrace, Stimulus, TapeEntry } from '../../../trace/index.ts'

/** Tape readings of one drive. */
export class DrivenTape {
  /** Number of readings that were not recorded. */
  missing = 0
  /** Number of all readings. */
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

  /** Begins a step; `elapsed` is the time since the previous one. */
  step(seq: number, elapsed: number): void {
    this.#step = seq
    this.#now += elapsed
  }

  /** Returns the next reading of this step. */
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

  /** Returns a value of the right kind that is the same in every drive. */
  #invent(kind: TapeEntry['kind']): number | string {
    this.missing += 1
    if (kind === 'now') return this.#now
    this.#invented += 1
    return kind === 'id' ? `new-${this.#invented}` : (this.#invented * 0.618_033_988_749_894_9) % 1
  }
}

/** Maps each stimulus to the number of its step; anchored stimuli belong to the previous one. */
function stepNumbers(stimuli: readonly Stimulus[]): readonly number[] {
  let step = -1
  return stimuli.map(({ anchor }, seq) => (anchor ? step : (step = seq)))
}
