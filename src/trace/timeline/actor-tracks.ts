// The track of each actor through a trace: its family, its steps, its state changes, when it started and
// ended, and which of its children were alive.
import type { ActorEntry } from '../format/records.ts'
import { countUpTo } from '../model/column.ts'
import { FLAG } from './block.ts'
import { StepTable } from './step-table.ts'

/** Families by index. */
export const FAMILIES = ['session', 'refresh', 'request', 'connection', 'channel', 'client'] as const

/** Groups of actors that share a hue. */
export type Family = (typeof FAMILIES)[number]

/** Managing machines have the hue of the actors they manage. */
const KIN: Readonly<Record<string, Family>> = { requests: 'request', realtime: 'connection', tab: 'refresh' }

/** Index of the family of an actor's own logic, or -1. */
function ownFamily({ src }: Pick<ActorEntry, 'src'>): number {
  const name = src.replace(/Machine$/, '')
  return FAMILIES.findIndex(family => family === (KIN[name] ?? name))
}

/** The path without the root's name, which all actors share. */
export function shortPath(entry: Pick<ActorEntry, 'path'>): string {
  const slash = entry.path.indexOf('/')
  return slash === -1 ? entry.path : entry.path.slice(slash + 1)
}

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

/** The columns, and the tracks by actor index. */
export class ActorTracks extends StepTable {
  readonly #tracks: (Track | undefined)[] = []
  readonly #families: number[] = []
  readonly #children: (number[] | undefined)[] = []
  readonly #living = new LivingChildren()

  /** Numbers of an actor's steps, ascending. */
  stepsOf(actor: number): readonly number[] {
    return this.#tracks[actor]?.steps ?? NONE
  }

  /** The steps in which its state or status changed. */
  movesOf(actor: number): readonly number[] {
    return this.#tracks[actor]?.moves ?? NONE
  }

  /** Indices of its children, in table order. */
  childrenOf(actor: number): readonly number[] {
    return this.#children[actor] ?? NONE
  }

  /** Its children at a moment; those of -1 are the roots. Valid until the next query of that parent. */
  childrenAt(actor: number, seq: number): Living {
    return this.#living.at(actor, seq)
  }

  /** The actor's latest step at or before `seq`, or -1. */
  lastOf(actor: number, seq: number): number {
    const steps = this.stepsOf(actor)
    return steps[countUpToNumber(steps, seq) - 1] ?? -1
  }

  /** The actor's first step after `seq`, or -1. */
  nextOf(actor: number, seq: number): number {
    const steps = this.stepsOf(actor)
    return steps[countUpToNumber(steps, seq)] ?? -1
  }

  /** The previous step of the same actor, or -1. */
  previous(seq: number): number {
    return seq >= 0 && seq < this.size ? this.lastOf(this.actor(seq), seq - 1) : -1
  }

  /** The step that started the actor's state at `seq`, or -1. */
  since(actor: number, seq: number): number {
    const moves = this.movesOf(actor)
    return moves[countUpToNumber(moves, seq) - 1] ?? -1
  }

  /** How long the actor stayed in the state that it reached with a step. */
  stayOf(seq: number): number {
    const actor = this.actor(seq)
    const moves = this.movesOf(actor)
    const next = moves[countUpToNumber(moves, seq)]
    if (next !== undefined) return this.t(next) - this.t(seq)
    return Math.max(0, this.lifeOf(actor).to - this.t(seq))
  }

  /** The actor's first step; `NEVER` if it has none. */
  born(actor: number): number {
    return this.#tracks[actor]?.steps[0] ?? NEVER
  }

  /** The step that ended the actor; `NEVER` while it is running. */
  ended(actor: number): number {
    return this.#tracks[actor]?.ended ?? NEVER
  }

  /** The actor's lifetime: to the end of the trace unless it or an ancestor ended before. */
  lifeOf(actor: number): { readonly from: number; readonly to: number; readonly ended: boolean } {
    let end = this.ended(actor)
    for (let up = this.actors[actor]?.parent; up !== undefined; up = this.actors[up]?.parent)
      end = Math.min(end, this.ended(up))
    const born = this.born(actor)
    const from = born === NEVER ? this.end : this.t(born)
    return { from, to: end === NEVER ? this.end : Math.max(from, this.t(end)), ended: end !== NEVER }
  }

  /** Index of its family in `FAMILIES`: its own, or that of the nearest ancestor with one. */
  familyId(actor: number): number {
    return this.#families[actor] ?? CLIENT
  }

  family(actor: number): Family {
    return FAMILIES[this.familyId(actor)] ?? 'client'
  }

  /** Adds new actors of the table. */
  protected know(): void {
    for (let at = this.#families.length; at < this.actors.length; at++) {
      const { parent, src } = this.actors[at] ?? { parent: undefined, src: '' }
      const own = ownFamily({ src })
      this.#families.push(own >= 0 ? own : parent === undefined ? CLIENT : (this.#families[parent] ?? CLIENT))
      if (parent === undefined) continue
      const siblings = this.#children[parent]
      if (siblings) siblings.push(at)
      else this.#children[parent] = [at]
    }
  }

  /** Follows the actor of the next step. */
  protected follow(seq: number): void {
    const flags = this.flags(seq)
    const actor = this.actor(seq)
    if (!this.#moves(seq, actor, this.stateId(seq), (flags & 3) === 0)) return
    this.columns.flags.set(seq, flags | FLAG.moved)
    const parent = this.actors[actor]?.parent ?? -1
    if (this.born(actor) === seq) this.#living.note(parent, actor, seq, true)
    if (this.ended(actor) === seq) this.#living.note(parent, actor, seq, false)
  }

  /** Adds the next step; returns whether its state or status changed. */
  #moves(seq: number, actor: number, state: number, isActive: boolean): boolean {
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
}

/** Counts how many of these ascending numbers are at most `limit`. */
export function countUpToNumber(numbers: readonly number[], limit: number): number {
  return countUpTo(numbers.length, at => (numbers[at] ?? NEVER) <= limit)
}

/** Starts and ends of the children of one parent. */
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

/**
 * Tracks starts and ends; what lives at a moment is computed incrementally from the last requested one. The
 * parent of roots is -1.
 */
class LivingChildren {
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
