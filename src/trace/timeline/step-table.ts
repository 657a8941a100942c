// The columns of a timeline: the facts of every step and stimulus that are available without its record.
import type { ActorEntry, StepRecord, Stimulus } from '../format/records.ts'
import { Column, countUpTo } from '../model/column.ts'
import {
  columnNames,
  eachColumn,
  FLAG,
  STATUSES,
  STEP_COLUMNS,
  STIMULUS_COLUMNS,
  STIMULUS_KINDS,
  type TimelineBlock,
} from './block.ts'
import { NO_STATE, stateInfo, type StateInfo } from './state-value.ts'

/** The facts of a stimulus. */
export type StimulusFacts = Pick<Stimulus, 'seq' | 't' | 'kind' | 'to' | 'from'>

const NO_VIA: readonly string[] = []

/** The facts of steps that timelines and the indices of files have. */
export abstract class StepFacts {
  protected abstract readonly columns: Readonly<Record<'t' | 'actor' | 'cause' | 'flags', Column>>

  /** Milliseconds since the recording started; in a timeline never earlier than the previous step. */
  t(seq: number): number {
    return this.columns.t.get(seq)
  }

  /** Index of the actor. */
  actor(seq: number): number {
    return this.columns.actor.get(seq)
  }

  /** The stimulus that caused it; -1 for the start. */
  cause(seq: number): number {
    return this.columns.cause.get(seq)
  }

  /** Bits of `FLAG`, and the status in the two lowest. */
  flags(seq: number): number {
    return this.columns.flags.get(seq)
  }

  status(seq: number): StepRecord['status'] {
    return STATUSES[this.flags(seq) & 3] ?? 'active'
  }

  /** False if the event changed nothing. */
  changed(seq: number): boolean {
    return (this.flags(seq) & FLAG.changed) !== 0
  }

  /** Whether its line was damaged. */
  isLost(seq: number): boolean {
    return (this.flags(seq) & FLAG.lost) !== 0
  }

  /** Number of steps up to and including this time. */
  countAt(t: number): number {
    return countUpTo(this.columns.t.length, seq => this.t(seq) <= t)
  }
}

/** Steps and stimuli by number. All lookups take numbers within `0 … size - 1` and are very cheap. */
export class StepTable extends StepFacts {
  /** Event type names, by number. */
  readonly types: string[] = []
  /** State values, by number; 0 is that of actors without states. */
  readonly states: StateInfo[] = [NO_STATE]
  /** Lists of transitions taken in one step, by number; 0 is the empty one. */
  readonly vias: (readonly string[])[] = [NO_VIA]
  /** The actor table. */
  readonly actors: ActorEntry[] = []
  protected readonly columns = eachColumn(STEP_COLUMNS, make => new Column(make))
  readonly #stimuli = eachColumn(STIMULUS_COLUMNS, make => new Column(make))
  #lastTime = 0

  /** Number of steps; they are numbered `0 … size - 1`. */
  get size(): number {
    return this.columns.t.length
  }

  get stimuli(): number {
    return this.#stimuli.t.length
  }

  /** Number of its event type in `types`. */
  typeId(seq: number): number {
    return this.columns.type.get(seq)
  }

  type(seq: number): string {
    return this.types[this.columns.type.get(seq)] ?? ''
  }

  /** The step during which its event was sent; -1 for none. */
  by(seq: number): number {
    return this.columns.by.get(seq)
  }

  /** Index of the actor that sent its event; -1 for outside. */
  from(seq: number): number {
    return this.columns.from.get(seq)
  }

  /** Number of its resulting state in `states`. */
  stateId(seq: number): number {
    return this.columns.state.get(seq)
  }

  /** The resulting state. */
  state(seq: number): StateInfo {
    return this.states[this.columns.state.get(seq)] ?? NO_STATE
  }

  /** The transitions taken, as `path#n`. */
  via(seq: number): readonly string[] {
    return this.vias[this.columns.via.get(seq)] ?? NO_VIA
  }

  /** Number of the transition list in `vias`. */
  viaId(seq: number): number {
    return this.columns.via.get(seq)
  }

  failed(seq: number): boolean {
    return (this.flags(seq) & FLAG.failed) !== 0
  }

  injected(seq: number): boolean {
    return (this.flags(seq) & FLAG.injected) !== 0
  }

  /** Whether the state or status changed, or this is the actor's first step. */
  moved(seq: number): boolean {
    return (this.flags(seq) & FLAG.moved) !== 0
  }

  /** Numbers of the steps within these times: from the first up to, but not including, the second. */
  within(t0: number, t1: number): readonly [from: number, to: number] {
    return [countUpTo(this.size, seq => this.t(seq) < t0), this.countAt(t1)]
  }

  /** Time of the last step; 0 if there is none. */
  get end(): number {
    return this.#lastTime
  }

  stimulus(seq: number): StimulusFacts | undefined {
    const { t, to, from, kind } = this.#stimuli
    if (!(seq >= 0 && seq < t.length)) return undefined
    const sender = from.get(seq)
    return {
      seq,
      t: t.get(seq),
      kind: STIMULUS_KINDS[kind.get(seq)] ?? 'external',
      to: to.get(seq),
      ...(sender >= 0 && { from: sender }),
    }
  }

  get bytes(): number {
    const all = [...Object.values(this.columns), ...Object.values(this.#stimuli)]
    return all.reduce((sum, column) => sum + column.bytes, 0)
  }

  /** Appends the columns of a block unchanged; derived data are up to the subclass. */
  protected takeColumns({ types, states, vias, actors, steps, stimuli }: TimelineBlock): void {
    for (const type of types) this.types.push(type)
    for (const value of states) this.states.push(stateInfo(value))
    for (const via of vias) this.vias.push(via)
    for (const actor of actors) this.actors.push(actor)
    const { t } = steps
    for (let at = 0; at < t.length; at++) this.#lastTime = t[at] = Math.max(this.#lastTime, t[at] ?? 0)
    for (const name of columnNames(STEP_COLUMNS)) this.columns[name].append(steps[name])
    for (const name of columnNames(STIMULUS_COLUMNS)) this.#stimuli[name].append(stimuli[name])
  }
}
