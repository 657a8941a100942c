// Builds the index of a file while reading it: columns, chunks, and keyframes of states.
import type { ActorEntry, BookmarkRecord, EndRecord, TraceHeader } from '../format/records.ts'
import type { KeyframeRecord } from '../format/keyframe.ts'
import type { PlacedRecord } from '../format/format.ts'
import { packMember } from '../read/gzip.ts'
import type { Sink } from '../read/record-sequencer.ts'
import type { TextBatch } from '../read/text-lines.ts'
import type { Chunk } from './chunks.ts'
import { StateKeyframes } from './states.ts'
import { StimulusColumns, StepColumns } from './steps.ts'

/** The position of a recorded keyframe. */
export type KeyframePlace = Pick<KeyframeRecord, 'at' | 'steps' | 'tape' | 'actors'>

/** What is known about a file without unpacking its chunks. */
export class TraceIndex implements Sink {
  readonly takesJson = true
  readonly actors: ActorEntry[] = []
  readonly steps = new StepColumns()
  readonly stimuli = new StimulusColumns()
  readonly states = new StateKeyframes()
  readonly keyframes: KeyframePlace[] = []
  readonly bookmarks: BookmarkRecord[] = []
  readonly chunks: Chunk[] = []
  tape = 0
  end: EndRecord | undefined
  #header: TraceHeader | undefined
  #begin = this.#counts()
  #damaged: number[] = []

  /** False until a nonempty line has been read. */
  get hasHead(): boolean {
    return this.#header !== undefined
  }

  get head(): TraceHeader {
    if (!this.#header) throw new TypeError('the trace has no header')
    return this.#header
  }

  header(header: TraceHeader): void {
    this.#header = header
  }

  damaged(atLine: number): void {
    this.#damaged.push(atLine)
  }

  record(record: PlacedRecord, line: string): void {
    switch (record.line) {
      case 'step':
        this.steps.add(record)
        if (line !== '') this.states.step(record, line)
        return
      case 'stimulus':
        return this.stimuli.add(record)
      case 'actor':
        this.actors.push(record)
        return this.states.actor(record)
      case 'tape':
        this.tape += 1
        return
      case 'keyframe': {
        const { at, steps, tape, actors } = record
        return void this.keyframes.push({ at, steps, tape, actors })
      }
      case 'bookmark':
        return void this.bookmarks.push(record)
      case 'end':
        this.end = record
        return
      case 'hash':
    }
  }

  /** Stores the location of the lines since the last call. */
  async addBatch({ place, text, before }: TextBatch): Promise<void> {
    const damaged = new Set(this.#damaged.map(atLine => atLine - before - 1))
    const at = place ?? (await packMember(new TextEncoder().encode(text), 0))
    this.chunks.push({ at, ...this.#begin, ...(damaged.size > 0 && { damaged }) })
    this.#damaged = []
    this.#begin = this.#counts()
    this.states.settle(this.steps.length)
  }

  /** Bytes used by the index. */
  get bytes(): number {
    const packed = this.chunks.reduce((sum, { at }) => sum + (at instanceof Uint8Array ? at.length : 0), 0)
    return packed + this.steps.bytes + this.stimuli.bytes + this.states.bytes
  }

  #counts(): Omit<Chunk, 'at'> {
    const { steps, stimuli, tape, keyframes } = this
    return { steps: steps.length, stimuli: stimuli.length, tape, keyframes: keyframes.length }
  }
}
