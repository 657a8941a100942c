// The in-memory log of one recording: stores references, and converts and redacts records when they are read.
import type { AnyEventObject } from 'xstate'
import {
  type ActorEntry,
  type BookmarkRecord,
  type Damage,
  inBatches,
  type KeyframeRecord,
  type NotedTrace,
  isEqual,
  type Redactor,
  type StepRecord,
  type Stimulus,
  type TapeEntry,
  type TraceBatch,
  type TraceHeader,
} from '../../trace/index.ts'
import type { Feed } from '../runtime/index.ts'
import type { ActorRecord } from './actor-record.ts'
import { type Column, createColumn, createStepColumn } from './columns.ts'
import type { KeyframePlace } from './keyframe.ts'
import {
  type Happening,
  type IndexOf,
  type More,
  plainActor,
  plainHeader,
  plainKeyframe,
  type PlainPart,
  plainStep,
  plainStimulus,
} from './plain-records.ts'
import type { ObjectIndex } from './known-objects.ts'
import { StimulusColumn } from './stimulus-column.ts'
import type { LiveStep } from './step.ts'

export interface TraceLogOptions {
  readonly header: TraceHeader
  readonly redactor: Redactor
  readonly feed: Feed
  /** Converts parts of steps. Defaults to the redactor. */
  readonly plainPart?: PlainPart
  /** Recognizes objects of events that were in the system before. */
  readonly objects?: ObjectIndex | undefined
  /** Actors with which the recording begins. */
  readonly actors?: readonly ActorRecord[]
}

/** Takes a keyframe at this position. */
export type TakeKeyframe = (place: KeyframePlace, indexOf: IndexOf) => KeyframeRecord

/** One damage entry makes a trace as unusable as many. */
const MOST_DAMAGE = 100

/** The records of one recording. */
export class TraceLog {
  /** The records as readers see them. */
  readonly trace: NotedTrace
  /** Numbers of the few actors that are also numbered in another log. */
  readonly #numbers = new Map<ActorRecord, number>()
  /** Identifies this log in actors, which outlive it. */
  readonly #key = {}
  #size = 0
  readonly #feed: Feed
  readonly #redactor: Redactor
  readonly #objects: ObjectIndex | undefined
  readonly #actors: Column<ActorRecord, ActorEntry>
  readonly #stimuli: StimulusColumn
  readonly #steps: Column<LiveStep, StepRecord>
  readonly #tape: Column<TapeEntry, TapeEntry>
  readonly #keyframes: Column<KeyframeRecord, KeyframeRecord>
  readonly #damage: Damage[] = []
  readonly #bookmarks: BookmarkRecord[] = []
  /** Returns the number of an actor, or -1 if it is not in this log. */
  readonly indexOf: IndexOf = known =>
    known.log === this.#key ? known.index : (this.#numbers.get(known) ?? -1)
  /** Whether anything but stimuli was appended since records were made readable. */
  #isMixed = true
  #lastKeyframe = 0
  #seq = 0
  #stepCount = 0
  #tapeCount = 0

  constructor({ header, redactor, feed, plainPart, objects, actors = [] }: TraceLogOptions) {
    const indexOf = this.indexOf
    this.#objects = objects
    const plain = plainPart ?? (live => redactor.value(live))
    this.#feed = feed
    this.#redactor = redactor
    this.#actors = createColumn(entry => plainActor(entry, indexOf, redactor))
    this.#stimuli = new StimulusColumn(raw => plainStimulus(raw, indexOf, redactor))
    this.#steps = createStepColumn(raw => plainStep(raw, indexOf, plain))
    this.#tape = createColumn(redactor.value<TapeEntry>)
    this.#keyframes = createColumn(record => plainKeyframe(record, redactor))
    for (const known of actors) this.actor(known)
    const note = (text: string, step: number) => this.#note(redactor.text(text), step)
    this.trace = this.#readable(headerOf(header, redactor), note)
  }

  /** Number of stimuli. */
  get length(): number {
    return this.#seq
  }

  /** Number of stimuli at the last keyframe. */
  get lastKeyframe(): number {
    return this.#lastKeyframe
  }

  /** Continues with the numbers of a keyframe inside the recording; earlier records are left out. */
  continue({ at, steps, tape }: KeyframePlace): void {
    this.#seq = at
    this.#stepCount = steps
    this.#tapeCount = tape
  }

  /** Numbers the actor. Every actor is added here before it occurs in another record. */
  actor(entry: ActorRecord): void {
    this.#isMixed = true
    const index = this.#size++
    if (entry.log) this.#numbers.set(entry, index)
    else {
      entry.log = this.#key
      entry.index = index
    }
    this.#actors.append(entry)
  }

  /** Appends the stimulus and returns its number. */
  stimulus({ kind, to, from, event, ordinal = -1, delay = 0, more }: Happening, t: number): number {
    const seq = this.enter(kind, to, from, event, t, more)
    if (kind === 'timer') this.#stimuli.timer(ordinal, delay)
    return seq
  }

  /** Like `stimulus`, but with separate arguments and not for timers. */
  enter(
    kind: Stimulus['kind'],
    to: ActorRecord,
    from: ActorRecord | undefined,
    event: AnyEventObject | undefined,
    t: number,
    more?: More,
  ): number {
    // An actor that ended before the recording began may still send events.
    if (from && this.indexOf(from) < 0) this.actor(from)
    const seq = this.#seq++
    const mayHoldObjects = this.#stimuli.append(seq, t, kind, to, from, event, more)
    if (mayHoldObjects && typeof event === 'object' && event !== null) {
      const known = this.#objects?.inEvent(event, seq)
      if (known) this.#stimuli.extend({ ...more, known })
    }
    return seq
  }

  step(raw: LiveStep): void {
    this.#isMixed = true
    this.#stepCount += 1
    this.#steps.append(raw)
  }

  tape(entry: TapeEntry): void {
    this.#isMixed = true
    this.#tapeCount += 1
    this.#tape.append(this.#seq > 0 ? { ...entry, at: this.#seq - 1 } : entry)
  }

  /**
   * Call this only between two steps. Returns false if the system could not be restored from its current
   * state. With `toCompare`, takes the keyframe anyway, since a replay can be compared with it.
   */
  keyframe(take: TakeKeyframe, toCompare = false): boolean {
    const [at, steps, tape, actors] = [this.#seq, this.#stepCount, this.#tapeCount, this.#size]
    let record: KeyframeRecord
    try {
      record = take({ at, steps, tape, actors }, this.indexOf)
    } catch (error) {
      // An app's own logic may be unable to persist itself.
      if (at === 0) throw error
      return false
    }
    if (at > 0 && record.unreachable.length > 0 && !toCompare) return false
    this.#lastKeyframe = at
    const known = toCompare ? undefined : this.#objects?.inKeyframe(record.snapshot, at)
    this.#keyframes.append(
      known ? { ...record, ...known.plain(at, this.indexOf, this.#redactor.text) } : record,
    )
    this.#keyframes.settle()
    return true
  }

  /** Records that a replay cannot reproduce what follows. Each message is added only once. */
  damage(text: string): void {
    const message = this.#redactor.text(text)
    if (this.#damage.length >= MOST_DAMAGE || this.#damage.some(one => one.message === message)) return
    this.#damage.push({ at: this.#seq, message })
  }

  /** Makes appended records readable. Called only between steps, so that no reader sees a partial step. */
  settle(): void {
    this.#stimuli.settle()
    if (this.#isMixed) {
      this.#actors.settle()
      this.#steps.settle()
      this.#tape.settle()
      this.#isMixed = false
    }
    this.#feed.notify()
  }

  #note(note: string, step: number): void {
    if (!Number.isInteger(step) || step < 0 || step >= this.#steps.read().length) return
    this.#bookmarks.push({ line: 'bookmark', step, note })
    this.#feed.notify()
  }

  #batch(columns: readonly Pick<Column<never, unknown>, 'read' | 'isRead'>[], most: number): TraceBatch {
    for (const column of columns) column.read(most)
    const actors = this.#actors
    return {
      // Whoever only counts steps does not convert the actors.
      get actors() {
        return actors.read()
      },
      stimuli: this.#stimuli.read(0),
      steps: this.#steps.read(0),
      bookmarks: this.#bookmarks,
      isWhole: columns.every(column => column.isRead()),
      size: this.#steps.size(),
    }
  }

  #readable(header: () => TraceHeader, bookmark: NotedTrace['bookmark']): NotedTrace {
    const { version, subscribe } = this.#feed
    const base = {
      live: true,
      damage: this.#damage,
      hashes: [],
      bookmarks: this.#bookmarks,
      bookmark,
      version,
      subscribe,
    }
    const columns = {
      actors: this.#actors,
      stimuli: this.#stimuli,
      steps: this.#steps,
      tape: this.#tape,
      keyframes: this.#keyframes,
    }
    Object.defineProperty(base, 'header', { get: header, enumerable: true })
    for (const [name, column] of Object.entries(columns)) {
      Object.defineProperty(base, name, { get: () => column.read(), enumerable: true })
    }
    return inBatches(base as unknown as NotedTrace, most => this.#batch(Object.values(columns), most))
  }
}

/** Readers compare headers by identity: the same one is returned until a machine is added or a secret becomes known. */
function headerOf(header: TraceHeader, redactor: Redactor): () => TraceHeader {
  let plain: TraceHeader | undefined
  let input: unknown
  let count = 0
  return () => {
    const next = [redactor.value(header.input), Object.keys(header.machines).length] as const
    if (plain === undefined || !isEqual(next[0], input) || next[1] !== count)
      plain = plainHeader(header, redactor)
    ;[input, count] = next
    return plain
  }
}
