// Counts how often states were entered and transitions taken up to a moment; visits each step once and
// caches.
import { countUpToNumber } from '../../../trace/index.ts'

/** Counts up to a moment. */
export interface Counts {
  /** Entries by path of the state. */
  readonly states: ReadonlyMap<string, number>
  /** Keyed by transition name, `path#n`. */
  readonly transitions: ReadonlyMap<string, number>
}

/** The steps to count, from a timeline or an index. */
export interface CountedSteps {
  /** Sequence numbers in order; append-only. */
  readonly numbers: readonly number[]
  actor(seq: number): number
  /** Active states, parents before children; the same object for the same state. */
  paths(seq: number): readonly string[]
  via(seq: number): readonly string[]
}

interface Kept {
  /** How many of the numbers have been counted. */
  readonly upTo: number
  readonly states: Map<string, number>
  readonly transitions: Map<string, number>
  /** Last active states of each actor. */
  readonly last: Map<number, readonly string[]>
}

/** Interval at which counts are cached, so that going back does not start over. */
const KEEP_EVERY = 2048

/** Counts the views of one actor, or of all actors of a machine. */
export class ChartCounter {
  readonly #steps: CountedSteps
  readonly #kept: Kept[] = [start()]
  #now: Kept = start()

  constructor(steps: CountedSteps) {
    this.#steps = steps
  }

  /** Returns the counts of all steps up to `seq`; the same object until they change. */
  at(seq: number): Counts {
    const wanted = countUpToNumber(this.#steps.numbers, seq)
    if (wanted < this.#now.upTo) this.#now = copyOf(this.#kept[Math.floor(wanted / KEEP_EVERY)] ?? start())
    if (wanted > this.#now.upTo) this.#now = this.#upTo(wanted)
    return this.#now
  }

  /** Continues counting; a new object signals a change, its tables are reused. */
  #upTo(wanted: number): Kept {
    const { states, transitions, last } = this.#now
    for (let upTo = this.#now.upTo; upTo < wanted; upTo++) {
      this.#count(this.#steps.numbers[upTo] ?? -1)
      if ((upTo + 1) % KEEP_EVERY === 0)
        this.#kept[(upTo + 1) / KEEP_EVERY] ??= copyOf({ upTo: upTo + 1, states, transitions, last })
    }
    return { upTo: wanted, states, transitions, last }
  }

  #count(seq: number): void {
    const { states, transitions, last } = this.#now
    const actor = this.#steps.actor(seq)
    const [before, paths] = [last.get(actor) ?? NO_PATHS, this.#steps.paths(seq)]
    if (paths !== before) {
      for (const path of paths) if (!before.includes(path)) add(states, path)
      last.set(actor, paths)
    }
    for (const name of this.#steps.via(seq)) add(transitions, name)
  }
}

const NO_PATHS: readonly string[] = []

const start = (): Kept => ({ upTo: 0, states: new Map(), transitions: new Map(), last: new Map() })

const copyOf = ({ upTo, states, transitions, last }: Kept): Kept => ({
  upTo,
  states: new Map(states),
  transitions: new Map(transitions),
  last: new Map(last),
})

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
