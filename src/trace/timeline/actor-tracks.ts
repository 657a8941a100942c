// The track of each actor through a trace: its steps, its state changes, and when it started and ended.
import type { ActorEntry } from '../format/records.ts'
import { FAMILIES, ownFamily, type Family } from './family.ts'

interface Track {
  /** Numbers of its steps, ascending. */
  readonly steps: number[]
  /** The steps in which its state or status changed, including the first one. */
  readonly moves: number[]
  /** The step that ended it. */
  ended: number
  state: number
}

/** Later than any step. */
export const NEVER = Number.MAX_SAFE_INTEGER

const NONE: readonly number[] = []
const CLIENT = FAMILIES.indexOf('client')

/** Tracks by actor index. */
export class ActorTracks {
  readonly #actors: readonly ActorEntry[]
  readonly #tracks: (Track | undefined)[] = []
  readonly #families: number[] = []
  readonly #children: (number[] | undefined)[] = []

  constructor(actors: readonly ActorEntry[]) {
    this.#actors = actors
  }

  /** Adds new actors of the table. */
  know(): void {
    for (let at = this.#families.length; at < this.#actors.length; at++) {
      const { parent, src } = this.#actors[at] ?? { parent: undefined, src: '' }
      const own = ownFamily({ src })
      this.#families.push(own >= 0 ? own : parent === undefined ? CLIENT : (this.#families[parent] ?? CLIENT))
      if (parent === undefined) continue
      const siblings = this.#children[parent]
      if (siblings) siblings.push(at)
      else this.#children[parent] = [at]
    }
  }

  /** Adds the next step; returns whether its state or status changed. */
  take(seq: number, actor: number, state: number, isActive: boolean): boolean {
    const track = this.#tracks[actor]
    if (!track) {
      this.#tracks[actor] = { steps: [seq], moves: [seq], ended: isActive ? NEVER : seq, state }
      return true
    }
    track.steps.push(seq)
    const ends = !isActive && track.ended === NEVER
    if (ends) track.ended = seq
    else if (track.state === state) return false
    track.state = state
    track.moves.push(seq)
    return true
  }

  stepsOf(actor: number): readonly number[] {
    return this.#tracks[actor]?.steps ?? NONE
  }

  movesOf(actor: number): readonly number[] {
    return this.#tracks[actor]?.moves ?? NONE
  }

  /** Indices of its children, in table order. */
  childrenOf(actor: number): readonly number[] {
    return this.#children[actor] ?? NONE
  }

  /** Number of its first step; `NEVER` if it took no step. */
  born(actor: number): number {
    return this.#tracks[actor]?.steps[0] ?? NEVER
  }

  /** Number of the step that ended it; `NEVER` while it is running. */
  ended(actor: number): number {
    return this.#tracks[actor]?.ended ?? NEVER
  }

  /** Index of its family in `FAMILIES`: its own, or that of the nearest ancestor with one. */
  familyId(actor: number): number {
    return this.#families[actor] ?? CLIENT
  }

  family(actor: number): Family {
    return FAMILIES[this.familyId(actor)] ?? 'client'
  }
}

/** Counts how many of these ascending numbers are at most `limit`. */
export function countUpToNumber(numbers: readonly number[], limit: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? NEVER) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
