// What an explanation reads of a recording: steps by number, and the numbers of each actor's steps.
import type { ActorEntry, StepRecord, Stimulus, TraceHeader } from '../format/records.ts'
import type { TraceSource } from '../format/trace-source.ts'

/** A recording, live, in a file, or in a worker of which only some steps are at hand. */
export interface StepSource {
  readonly header: Pick<TraceHeader, 'system' | 'machines'>
  readonly actors: readonly ActorEntry[]
  /** Number of steps. */
  readonly size: number
  readonly step: (seq: number) => StepRecord | undefined
  /** Numbers of the actor's steps, ascending. */
  readonly stepsOf: (actor: number) => readonly number[]
  readonly stimulus: (seq: number) => Pick<Stimulus, 'kind' | 'delay'> | undefined
}

/** A trace that can be explained. */
export type ExplainedTrace = Pick<TraceSource, 'header' | 'actors' | 'steps' | 'stimuli'>

/** The numbers of each actor's steps. */
class ActorIndex {
  readonly #numbers: (number[] | undefined)[] = []
  #size = 0

  /** Adds the steps that were appended since. */
  extend(steps: readonly StepRecord[]): this {
    for (; this.#size < steps.length; this.#size++) {
      const actor = steps[this.#size]?.actor ?? 0
      const numbers = this.#numbers[actor]
      if (numbers) numbers.push(this.#size)
      else this.#numbers[actor] = [this.#size]
    }
    return this
  }

  of(actor: number): readonly number[] {
    return this.#numbers[actor] ?? []
  }
}

/** By list of steps: a live recording appends to the same list. */
const indices = new WeakMap<readonly StepRecord[], ActorIndex>()

function indexOf(steps: readonly StepRecord[]): ActorIndex {
  const index = indices.get(steps) ?? new ActorIndex()
  indices.set(steps, index)
  return index.extend(steps)
}

/** Reads a trace. */
export function stepsOfTrace({ header, actors, steps, stimuli }: ExplainedTrace): StepSource {
  const index = indexOf(steps)
  return {
    header,
    actors,
    size: steps.length,
    step: seq => steps[seq],
    stepsOf: actor => index.of(actor),
    stimulus: seq => stimuli[seq],
  }
}
