// Holds records back until it is known whether they belong to the recording.
import type { TapeEntry } from '../../trace/index.ts'
import type { ActorRecord } from './actor-record.ts'
import type { LiveStep } from './step.ts'
import type { TakeKeyframe, TraceLog } from './trace-log.ts'

/** The part of a log that the taps write to. */
export type LogSink = Pick<
  TraceLog,
  'actor' | 'stimulus' | 'enter' | 'step' | 'tape' | 'damage' | 'settle' | 'indexOf'
>

/** Takes the place of a log. */
export class HeldRecords implements LogSink {
  readonly indexOf: TraceLog['indexOf']
  readonly #log: TraceLog
  #writes: (() => void)[] = []
  /** Number of the next stimulus. */
  #seq: number

  constructor(log: TraceLog) {
    this.#log = log
    this.#seq = log.length
    this.indexOf = log.indexOf
  }

  /** Number of held records. */
  get size(): number {
    return this.#writes.length
  }

  /** Writes the first records to the log; defaults to all. */
  write(count = this.size): void {
    for (const write of this.#writes.splice(0, count)) write()
  }

  actor(entry: ActorRecord): void {
    this.#writes.push(() => this.#log.actor(entry))
  }

  stimulus(...given: Parameters<TraceLog['stimulus']>): number {
    this.#writes.push(() => this.#log.stimulus(...given))
    return this.#seq++
  }

  enter(...given: Parameters<TraceLog['enter']>): number {
    this.#writes.push(() => this.#log.enter(...given))
    return this.#seq++
  }

  step(raw: LiveStep): void {
    this.#writes.push(() => this.#log.step(raw))
  }

  tape(entry: TapeEntry): void {
    this.#writes.push(() => this.#log.tape(entry))
  }

  damage(text: string): void {
    this.#writes.push(() => this.#log.damage(text))
  }

  /** Takes a keyframe now, to compare a replay with. */
  keyframe(take: TakeKeyframe): void {
    const { indexOf } = this
    const record = take({ at: 0, steps: 0, tape: 0, actors: 0 }, indexOf)
    this.#writes.push(() => void this.#log.keyframe(place => ({ ...record, ...place }), true))
  }

  /** Held records are not readable. */
  settle(): void {}
}
