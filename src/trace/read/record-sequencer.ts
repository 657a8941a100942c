// Checks the numbering of a file's records; missing records are replaced, so that the numbering is preserved.
import {
  type ActorEntry,
  lostActor,
  lostStep,
  lostStimulus,
  type PlacedRecord,
  type StepRecord,
  type Stimulus,
  type TraceHeader,
} from '../format/records.ts'

/** Receives valid records in file order; missing ones are replaced, so that the numbering is preserved. */
export interface Sink {
  /** Records are passed with encoded values, validated but not decoded. */
  readonly takesJson?: boolean
  header(header: TraceHeader): void
  /** `line` is empty for a lost record. */
  record(record: PlacedRecord, line: string): void
  /** The line with this number, counted from 1, is not a valid record. */
  damaged?(atLine: number): void
}

/** Numbers the records of one file. */
export class RecordSequencer {
  /** Number of unreadable lines so far: at most this many records can be missing. */
  missing = 0
  /** Whether the last line was present. */
  isClosed = false
  readonly #sink: Sink
  #actors = 0
  #stimuli = 0
  #steps = 0
  #lastStep: StepRecord | undefined

  constructor(sink: Sink) {
    this.#sink = sink
  }

  /** Processes the next record; returns what is wrong with its position. */
  place(record: PlacedRecord, line: string): string | undefined {
    const wrong =
      record.line === 'actor'
        ? this.#placeActor(record)
        : record.line === 'stimulus'
          ? this.#placeStimulus(record)
          : record.line === 'step'
            ? this.#placeStep(record)
            : record.line === 'keyframe'
              ? this.#know(record.actors - 1)
              : undefined
    if (wrong !== undefined) return wrong
    if (record.line === 'end') this.isClosed = true
    this.#sink.record(record, line)
    return undefined
  }

  #placeActor({ index, parent = -1 }: ActorEntry): string | undefined {
    if (parent >= index) return `has a parent, ${parent}, that does not precede it`
    const gap = index - this.#actors
    if (gap < 0 || gap > this.missing) return outOfOrder(index, this.#actors)
    this.#fillActors(index)
    this.#actors += 1
    return undefined
  }

  #placeStimulus({ seq, to, from = -1, anchor }: Stimulus): string | undefined {
    const gap = seq - this.#stimuli
    if (gap < 0 || gap > this.missing) return outOfOrder(seq, this.#stimuli)
    const unknown = this.#know(Math.max(to, from, anchor?.in ?? -1))
    if (unknown !== undefined) return unknown
    for (; this.#stimuli < seq; this.#stimuli++) this.#sink.record(lostStimulus(this.#stimuli), '')
    this.#stimuli += 1
    return undefined
  }

  #placeStep(step: StepRecord): string | undefined {
    const { seq, actor, from = -1, cause, by = -1 } = step
    const gap = seq - this.#steps
    if (gap < 0 || gap > this.missing) return outOfOrder(seq, this.#steps)
    if (by >= seq) return `names step ${by} as its cause, which does not precede it`
    if (cause >= this.#stimuli + this.missing)
      return `names stimulus ${cause} as its cause, which does not precede it`
    const unknown = this.#know(Math.max(actor, from))
    if (unknown !== undefined) return unknown
    for (; this.#steps < seq; this.#steps++) this.#sink.record(lostStep(this.#steps, this.#lastStep), '')
    this.#steps += 1
    this.#lastStep = step
    return undefined
  }

  /** An actor precedes the first record that names it, unless its line was lost. */
  #know(index: number): string | undefined {
    if (index < this.#actors) return undefined
    if (index - this.#actors >= this.missing) return `names actor ${index}, which is not in the table`
    this.#fillActors(index + 1)
    return undefined
  }

  #fillActors(count: number): void {
    for (; this.#actors < count; this.#actors++) this.#sink.record(lostActor(this.#actors), '')
  }
}

function outOfOrder(number: number, expected: number): string {
  return `is out of order: number ${number} instead of ${expected}`
}
