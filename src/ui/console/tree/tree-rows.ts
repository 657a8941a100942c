// The actor tree at a moment as rows, of which only expanded branches are created, and its keys.
import type { Timeline } from '../../../trace/index.ts'

/** One line of the tree. */
export interface TreeRow {
  readonly key: string
  readonly kind: 'actor' | 'group' | 'stopped'
  /** Starts at 1. */
  readonly level: number
  /** Index of the actor; for a group, of its first one. */
  readonly actor: number
  readonly stopped: boolean
  /** Number of actors in a group; 1 for an actor. */
  readonly size: number
  /** Number of the group's actors that are not listed. */
  readonly hidden: number
  /** Undefined if there is nothing below. */
  readonly isOpen?: boolean
  /** Position among the lines of its level, starting at 1, and their number. */
  readonly place: number
  readonly of: number
}

/** Maximum listed actors of a group, the youngest ones; the rest is counted. */
const LISTED = 2000
export const STOPPED_LISTED = 100
/** A larger group is collapsed by default. */
const FEW = 24

export interface TreeRequest {
  readonly timeline: Timeline
  /** The moment. */
  readonly seq: number
  /** The selected actor, which is always among the rows. */
  readonly selected: number
  /** What the user expanded and collapsed, by line key. */
  readonly chosen: ReadonlyMap<string, boolean>
}

interface Moment extends TreeRequest {
  /** The selected actor and its ancestors. */
  readonly path: ReadonlySet<number>
  readonly rows: TreeRow[]
}

type Branch = Pick<TreeRow, 'key' | 'kind' | 'actor' | 'stopped'> & {
  /** Actors of a group. */
  readonly all: ReadonlySet<number>
}

/**
 * Returns the rows from top to bottom. The cost depends on the number of rows and of changes since the last
 * moment.
 */
export function treeRows(request: TreeRequest): readonly TreeRow[] {
  const path = new Set([request.selected])
  const { actors } = request.timeline
  for (let up = actors[request.selected]?.parent; up !== undefined; up = actors[up]?.parent) path.add(up)
  const moment: Moment = { ...request, path, rows: [] }
  addBranches(moment, branchesOf(moment, -1), 1)
  return moment.rows
}

function branchesOf(moment: Moment, parent: number): readonly Branch[] {
  const { alive, stopped } = moment.timeline.childrenAt(parent, moment.seq)
  const living = ascending(alive)
  if (parent === -1)
    return [...living, ...ascending(stopped)].map(actor => actorBranch(actor, stopped.has(actor)))
  const groups = Map.groupBy(living, actor => moment.timeline.actors[actor]?.src ?? '')
  const branches = [...groups].flatMap(([src, members]) => {
    const [first = 0] = members
    if (members.length === 1 && src !== 'request') return [actorBranch(first, false)]
    const all = new Set(members)
    return [{ key: `group:${parent}:${src}`, kind: 'group', actor: first, stopped: false, all } as const]
  })
  const [first] = stopped
  if (first === undefined) return branches
  const gone = {
    key: `stopped:${parent}`,
    kind: 'stopped',
    actor: first,
    stopped: true,
    all: stopped,
  } as const
  return [...branches, gone]
}

const NOBODY: ReadonlySet<number> = new Set()

const actorBranch = (actor: number, stopped: boolean): Branch => ({
  key: `actor:${actor}`,
  kind: 'actor',
  actor,
  stopped,
  all: NOBODY,
})

const ascending = (actors: ReadonlySet<number>): readonly number[] => [...actors].sort((a, b) => a - b)

function addBranches(moment: Moment, branches: readonly Branch[], level: number): void {
  branches.forEach((branch, at) => addBranch(moment, branch, { level, place: at + 1, of: branches.length }))
}

type Standing = Pick<TreeRow, 'level' | 'place' | 'of'>

function addBranch(moment: Moment, branch: Branch, standing: Standing): void {
  const { key, kind, actor, stopped, all } = branch
  const { timeline, seq, rows } = moment
  if (kind === 'actor') {
    const { alive, stopped: gone } = timeline.childrenAt(actor, seq)
    const isEmpty = alive.size + gone.size === 0
    const isOpen = moment.chosen.get(key) ?? true
    rows.push({ key, kind, actor, stopped, size: 1, hidden: 0, ...standing, ...(!isEmpty && { isOpen }) })
    if (!isEmpty && isOpen) addBranches(moment, branchesOf(moment, actor), standing.level + 1)
    return
  }
  const holdsSelected = [...moment.path].some(member => all.has(member))
  const isOpen = moment.chosen.get(key) ?? (holdsSelected || (kind === 'group' && all.size <= FEW))
  const most = kind === 'stopped' ? STOPPED_LISTED : LISTED
  const hidden = Math.max(0, all.size - most)
  rows.push({ key, kind, actor, stopped, size: all.size, hidden, ...standing, isOpen })
  if (!isOpen) return
  const listed = youngest(all, most, moment.path)
  const shown = kind === 'stopped' ? listed.toReversed() : listed
  addBranches(
    moment,
    shown.map(member => actorBranch(member, stopped)),
    standing.level + 1,
  )
}

/** Returns the last members of the set, including the one that is or contains the selected actor. */
function youngest(all: ReadonlySet<number>, most: number, path: ReadonlySet<number>): readonly number[] {
  const chosen = [...path].find(actor => all.has(actor))
  const found = [...all].slice(-most)
  if (chosen !== undefined && !found.includes(chosen)) found[0] = chosen
  return found.sort((a, b) => a - b)
}

interface TreeStep {
  readonly row: TreeRow | undefined
  /** Whether to expand or collapse the row; undefined to move to it. */
  readonly open?: boolean
}

/** Returns the action of a key from the row at `current`; undefined for other keys. */
export function moveInTree(rows: readonly TreeRow[], current: number, key: string): TreeStep | undefined {
  const row = rows[current]
  switch (key) {
    case 'ArrowDown':
      return { row: rows[current + 1] }
    case 'ArrowUp':
      return { row: rows[current - 1] }
    case 'Home':
      return { row: rows[0] }
    case 'End':
      return { row: rows.at(-1) }
    case 'ArrowRight':
      return row?.isOpen === false
        ? { row, open: true }
        : { row: row?.isOpen ? rows[current + 1] : undefined }
    case 'ArrowLeft':
      return row?.isOpen ? { row, open: false } : { row: above(rows, current) }
    case 'Enter':
    case ' ':
      return row && row.kind !== 'actor' ? { row, open: row.isOpen !== true } : undefined
    default:
      return undefined
  }
}

function above(rows: readonly TreeRow[], current: number): TreeRow | undefined {
  const level = rows[current]?.level ?? 1
  return rows.slice(0, Math.max(0, current)).findLast(row => row.level < level)
}
