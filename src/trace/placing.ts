// Puts the records of a file in their places by number; one that is missing is replaced, so that numbers keep their meaning.
import type { ActorEntry, PlacedRecord, Stimulus, TraceHeader, ViewRecord } from './format.ts'
import { lostActor, lostStimulus, lostView } from './lost.ts'

/** Where sound records go, in the order of the file; one that is missing is replaced, so that numbers keep their meaning. */
export interface Sink {
  /** Records come with their values as the codec wrote them, checked but not decoded. */
  readonly takesJson?: boolean
  header(header: TraceHeader): void
  /** `line` is empty for a record that was lost. */
  record(record: PlacedRecord, line: string): void
  /** The line of this number, counted from 1, is no record. */
  damaged?(atLine: number): void
}

/** Numbers the records of one file. */
export class Placing {
  /** Lines that could not be read so far: only as many records can be missing. */
  missing = 0
  /** Whether the last line was there. */
  isClosed = false
  readonly #sink: Sink
  #actors = 0
  #stimuli = 0
  #views = 0
  #lastView: ViewRecord | undefined

  constructor(sink: Sink) {
    this.#sink = sink
  }

  /** Puts the next record in its place; answers with what is wrong with that. */
  place(record: PlacedRecord, line: string): string | undefined {
    const wrong =
      record.line === 'actor'
        ? this.#placeActor(record)
        : record.line === 'stimulus'
          ? this.#placeStimulus(record)
          : record.line === 'view'
            ? this.#placeView(record)
            : record.line === 'keyframe'
              ? this.#know(record.actors - 1)
              : undefined
    if (wrong !== undefined) return wrong
    if (record.line === 'end') this.isClosed = true
    this.#sink.record(record, line)
    return undefined
  }

  #placeActor({ index, parent = -1 }: ActorEntry): string | undefined {
    if (parent >= index) return `has a parent, ${parent}, that does not come before it`
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

  #placeView(view: ViewRecord): string | undefined {
    const { seq, actor, from = -1, cause, by = -1 } = view
    const gap = seq - this.#views
    if (gap < 0 || gap > this.missing) return outOfOrder(seq, this.#views)
    if (by >= seq) return `says that it was caused by view ${by}, which does not come before it`
    if (cause >= this.#stimuli + this.missing)
      return `is caused by stimulus ${cause}, which does not come before it`
    const unknown = this.#know(Math.max(actor, from))
    if (unknown !== undefined) return unknown
    for (; this.#views < seq; this.#views++) this.#sink.record(lostView(this.#views, this.#lastView), '')
    this.#views += 1
    this.#lastView = view
    return undefined
  }

  /** An actor stands before the first record that names it, unless its line was lost. */
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
  return `is out of order: number ${number} where ${expected} should be`
}
