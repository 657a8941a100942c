// The model of a trace file: access to any record by number in a few milliseconds, without holding them in
// memory.
import {
  type ActorEntry,
  type BookmarkRecord,
  type EndRecord,
  type KeyframeRecord,
  lostStep,
  lostStimulus,
  type StepRecord,
  type Stimulus,
  type TapeEntry,
  type TraceHeader,
  type TraceRecord,
} from '../format/records.ts'
import type { Damage } from '../format/trace-source.ts'
import { recordOf } from '../read/record-reader.ts'
import type { ByteSource, Unpack } from '../read/unpack.ts'
import { ChunkCache } from './chunks.ts'
import { countUpTo } from './column.ts'
import type { KeyframePlace, StepColumns, StimulusColumns, TraceIndex } from './index-builder.ts'
import { lineIn, type StateKeyframe } from './states.ts'

/** The state of an actor at some point: the last step that it had taken. */
export interface ActorState {
  readonly actor: number
  readonly step: StepRecord
}

/** A file that was read once. */
export interface OpenedFile {
  readonly source: ByteSource
  readonly index: TraceIndex
  readonly damage: readonly Damage[]
  /** Format of the file. */
  readonly format: number
  readonly unpack: Unpack
}

type Counted = 'steps' | 'stimuli' | 'tape' | 'keyframes'

/** A trace file that stays packed. Read-only; numbers out of range throw `RangeError`s. */
export class TraceModel {
  readonly header: TraceHeader
  /** The damage of the file, as in `readTrace`. */
  readonly damage: readonly Damage[]
  readonly #index: TraceIndex
  readonly #format: number
  readonly #chunks: ChunkCache

  constructor({ source, index, damage, format, unpack }: OpenedFile) {
    this.header = index.head
    this.damage = damage
    this.#index = index
    this.#format = format
    this.#chunks = new ChunkCache(source, unpack, format)
  }

  get actors(): readonly ActorEntry[] {
    return this.#index.actors
  }

  get bookmarks(): readonly BookmarkRecord[] {
    return this.#index.bookmarks
  }

  /** Positions of the recorded keyframes, ordered by `at`. */
  get keyframes(): readonly KeyframePlace[] {
    return this.#index.keyframes
  }

  /** The last line; absent if the file was truncated. */
  get end(): EndRecord | undefined {
    return this.#index.end
  }

  /** The facts of every step without reading it; `steps.length` is their number. */
  get steps(): StepColumns {
    return this.#index.steps
  }

  /** The facts of every stimulus without reading it. */
  get stimuli(): StimulusColumns {
    return this.#index.stimuli
  }

  /** Number of readings on the tape. */
  get tapeLength(): number {
    return this.#index.tape
  }

  /** Bytes in memory, excluding the file itself, the actor table and unpacked chunks. */
  get bytes(): number {
    return this.#index.bytes
  }

  async step(seq: number): Promise<StepRecord> {
    const { steps } = this.#index
    const record = await this.#record('steps', seq, steps.length)
    if (record?.line === 'step' && record.seq === seq) return record
    return lostStep(seq, seq > 0 ? await this.step(seq - 1) : undefined)
  }

  /** The steps from `from` up to, but not including, `to`. */
  readSteps(from: number, to: number): Promise<StepRecord[]> {
    return this.#range(from, to, seq => this.step(seq))
  }

  async stimulus(seq: number): Promise<Stimulus> {
    const record = await this.#record('stimuli', seq, this.#index.stimuli.length)
    return record?.line === 'stimulus' && record.seq === seq ? record : lostStimulus(seq)
  }

  /** The stimuli from `from` up to, but not including, `to`. */
  readStimuli(from: number, to: number): Promise<Stimulus[]> {
    return this.#range(from, to, seq => this.stimulus(seq))
  }

  /** The readings of the tape from `from` up to, but not including, `to`. */
  async readTape(from: number, to: number): Promise<TapeEntry[]> {
    const read = await this.#range(from, to, at => this.#record('tape', at, this.#index.tape))
    return read.flatMap(record => (record?.line === 'tape' ? [record] : []))
  }

  /** The keyframe at this index of `keyframes`. */
  async keyframe(at: number): Promise<KeyframeRecord> {
    const record = await this.#record('keyframes', at, this.#index.keyframes.length)
    if (record?.line !== 'keyframe') throw new RangeError(`there is no keyframe ${at}`)
    return record
  }

  /**
   * Returns the state of every living actor right after step `seq`, in table order; `only` restricts the
   * actors. Reads the last state keyframe before it, and after that only the chunks with an actor's last
   * step.
   */
  async stateAt(seq: number, only?: ReadonlySet<number>): Promise<ActorState[]> {
    const { states, steps } = this.#index
    assertWithin(seq, steps.length)
    const keyframe = states.before(seq)
    const last = new Map<number, number>()
    keyframe?.actors.forEach((actor, at) => last.set(actor, keyframe.seqs[at] ?? 0))
    for (let at = keyframe?.steps ?? 0; at <= seq; at++) if (!steps.isLost(at)) last.set(steps.actor(at), at)
    const wanted = [...last]
      .filter(([actor]) => only?.has(actor) !== false && states.isLiving(actor, seq))
      .sort(([a], [b]) => a - b)
    const read = wanted.map(async ([actor, at]) => ({
      actor,
      step: await this.#lastStep(keyframe, actor, at),
    }))
    return Promise.all(read)
  }

  async #lastStep(keyframe: StateKeyframe | undefined, actor: number, seq: number): Promise<StepRecord> {
    if (!keyframe || seq >= keyframe.steps) return this.step(seq)
    return recordOf(lineIn(keyframe, actor), this.#format) as StepRecord
  }

  async #record(kind: Counted, number: number, length: number): Promise<TraceRecord | undefined> {
    assertWithin(number, length)
    const { chunks } = this.#index
    const chunk = chunks[countUpTo(chunks.length, at => (chunks[at]?.[kind] ?? 0) <= number) - 1]
    const open = chunk && (await this.#chunks.open(chunk))
    return open?.record(LINES[kind], number)
  }

  async #range<T>(from: number, to: number, read: (at: number) => Promise<T>): Promise<T[]> {
    const all: T[] = []
    for (let at = from; at < to; at++) all.push(await read(at))
    return all
  }
}

const LINES = { steps: 'step', stimuli: 'stimulus', tape: 'tape', keyframes: 'keyframe' } as const

function assertWithin(number: number, length: number): void {
  if (Number.isInteger(number) && number >= 0 && number < length) return
  throw new RangeError(`${number} is out of range: the length is ${length}`)
}
