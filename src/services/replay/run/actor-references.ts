// Finds the last mention of each actor in a trace; after it, an ended actor can be released.
import { ActorReference, type ReplayableTrace, type Stimulus } from '../../../trace/index.ts'

/** The last stimulus that mentions each actor. */
export class ActorReferences {
  readonly #trace: ReplayableTrace
  /** Number of the last stimulus that mentions an actor, by actor index. */
  readonly #last: Float64Array
  #places: Map<string, number> | undefined

  constructor(trace: ReplayableTrace) {
    this.#trace = trace
    this.#last = new Float64Array(trace.actors.length).fill(-1)
    for (const stimulus of trace.stimuli) this.#read(stimulus)
  }

  /** Whether a later stimulus is from or for the actor with this index, or contains a reference to it. */
  isSpokenOf(actor: number, after: number): boolean {
    const last = this.#last[actor]
    return last === undefined || last > after
  }

  #read({ seq, to, from, anchor, event, threw }: Stimulus): void {
    this.#last[to] = seq
    if (from !== undefined) this.#last[from] = seq
    if (anchor?.in !== undefined) this.#last[anchor.in] = seq
    if (event !== undefined) this.#look(event, seq)
    if (threw) this.#look(threw.error, seq)
  }

  #look(value: unknown, seq: number): void {
    if (typeof value !== 'object' || value === null) return
    if (value instanceof ActorReference) this.#last[this.#placeOf(value.path)] = seq
    else if (Array.isArray(value)) for (const item of value) this.#look(item, seq)
    else if (value instanceof Map || value instanceof Set) this.#look([...value], seq)
    else if (!ArrayBuffer.isView(value)) {
      for (const key in value) this.#look(Reflect.get(value, key), seq)
      if (value instanceof Error) this.#look(value.cause, seq)
    }
  }

  #placeOf(path: string): number {
    this.#places ??= new Map(this.#trace.actors.map((actor, index) => [actor.path, index]))
    return this.#places.get(path) ?? -1
  }
}
