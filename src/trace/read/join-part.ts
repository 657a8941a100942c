// One of the joined recordings: its records, renumbered for the whole.
import type {
  ActorEntry,
  BookmarkRecord,
  KeyframeRecord,
  SameObject,
  StepRecord,
  Stimulus,
  TapeEntry,
} from '../format/records.ts'
import { batchOf, type Damage, type ReplayableTrace, type TraceSource } from '../format/trace-source.ts'

/** Event of the steps with which a recording on a running system begins. */
const PRESENT = 'chartroom.present'
/** Steps read at once while searching for the end. */
const BATCH = 64

/** The included length of an ongoing recording. */
interface Extent {
  readonly actors: number
  readonly stimuli: number
  readonly steps: number
  readonly tape: number
  readonly damage: number
}

/** One of the joined recordings. */
export interface Part {
  readonly trace: ReplayableTrace
  /** Milliseconds from the start of the run's first recording to the start of this one. */
  readonly at: number
  /** Records beyond this extent are left out. */
  readonly until?: Extent | undefined
}

/** Returns the number of records of the growing kinds in a trace. */
export function extentOf({ actors, stimuli, steps, tape, damage }: ReplayableTrace): Extent {
  return {
    actors: actors.length,
    stimuli: stimuli.length,
    steps: steps.length,
    tape: tape.length,
    damage: damage.length,
  }
}

/** Number of steps at the start of a recording that only describe the existing state. */
export function presentIn(trace: TraceSource): number {
  for (let count = 0, { steps, isWhole, size } = batchOf(trace, 0); ; count++) {
    // Without steps, stimuli are not read either.
    while (steps.length <= count && count < size && !isWhole) ({ steps, isWhole } = batchOf(trace, BATCH))
    if (steps[count]?.event.type !== PRESENT) return count
  }
}

/** The target of the join. */
export interface Joined {
  readonly actors: ActorEntry[]
  readonly stimuli: Stimulus[]
  readonly steps: StepRecord[]
  readonly tape: TapeEntry[]
  readonly keyframes: KeyframeRecord[]
  readonly bookmarks: BookmarkRecord[]
  readonly damage: Damage[]
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** Appends one part to the target, renumbering its records. */
export class Appender {
  readonly #to: Joined
  readonly #indices: Map<string, number>
  readonly #part: Part
  /** Index in the joined table by index in the part's table. */
  readonly #actors: number[] = []
  /** Length of the joined table after each actor of the part. */
  readonly #reach: number[] = []
  readonly #base: Extent
  readonly #isFirst: boolean
  /** Steps at the start that repeat what is known from earlier parts. */
  #repeated = 0
  #read = { actors: 0, stimuli: 0, steps: 0, tape: 0, keyframes: 0, bookmarks: 0, damage: 0 }

  constructor(to: Joined, indices: Map<string, number>, part: Part) {
    this.#to = to
    this.#indices = indices
    this.#part = part
    this.#isFirst = to.actors.length === 0
    this.#base = {
      actors: to.actors.length,
      stimuli: to.stimuli.length,
      steps: to.steps.length,
      tape: to.tape.length,
      damage: to.damage.length,
    }
  }

  update(): void {
    const { trace, until } = this.#part
    const read = this.#read
    const { actors, tape, keyframes, damage } = trace
    const end = until ?? extentOf(trace)
    for (; read.actors < end.actors; read.actors++) this.#actor(actors[read.actors] as ActorEntry)
    for (; read.keyframes < keyframes.length; read.keyframes++)
      this.#keyframe(keyframes[read.keyframes] as KeyframeRecord)
    for (; read.tape < end.tape; read.tape++) this.#reading(tape[read.tape] as TapeEntry)
    this.advance(Number.POSITIVE_INFINITY)
    for (; read.damage < end.damage; read.damage++) this.#mark(damage[read.damage] as Damage)
  }

  /** Appends actors, and at most this many stimuli and steps; returns whether it has reached the end. */
  advance(most: number): boolean {
    const { trace, until } = this.#part
    const read = this.#read
    const { actors, stimuli, steps, isWhole } = batchOf(trace, most)
    const upTo = (length: number, end: number | undefined, from: number) =>
      Math.min(length, end ?? length, from + most)
    const ends = {
      actors: Math.min(actors.length, until?.actors ?? actors.length),
      stimuli: upTo(stimuli.length, until?.stimuli, read.stimuli),
      steps: upTo(steps.length, until?.steps, read.steps),
    }
    for (; read.actors < ends.actors; read.actors++) this.#actor(actors[read.actors] as ActorEntry)
    for (; read.stimuli < ends.stimuli; read.stimuli++) this.#stimulus(stimuli[read.stimuli] as Stimulus)
    for (; read.steps < ends.steps; read.steps++) this.#step(steps[read.steps] as StepRecord)
    const isAt = (at: number, length: number, end: number | undefined) =>
      end === undefined ? isWhole && at === length : at >= end
    return isAt(read.stimuli, stimuli.length, until?.stimuli) && isAt(read.steps, steps.length, until?.steps)
  }

  #mark(damage: Damage): void {
    const { at } = damage
    this.#to.damage.push(at === undefined ? damage : { ...damage, at: at + this.#base.stimuli })
  }

  /** Bookmarks may also be added to parts that have ended. */
  updateNotes(): void {
    const { trace, until } = this.#part
    const { bookmarks } = trace
    const read = this.#read
    for (let next = bookmarks[read.bookmarks]; next; next = bookmarks[++read.bookmarks])
      if (next.step >= this.#repeated && next.step < (until?.steps ?? Number.POSITIVE_INFINITY))
        this.#to.bookmarks.push({ ...next, step: this.#stepAt(next.step) })
  }

  /** Number of the part's first step in the whole. */
  get begins(): number {
    return this.#base.steps
  }

  locate(step: number): { readonly part: Part; readonly step: number } {
    return { part: this.#part, step: step - this.#base.steps + this.#repeated }
  }

  #actor(entry: ActorEntry): void {
    const { actors } = this.#to
    const known = this.#indices.get(entry.path)
    const index = known ?? actors.length
    this.#actors.push(index)
    if (known === undefined) {
      this.#indices.set(entry.path, index)
      const { parent } = entry
      actors.push({ ...entry, index, ...(parent !== undefined && { parent: this.#indexOf(parent) }) })
    }
    this.#reach.push(actors.length)
  }

  #indexOf(actor: number): number {
    return this.#actors[actor] ?? actor
  }

  #stepAt(step: number): number {
    return step + this.#base.steps - this.#repeated
  }

  /** The initial keyframe of a later part falls between two steps of the whole. */
  #keyframe(record: KeyframeRecord): void {
    const { timers, leaves, tree } = record
    const there = tree ?? Array.from({ length: record.actors }, (_, at) => at)
    const isBegin = record.at === 0 && !this.#isFirst
    if (isBegin && record.unreachable.length > 0) return
    this.#to.keyframes.push({
      ...record,
      at: record.at + this.#base.stimuli,
      steps: isBegin ? this.#base.steps : this.#stepAt(record.steps),
      tape: record.tape + this.#base.tape,
      actors: this.#reach[record.actors - 1] ?? this.#base.actors,
      tree: there.map(actor => this.#indexOf(actor)),
      ...(record.same && { same: this.#same(record.same) }),
      timers: timers.map(timer => ({
        ...timer,
        source: this.#indexOf(timer.source),
        ...(timer.target !== undefined && { target: this.#indexOf(timer.target) }),
      })),
      leaves: leaves.map(leaf => ({ ...leaf, actor: this.#indexOf(leaf.actor) })),
    })
  }

  /** Readings before a part's first stimulus follow the last stimulus of the previous part. */
  #reading({ at = -1, ...rest }: TapeEntry): void {
    const after = at + this.#base.stimuli
    this.#to.tape.push(after < 0 ? rest : { ...rest, at: after })
  }

  #stimulus(record: Stimulus): void {
    const { from, anchor, same } = record
    this.#to.stimuli.push({
      ...record,
      seq: record.seq + this.#base.stimuli,
      t: record.t + this.#part.at,
      to: this.#indexOf(record.to),
      ...(from !== undefined && { from: this.#indexOf(from) }),
      ...(same && { same: this.#same(same) }),
      ...(anchor && {
        anchor: anchor.in === undefined ? anchor : { ...anchor, in: this.#indexOf(anchor.in) },
      }),
    })
  }

  /** Stimuli are counted from the record, so their numbers stay. */
  #same(same: readonly SameObject[]): SameObject[] {
    return same.map(one => (one.actor === undefined ? one : { ...one, actor: this.#indexOf(one.actor) }))
  }

  #step(record: StepRecord): void {
    if (!this.#isFirst && record.seq === this.#repeated && record.event.type === PRESENT) {
      this.#repeated += 1
      return
    }
    const { from, by, cause } = record
    // Keys keep their order, since steps are compared by it.
    const joined: Mutable<StepRecord> = {
      ...record,
      seq: this.#stepAt(record.seq),
      t: record.t + this.#part.at,
      actor: this.#indexOf(record.actor),
      cause: cause < 0 ? cause : cause + this.#base.stimuli,
    }
    if (from !== undefined) joined.from = this.#indexOf(from)
    if (by !== undefined && by >= this.#repeated) joined.by = this.#stepAt(by)
    else delete joined.by
    this.#to.steps.push(joined)
  }
}
