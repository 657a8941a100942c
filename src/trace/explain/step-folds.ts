// Folds a recording for reading: steps that only carry out an event belong to that event, and timers without effect
// belong to each other.
import type { StepRecord } from '../format/records.ts'
import { Column } from '../model/column.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { clientVocabulary, isOwnSystem } from './client-vocabulary.ts'
import { History } from './history.ts'
import { isCarriedOut } from './plumbing.ts'
import type { StepSource } from './step-source.ts'
import { strangerVocabulary } from './stranger-vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The steps of a timeline, without what its columns do not have: contexts and payloads. */
class TimelineSteps implements StepSource {
  readonly #timeline: Timeline

  constructor(timeline: Timeline) {
    this.#timeline = timeline
  }

  get header(): StepSource['header'] {
    return this.#timeline.header ?? { system: '', machines: {} }
  }

  get actors(): StepSource['actors'] {
    return this.#timeline.actors
  }

  get size(): number {
    return this.#timeline.size
  }

  readonly step = (seq: number): StepRecord | undefined => {
    const timeline = this.#timeline
    if (!(seq >= 0 && seq < timeline.size)) return undefined
    const [from, by, { value }] = [timeline.from(seq), timeline.by(seq), timeline.state(seq)]
    return {
      line: 'step',
      seq,
      t: timeline.t(seq),
      actor: timeline.actor(seq),
      event: { type: timeline.type(seq) },
      cause: timeline.cause(seq),
      status: timeline.status(seq),
      changed: timeline.changed(seq),
      ...(from >= 0 && { from }),
      ...(by >= 0 && { by }),
      ...(value !== undefined && { value }),
      // A recording that names transitions names all of them.
      ...(timeline.vias.length > 1 && { via: timeline.via(seq) }),
    }
  }

  readonly stepsOf = (actor: number): readonly number[] => this.#timeline.stepsOf(actor)

  readonly stimulus = (seq: number): ReturnType<StepSource['stimulus']> => this.#timeline.stimulus(seq)
}

/**
 * Assigns each step of a timeline to the step that it is folded into; grows with the timeline. A step that changed a
 * state or failed, and one that carries a fault, is never folded.
 */
export class StepFolds {
  readonly #timeline: Timeline
  readonly #steps: TimelineSteps
  readonly #history: History
  /** The step that each one is folded into; its own number if it is not folded. */
  readonly #heads = new Column(length => new Uint32Array(length))
  /** How many steps are folded into each. */
  readonly #sizes = new Column(length => new Uint32Array(length))
  readonly #shown: number[] = []
  /** The latest step that begins a series; -1 for none. */
  #series = -1

  constructor(timeline: Timeline) {
    this.#timeline = timeline
    this.#steps = new TimelineSteps(timeline)
    this.#history = new History(this.#steps)
  }

  /** Number of assigned steps. */
  get size(): number {
    return this.#heads.length
  }

  /** Numbers of the steps that are not folded, ascending. */
  get shown(): readonly number[] {
    return this.#shown
  }

  /** Assigns steps up to `size`, at most `limit` new ones; returns whether more can be assigned now. */
  advance(size: number, limit: number): boolean {
    const end = Math.min(size, this.size + limit)
    for (let seq = this.size; seq < end; seq++) this.#assign(seq)
    return end < size
  }

  /** The step that this one is folded into; itself if it is not folded. */
  headOf(seq: number): number {
    return this.#heads.get(seq)
  }

  /** How many steps are folded into this one. */
  sizeOf(head: number): number {
    return this.#sizes.get(head) || 0
  }

  /** Whether the steps folded into this one are not its effects, but happened again without a cause. */
  isSeries(head: number): boolean {
    return this.#carriedOut(head) !== undefined
  }

  /** The steps folded into this one, ascending. */
  stepsIn(head: number): readonly number[] {
    const steps: number[] = []
    const size = this.sizeOf(head)
    for (let seq = head + 1; steps.length < size && seq < this.size; seq++)
      if (this.headOf(seq) === head) steps.push(seq)
    return steps
  }

  #assign(seq: number): void {
    const step = this.#carriedOut(seq)
    const head = step ? this.#headFor(step) : seq
    this.#heads.push(head)
    this.#sizes.push(0)
    if (head === seq) this.#shown.push(seq)
    else this.#sizes.set(head, this.sizeOf(head) + 1)
  }

  /** The step, if it adds nothing to another one. */
  #carriedOut(seq: number): StepRecord | undefined {
    const timeline = this.#timeline
    const isMoved = timeline.moved(seq)
    // Most steps need no closer look.
    if (timeline.failed(seq) || timeline.injected(seq)) return undefined
    if (isMoved && !timeline.type(seq).startsWith('xstate.')) return undefined
    const step = this.#history.step(seq)
    return step && isCarriedOut(this.#history, isMoved, step, this.#vocabulary) ? step : undefined
  }

  get #vocabulary(): Vocabulary {
    return isOwnSystem(this.#steps.header.system) ? clientVocabulary : strangerVocabulary
  }

  /** Its sender's head, or that of the series to which it belongs; itself if it begins one. */
  #headFor(step: StepRecord): number {
    const { seq } = step
    const sender = this.#history.earlierSender(step)
    if (sender) return this.headOf(sender.seq)
    const last = this.#series
    if (this.#shown.at(-1) === last && this.#timeline.typeId(last) === this.#timeline.typeId(seq)) return last
    this.#series = seq
    return seq
  }
}
