// Living children of each parent at a moment: computed incrementally from the last requested moment.
import { countUpToNumber } from './actor-tracks.ts'

interface Changes {
  /** Numbers of the steps with which a child started or ended, ascending. */
  readonly seqs: number[]
  /** The child; `~child` for an end. */
  readonly children: number[]
  /** Number of changes applied so far. */
  at: number
  readonly alive: Set<number>
  readonly stopped: Set<number>
}

/** Children of one parent at a moment; valid until the next query of that parent. */
export interface Living {
  readonly alive: ReadonlySet<number>
  /** Children that had ended. */
  readonly stopped: ReadonlySet<number>
}

const NOBODY: Living = { alive: new Set(), stopped: new Set() }

/** Tracks starts and ends. The parent of roots is -1. */
export class LivingChildren {
  readonly #changes = new Map<number, Changes>()

  /** Records that an actor started or ended with this step; call it in ascending order. */
  note(parent: number, actor: number, seq: number, isBirth: boolean): void {
    let changes = this.#changes.get(parent)
    if (!changes) {
      changes = { seqs: [], children: [], at: 0, alive: new Set(), stopped: new Set() }
      this.#changes.set(parent, changes)
    }
    changes.seqs.push(seq)
    changes.children.push(isBirth ? actor : ~actor)
  }

  /** Takes as many steps as there are changes between this moment and the last requested one. */
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
