// Builds the index of a file while reading it: columns with the facts of every step and stimulus, chunks, and
// keyframes of states.
import {
  type ActorEntry,
  type BookmarkRecord,
  type EndRecord,
  type KeyframeRecord,
  LOST,
  type PlacedRecord,
  type StepRecord,
  type Stimulus,
  type TraceHeader,
} from '../format/records.ts'
import { packMember } from '../read/gzip.ts'
import type { Sink } from '../read/record-reader.ts'
import type { TextBatch } from '../read/read-file.ts'
import type { Chunk } from './chunks.ts'
import { StateKeyframes } from './states.ts'
import { FLAG, STATUSES, STEP_COLUMNS, STIMULUS_COLUMNS, STIMULUS_KINDS } from '../timeline/block.ts'
import { StepFacts } from '../timeline/step-table.ts'
import { Column } from './column.ts'

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
  readonly #follow: ((record: PlacedRecord) => void) | undefined

  /** `follow` is called for every record; its values are still encoded. */
  constructor(follow?: (record: PlacedRecord) => void) {
    this.#follow = follow
  }

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
    this.#add(record, line)
    this.#follow?.(record)
  }

  #add(record: PlacedRecord, line: string): void {
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

/** Event types stored by name; further or longer ones are only in the record. */
const MAX_TYPES = 0xffff
const MAX_TYPE_LENGTH = 200

/** The steps, by number. */
export class StepColumns extends StepFacts {
  protected readonly columns = {
    t: new Column(STEP_COLUMNS.t),
    actor: new Column(STEP_COLUMNS.actor),
    cause: new Column(STEP_COLUMNS.cause),
    flags: new Column(STEP_COLUMNS.flags),
    type: new Column(length => new Uint16Array(length)),
  }
  readonly #types: string[] = []
  readonly #typeNumbers = new Map<string, number>()

  add({ t, actor, cause, event, status, changed }: StepRecord): void {
    const { columns } = this
    columns.t.push(t)
    columns.actor.push(actor)
    columns.cause.push(cause)
    columns.type.push(this.#numberOf(event.type))
    const isLost = event.type === LOST
    columns.flags.push(STATUSES.indexOf(status) + (changed ? FLAG.changed : 0) + (isLost ? FLAG.lost : 0))
  }

  get length(): number {
    return this.columns.t.length
  }

  /** Type of its event; undefined for a rare or very long one. */
  type(seq: number): string | undefined {
    return this.#types[this.columns.type.get(seq)]
  }

  get bytes(): number {
    return Object.values(this.columns).reduce((sum, column) => sum + column.bytes, 0)
  }

  #numberOf(type: unknown): number {
    if (typeof type !== 'string') return MAX_TYPES
    const known = this.#typeNumbers.get(type)
    if (known !== undefined) return known
    const number = this.#types.length
    if (number >= MAX_TYPES || type.length > MAX_TYPE_LENGTH) return MAX_TYPES
    this.#types.push(type)
    this.#typeNumbers.set(type, number)
    return number
  }
}

/** The stimuli, by number. */
export class StimulusColumns {
  readonly #t = new Column(STIMULUS_COLUMNS.t)
  readonly #to = new Column(STIMULUS_COLUMNS.to)
  readonly #flags = new Column(STIMULUS_COLUMNS.kind)

  add({ t, to, kind, event }: Stimulus): void {
    this.#t.push(t)
    this.#to.push(to)
    const isLost = typeof event === 'object' && event !== null && 'type' in event && event.type === LOST
    this.#flags.push(STIMULUS_KINDS.indexOf(kind) + (isLost ? FLAG.lost : 0))
  }

  get length(): number {
    return this.#t.length
  }

  /** Milliseconds since the recording started. */
  t(seq: number): number {
    return this.#t.get(seq)
  }

  /** The actor that received it. */
  to(seq: number): number {
    return this.#to.get(seq)
  }

  kind(seq: number): Stimulus['kind'] {
    return STIMULUS_KINDS[this.#flags.get(seq) & 3] ?? 'external'
  }

  /** Whether its line was damaged. */
  isLost(seq: number): boolean {
    return (this.#flags.get(seq) & FLAG.lost) !== 0
  }

  get bytes(): number {
    return this.#t.bytes + this.#to.bytes + this.#flags.bytes
  }
}
