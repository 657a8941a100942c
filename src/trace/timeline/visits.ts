// Counts how often an actor entered each state up to a moment, incrementally from the last requested moment.
import { countUpToNumber } from './actor-tracks.ts'
import type { StepTable } from './step-table.ts'

interface Moves extends StepTable {
  movesOf(actor: number): readonly number[]
}

interface Counted {
  /** Number of counted moves. */
  moves: number
  readonly counts: Map<string, number>
}

/** Number of actors whose counts are cached. */
const KEPT = 64

export class Visits {
  readonly #timeline: Moves
  readonly #counted = new Map<number, Counted>()

  constructor(timeline: Moves) {
    this.#timeline = timeline
  }

  /** Takes as many steps as there are moves between this moment and the last requested one. */
  upTo(actor: number, seq: number): ReadonlyMap<string, number> {
    const moves = this.#timeline.movesOf(actor)
    const wanted = countUpToNumber(moves, seq)
    const counted = this.#of(actor)
    for (; counted.moves < wanted; counted.moves++) this.#count(counted, moves, counted.moves, 1)
    for (; counted.moves > wanted; counted.moves--) this.#count(counted, moves, counted.moves - 1, -1)
    return counted.counts
  }

  #of(actor: number): Counted {
    const known = this.#counted.get(actor) ?? { moves: 0, counts: new Map<string, number>() }
    // The most recent come last.
    this.#counted.delete(actor)
    this.#counted.set(actor, known)
    if (this.#counted.size > KEPT) for (const oldest of this.#counted.keys()) return this.#drop(oldest, known)
    return known
  }

  #drop(actor: number, known: Counted): Counted {
    this.#counted.delete(actor)
    return known
  }

  #count({ counts }: Counted, moves: readonly number[], at: number, by: 1 | -1): void {
    const before = at > 0 ? this.#timeline.state(moves[at - 1] ?? -1).paths : []
    for (const path of this.#timeline.state(moves[at] ?? -1).paths) {
      if (before.includes(path)) continue
      const count = (counts.get(path) ?? 0) + by
      if (count > 0) counts.set(path, count)
      else counts.delete(path)
    }
  }
}
