// A value as rows of a tree: the number of rows follows from what is expanded, without listing them.
import type { ChangeNode } from './use-changes.ts'
import { describe, membersOf, type Members, type ValueNode } from './json-nodes.ts'
import type { HitNode } from './search.ts'
import { below, namesOf } from './state-path.ts'
import type { TreeRow } from './tree-row.ts'

/** Maximum size and depth of values that are expanded by default. */
const SMALL = 12
const OPEN_LEVELS = 2
/** Members beyond this many are only expanded by hand, because expanding all would be too much. */
const OPENED_BY_ITSELF = 40

export interface TreeOptions {
  /** What the user expanded and collapsed, by parent pointer and name. */
  readonly chosen: ReadonlyMap<string, ReadonlyMap<string, boolean>>
  readonly changes?: ChangeNode | undefined
  /** Shows only these matches and the path to them. */
  readonly hits?: HitNode | undefined
}

interface Branch {
  readonly pointer: string
  readonly level: number
  readonly members: Members
  readonly keys: readonly string[]
  readonly changes: ChangeNode | undefined
  readonly hits: HitNode | undefined
  /** The expanded ones by position, ascending. */
  readonly open: ReadonlyMap<number, Branch>
  /** Number of rows below it. */
  readonly rows: number
}

/** Rows by number. */
export class ShownTree {
  readonly #root: Branch
  readonly #options: TreeOptions

  constructor(value: unknown, options: TreeOptions) {
    this.#options = options
    this.#root = this.#branch(value, '', 0, options.changes, options.hits)
  }

  get size(): number {
    return this.#root.rows
  }

  row(at: number): TreeRow | undefined {
    if (!(at >= 0 && at < this.size)) return undefined
    let branch = this.#root
    let left = at
    for (;;) {
      const found = step(branch, left)
      if (typeof found === 'number') return this.#row(branch, found)
      branch = found.branch
      left = found.left
    }
  }

  /** Returns the row number of a pointer, or -1 if it is not shown. */
  indexOf(pointer: string): number {
    let branch: Branch | undefined = this.#root
    let rows = -1
    for (const name of namesOf(pointer)) {
      const at: number = branch?.keys.indexOf(name) ?? -1
      if (!branch || at < 0) return -1
      rows += at + 1
      for (const [place, kid] of branch.open) if (place < at) rows += kid.rows
      branch = branch.open.get(at)
    }
    return rows
  }

  /** Returns the names of the members shown below a pointer. */
  names(pointer: string): readonly string[] {
    let branch: Branch | undefined = this.#root
    for (const name of namesOf(pointer)) branch = branch?.open.get(branch.keys.indexOf(name))
    return branch?.keys ?? []
  }

  #row(branch: Branch, at: number): TreeRow {
    const name = branch.keys[at] ?? ''
    const change = branch.changes?.kids.get(name)
    const isGone = change?.mark === 'removed'
    const value = isGone ? change.before : branch.members.get(name)
    // States and statuses are names, not texts.
    const isName = /^\/(state|status)$/.test(below(branch.pointer, name)) && typeof value === 'string'
    const node: ValueNode = isName ? { kind: 'word', preview: value, size: 0 } : describe(value)
    const opens = !isGone && canOpen(node.size, change)
    return {
      pointer: below(branch.pointer, name),
      name,
      level: branch.level + 1,
      value,
      node,
      place: at + 1,
      of: branch.keys.length,
      inside: change?.inside ?? 0,
      ...(opens && { isOpen: branch.open.has(at) }),
      ...(change?.mark && { change: change.mark, before: change.before }),
    }
  }

  #branch(
    value: unknown,
    pointer: string,
    level: number,
    changes: ChangeNode | undefined,
    hits: HitNode | undefined,
  ): Branch {
    const members = membersOf(value)
    const keys = shownKeys(members.keys, changes, hits)
    const open = new Map<number, Branch>()
    let rows = keys.length
    for (const [at, key] of this.#candidates(keys, pointer, hits)) {
      const change = changes?.kids.get(key)
      const kid = members.get(key)
      if (
        change?.mark === 'removed' ||
        !this.#isOpen(kid, { parent: pointer, key, level: level + 1, hits, change })
      )
        continue
      const made = this.#branch(kid, below(pointer, key), level + 1, change, within(hits, key))
      open.set(at, made)
      rows += made.rows
    }
    return { pointer, level, members, keys, changes, hits, open, rows }
  }

  /** Returns the members that may be expanded: all of a few, and the chosen ones of many. */
  #candidates(keys: readonly string[], pointer: string, hits: HitNode | undefined): [number, string][] {
    if (keys.length <= OPENED_BY_ITSELF || hits) return [...keys.entries()]
    const chosen = [...(this.#options.chosen.get(pointer) ?? [])]
    return chosen
      .flatMap(([key, isOpen]): [number, string][] => (isOpen ? [[keys.indexOf(key), key]] : []))
      .filter(([at]) => at >= 0)
      .toSorted(([a], [b]) => a - b)
  }

  #isOpen(value: unknown, { parent, key, level, hits, change }: Candidate): boolean {
    if (typeof value !== 'object' || value === null) return false
    const { size } = describe(value)
    if (!canOpen(size, change)) return false
    const chosen = this.#options.chosen.get(parent)?.get(key)
    if (chosen !== undefined) return chosen
    if (hits) return (hits.kids.get(key)?.kids.size ?? 0) > 0
    return level === 1 || (level <= OPEN_LEVELS && size <= SMALL)
  }
}

interface Candidate {
  readonly parent: string
  readonly key: string
  readonly level: number
  readonly hits: HitNode | undefined
  readonly change: ChangeNode | undefined
}

/** A value that lost all members is expanded to show them. */
const canOpen = (size: number, change: ChangeNode | undefined): boolean =>
  size > 0 || (change !== undefined && change.mark === undefined && change.inside > 0)

/** A match by name is shown with all its content. */
function within(hits: HitNode | undefined, key: string): HitNode | undefined {
  const found = hits?.kids.get(key)
  return found && found.kids.size > 0 ? found : undefined
}

/** Returns the position in this branch that a row shows, or the expanded member that contains it. */
function step(branch: Branch, row: number): number | { readonly branch: Branch; readonly left: number } {
  let passed = 0
  for (const [at, kid] of branch.open) {
    const own = at + passed
    if (row <= own) break
    if (row <= own + kid.rows) return { branch: kid, left: row - own - 1 }
    passed += kid.rows
  }
  return row - passed
}

function shownKeys(
  keys: readonly string[],
  changes: ChangeNode | undefined,
  hits: HitNode | undefined,
): readonly string[] {
  if (hits) return [...hits.kids.keys()]
  if (!changes) return keys
  const gone = [...changes.kids].flatMap(([key, { mark }]) => (mark === 'removed' ? [key] : []))
  return gone.length === 0 ? keys : [...new Set([...keys, ...gone])]
}
