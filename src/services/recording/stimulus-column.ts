// Column of stimuli: records what enters a running system with minimal work.
import type { AnyEventObject } from 'xstate'
import type { Stimulus } from '../../trace/index.ts'
import type { ActorRecord } from './actor-record.ts'
import type { Column } from './columns.ts'
import { isFlat, KeptEvents } from './kept-event.ts'
import type { More, RawStimulus } from './plain-records.ts'
import { Rows } from './rows.ts'

const KINDS = ['external', 'leaf', 'timer', 'stop'] as const
const NUMBERS: Record<Stimulus['kind'], number> = { external: 0, leaf: 1, timer: 2, stop: 3 }

/** Stimuli by row. Only timers have numbers other than time and kind. */
export class StimulusColumn implements Pick<Column<never, Stimulus>, 'settle' | 'read' | 'isRead'> {
  readonly #rows = new Rows(4, 2)
  readonly #timers = new Rows(0, 2)
  readonly #events = new KeptEvents()
  readonly #plain: Stimulus[] = []
  readonly #toPlain: (raw: RawStimulus) => Stimulus
  /** Number of the first stimulus. */
  #first = 0
  #length = 0
  #settled = 0

  constructor(toPlain: (raw: RawStimulus) => Stimulus) {
    this.#toPlain = toPlain
  }

  /** Appends a stimulus, in `seq` order. Returns whether its event is kept as an object, since it contains some. */
  append(
    seq: number,
    t: number,
    kind: Stimulus['kind'],
    to: ActorRecord,
    from: ActorRecord | undefined,
    event: AnyEventObject | undefined,
    more: More | undefined,
  ): boolean {
    if (this.#length === 0) this.#first = seq
    const { refs, numbers } = this.#rows.begin()
    const { at } = this.#rows
    refs[at * 4] = to
    refs[at * 4 + 1] = from
    // A timer's event is recorded when it is sent.
    const kept = kind === 'timer' ? event : this.#events.put(event)
    refs[at * 4 + 2] = kept
    refs[at * 4 + 3] = more
    numbers[at * 2] = t
    numbers[at * 2 + 1] = NUMBERS[kind]
    this.#length += 1
    return kind !== 'timer' && kept !== undefined && !isFlat(kept)
  }

  /** Replaces the additional fields of the last appended stimulus. */
  extend(more: More): void {
    const { refs } = this.#rows.last()
    refs[this.#rows.at * 4 + 3] = more
  }

  /** Adds the ordinal and delay to the last appended timer. */
  timer(ordinal: number, delay: number): void {
    const { numbers } = this.#timers.begin()
    numbers[this.#timers.at * 2] = ordinal
    numbers[this.#timers.at * 2 + 1] = delay
  }

  readonly settle = (): void => {
    this.#settled = this.#length
  }

  readonly read = (most = Number.POSITIVE_INFINITY): readonly Stimulus[] => {
    const end = Math.min(this.#settled, this.#plain.length + most)
    while (this.#plain.length < end) this.#plain.push(this.#take(this.#plain.length))
    return this.#plain
  }

  readonly isRead = (): boolean => this.#plain.length === this.#settled

  #take(index: number): Stimulus {
    const { refs = [], numbers = [] } = this.#rows.take() ?? {}
    const { at } = this.#rows
    const [to, from, event, more] = refs.slice(at * 4, at * 4 + 4)
    const kind = numbers[at * 2 + 1] ?? 0
    return this.#toPlain({
      seq: this.#first + index,
      t: numbers[at * 2] ?? 0,
      kind: KINDS[kind] ?? 'external',
      to: to as ActorRecord,
      from: from as ActorRecord | undefined,
      event: kind === NUMBERS.timer ? (event as AnyEventObject) : this.#events.take(event),
      more: more as More | undefined,
      ...(kind === NUMBERS.timer && this.#takeTimer()),
    })
  }

  #takeTimer(): Pick<RawStimulus, 'ordinal' | 'delay'> {
    const { numbers = [] } = this.#timers.take() ?? {}
    const { at } = this.#timers
    return { ordinal: numbers[at * 2], delay: numbers[at * 2 + 1] }
  }
}
