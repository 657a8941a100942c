// Who lived at a moment, by parent: stepped on from the moment that was last asked about.
import { countUpToNumber } from './actor-tracks.ts'

interface Changes {
  /** Numbers of the views with which a child began or ended, ascending. */
  readonly seqs: number[]
  /** The child; `~child` where it ended. */
  readonly children: number[]
  /** How many of them are taken into account. */
  at: number
  readonly alive: Set<number>
  readonly stopped: Set<number>
}

/** Children of one parent at a moment; good until the next question about that parent. */
export interface Living {
  readonly alive: ReadonlySet<number>
  /** Those that had ended. */
  readonly stopped: ReadonlySet<number>
}

const NOBODY: Living = { alive: new Set(), stopped: new Set() }

/** Follows births and ends. The parent of roots is -1. */
export class LivingChildren {
  readonly #changes = new Map<number, Changes>()

  /** An actor began, or ended, with this view; in ascending order. */
  note(parent: number, actor: number, seq: number, isBirth: boolean): void {
    let changes = this.#changes.get(parent)
    if (!changes) {
      changes = { seqs: [], children: [], at: 0, alive: new Set(), stopped: new Set() }
      this.#changes.set(parent, changes)
    }
    changes.seqs.push(seq)
    changes.children.push(isBirth ? actor : ~actor)
  }

  /** Takes as many steps as there were changes between this moment and the one asked about before. */
  at(parent: number, seq: number): Living {
    const changes = this.#changes.get(parent)
    if (!changes) return NOBODY
    const wanted = countUpToNumber(changes.seqs, seq)
    for (; changes.at < wanted; changes.at++) step(changes, changes.children[changes.at] ?? 0, false)
    for (; changes.at > wanted; changes.at--) step(changes, changes.children[changes.at - 1] ?? 0, true)
    return changes
  }
}

function step({ alive, stopped }: Changes, change: number, isBack: boolean): void {
  const ends = change < 0
  const actor = ends ? ~change : change
  if (ends) {
    ;(isBack ? stopped : alive).delete(actor)
    ;(isBack ? alive : stopped).add(actor)
  } else if (isBack) alive.delete(actor)
  else alive.add(actor)
}
