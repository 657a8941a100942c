// The trace records of other apps' systems: appended as they arrive, the oldest dropped beyond a limit.
import type { ActorEntry, BookmarkRecord, StepRecord, Stimulus } from '../format/records.ts'
import type { Redactor } from '../redact/redact.ts'
import type { ForeignLimits } from './message.ts'
import { ANNOUNCED, type ForeignStep, type Life } from './sequencer.ts'
import { isEqual } from '../equal.ts'

export interface ForeignLogOptions {
  readonly limits: ForeignLimits
  readonly redactor: Redactor
  /** Milliseconds since the trace started. */
  readonly since: (at: number) => number
  /** Enters an actor into the table; false if there is no room. */
  readonly enter: (life: Life) => boolean
}

/** Arrays that only grow, until the older half is dropped and new arrays replace them. */
export class ForeignLog {
  readonly actors: ActorEntry[] = []
  steps: StepRecord[] = []
  stimuli: Stimulus[] = []
  bookmarks: BookmarkRecord[] = []
  /** Steps dropped to stay within the limits. */
  dropped = 0
  readonly #options: ForeignLogOptions
  readonly #window = new KeptWindow()
  /** The number of each step, counted from the first one ever written. */
  readonly #causes = new WeakMap<ForeignStep, number>()
  /** Approximate size in bytes, by step. */
  #sizes: number[] = []
  #bytes = 0
  /** By actor. */
  #last: (StepRecord | undefined)[] = []

  constructor(options: ForeignLogOptions) {
    this.#options = options
  }

  /** Writes a step whose cause was written. */
  write(step: ForeignStep): void {
    const { life } = step
    if (life.index === undefined && !this.#options.enter(life)) return
    const t = this.#options.since(step.at)
    const cause = this.#causeOf(step, t)
    if (cause !== undefined) this.#causes.set(step, cause)
    const record = this.#stepOf(step, t, cause)
    step.written = this.#window.numberOf(record.seq)
    this.steps.push(record)
    this.#last[record.actor] = record
    this.#sizes.push(step.size)
    this.#bytes += step.size
    const { limits } = this.#options
    if (this.steps.length > limits.steps || this.#bytes > limits.bytes) this.#letGo()
  }

  /** Sets a note on a step; an empty one removes it. */
  bookmark(note: string, step: number): void {
    if (!this.steps[step]) return
    this.bookmarks.push({ line: 'bookmark', step, note: this.#options.redactor.text(note) })
  }

  #stepOf(step: ForeignStep, t: number, cause: number | undefined): StepRecord {
    const actor = step.life.index ?? 0
    const by = step.by?.written === undefined ? undefined : this.#window.seqOf(step.by.written)
    return {
      line: 'step',
      seq: this.steps.length,
      t,
      actor,
      event: this.#options.redactor.value(step.event),
      ...(step.from?.index !== undefined && { from: step.from.index }),
      cause: cause === undefined ? -1 : this.#window.stimulusOf(cause),
      ...(by !== undefined && { by }),
      ...this.#reached(step, this.#last[actor]),
    }
  }

  /** The state that the actor reached; unchanged parts are the same objects as before. */
  #reached({ life, snapshot }: ForeignStep, before: StepRecord | undefined) {
    const { value: redact } = this.#options.redactor
    if (snapshot) life.last = snapshot
    const { status, ...now } = life.last
    const kept = <T>(next: T, last: T): T => (isEqual(next, last, sameDate) ? last : next)
    const value = kept(now.value, before?.value)
    const context = kept(redact(now.context), before?.context)
    return {
      status,
      ...(value !== undefined && { value }),
      ...(context !== undefined && { context }),
      ...(now.output !== undefined && { output: redact(now.output) }),
      ...(now.error !== undefined && { error: redact(now.error) }),
      changed: !before || value !== before.value || context !== before.context || status !== before.status,
    }
  }

  /** The start of a system has no cause; everything sent during a step shares that step's cause. */
  #causeOf({ by, life, from, event }: ForeignStep, t: number): number | undefined {
    if (by) return this.#causes.get(by)
    if (event.type === 'xstate.init' || event.type === ANNOUNCED) return undefined
    const kind = !from ? 'external' : event.type.startsWith('xstate.after.') ? 'timer' : 'leaf'
    this.stimuli.push({
      line: 'stimulus',
      seq: this.stimuli.length,
      t,
      kind,
      to: life.index ?? 0,
      ...(from?.index !== undefined && { from: from.index }),
      event: kind === 'timer' ? { type: event.type } : this.#options.redactor.value(event),
    })
    return this.#window.stimulusNumber(this.stimuli.length - 1)
  }

  /** Drops the older half, except the latest step of each living actor. */
  #letGo(): void {
    const from = this.steps.length >>> 1
    const isLast = (step: StepRecord) => this.#last[step.actor] === step && step.status === 'active'
    const places = this.steps.flatMap((step, at) => (at >= from || isLast(step) ? [at] : []))
    const tail = this.steps.slice(from)
    const since = tail.reduce(
      (least, { cause }) => (cause < 0 ? least : Math.min(least, cause)),
      this.stimuli.length,
    )
    const extras = places.length - tail.length
    const seqs = new Map(places.map((was, seq) => [was, seq]))
    this.dropped += this.steps.length - places.length
    this.steps = places.map((was, seq) => renumbered(this.steps[was] as StepRecord, seq, seqs, since))
    this.bookmarks = this.bookmarks.flatMap(mark => {
      const step = seqs.get(mark.step)
      return step === undefined ? [] : [{ ...mark, step }]
    })
    this.stimuli = this.stimuli.slice(since).map((stimulus, seq) => ({ ...stimulus, seq }))
    this.#sizes = places.map(was => this.#sizes[was] ?? 0)
    this.#bytes = this.#sizes.reduce((sum, size) => sum + size, 0)
    this.#last = []
    for (const step of this.steps) this.#last[step.actor] = step
    this.#window.moveTo(from, extras, since)
  }
}

function renumbered(
  { by, cause, ...step }: StepRecord,
  seq: number,
  seqs: ReadonlyMap<number, number>,
  since: number,
): StepRecord {
  const place = by === undefined ? undefined : seqs.get(by)
  return { ...step, seq, cause: Math.max(-1, cause - since), ...(place !== undefined && { by: place }) }
}

/** Maps numbers counted from the first record ever written to current positions. */
class KeptWindow {
  /** Number of the first step of the completely kept part, and how many single steps precede it. */
  #from = 0
  #extras = 0
  #stimuliFrom = 0

  numberOf(seq: number): number {
    return seq - this.#extras + this.#from
  }

  /** `undefined` for a dropped step. */
  seqOf(number: number): number | undefined {
    return number < this.#from ? undefined : number - this.#from + this.#extras
  }

  stimulusNumber(seq: number): number {
    return seq + this.#stimuliFrom
  }

  /** -1 for a dropped stimulus. */
  stimulusOf(number: number): number {
    return Math.max(-1, number - this.#stimuliFrom)
  }

  /** The completely kept part starts at the step at `at`, after `extras` single steps. */
  moveTo(at: number, extras: number, stimulus: number): void {
    this.#from = this.numberOf(at)
    this.#extras = extras
    this.#stimuliFrom += stimulus
  }
}

const sameDate = (a: object, b: object): boolean =>
  a instanceof Date && b instanceof Date && Object.is(a.getTime(), b.getTime())
