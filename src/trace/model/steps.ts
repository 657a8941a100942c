// Columns with the facts of every step and stimulus that are available without reading its line.
import type { StepRecord, Stimulus } from '../format/records.ts'
import { LOST } from '../format/lost.ts'
import { Column, countUpTo } from './column.ts'

const STATUSES = ['active', 'done', 'error', 'stopped'] as const
const KINDS = ['external', 'leaf', 'timer', 'stop'] as const
const CHANGED = 4
const IS_LOST = 8

/** Event types stored by name; further or longer ones are only in the record. */
const MAX_TYPES = 0xffff
const MAX_TYPE_LENGTH = 200

/** The steps, by number. */
export class StepColumns {
  readonly #t = new Column(length => new Float64Array(length))
  readonly #actor = new Column(length => new Uint32Array(length))
  readonly #cause = new Column(length => new Int32Array(length))
  readonly #type = new Column(length => new Uint16Array(length))
  readonly #flags = new Column(length => new Uint8Array(length))
  readonly #types: string[] = []
  readonly #typeNumbers = new Map<string, number>()

  add({ t, actor, cause, event, status, changed }: StepRecord): void {
    this.#t.push(t)
    this.#actor.push(actor)
    this.#cause.push(cause)
    this.#type.push(this.#numberOf(event.type))
    const isLost = event.type === LOST
    this.#flags.push(STATUSES.indexOf(status) + (changed ? CHANGED : 0) + (isLost ? IS_LOST : 0))
  }

  get length(): number {
    return this.#t.length
  }

  /** Milliseconds since the recording started. */
  t(seq: number): number {
    return this.#t.get(seq)
  }

  actor(seq: number): number {
    return this.#actor.get(seq)
  }

  /** The stimulus that caused it; -1 for the start. */
  cause(seq: number): number {
    return this.#cause.get(seq)
  }

  /** Type of its event; undefined for a rare or very long one. */
  type(seq: number): string | undefined {
    return this.#types[this.#type.get(seq)]
  }

  status(seq: number): StepRecord['status'] {
    return STATUSES[this.#flags.get(seq) & 3] ?? 'active'
  }

  changed(seq: number): boolean {
    return (this.#flags.get(seq) & CHANGED) !== 0
  }

  /** Whether its line was damaged. */
  isLost(seq: number): boolean {
    return (this.#flags.get(seq) & IS_LOST) !== 0
  }

  /** Number of steps up to and including this time. */
  countAt(t: number): number {
    return countUpTo(this.length, seq => this.t(seq) <= t)
  }

  get bytes(): number {
    const columns = [this.#t, this.#actor, this.#cause, this.#type, this.#flags]
    return columns.reduce((sum, column) => sum + column.bytes, 0)
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
  readonly #t = new Column(length => new Float64Array(length))
  readonly #to = new Column(length => new Uint32Array(length))
  readonly #flags = new Column(length => new Uint8Array(length))

  add({ t, to, kind, event }: Stimulus): void {
    this.#t.push(t)
    this.#to.push(to)
    const isLost = typeof event === 'object' && event !== null && 'type' in event && event.type === LOST
    this.#flags.push(KINDS.indexOf(kind) + (isLost ? IS_LOST : 0))
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
    return KINDS[this.#flags.get(seq) & 3] ?? 'external'
  }

  /** Whether its line was damaged. */
  isLost(seq: number): boolean {
    return (this.#flags.get(seq) & IS_LOST) !== 0
  }

  get bytes(): number {
    return this.#t.bytes + this.#to.bytes + this.#flags.bytes
  }
}
