// Changes as a tree by pointer, so that every row of a value knows the changes at and below it.
import type { Change } from './diff-walk.ts'
import type { ChangeMark } from './tree-row.ts'
import { namesOf } from './state-path.ts'

export interface ChangeNode {
  readonly mark?: ChangeMark
  readonly before?: unknown
  /** Number of changes below. */
  readonly inside: number
  readonly kids: ReadonlyMap<string, ChangeNode>
}

interface Growing extends ChangeNode {
  mark?: ChangeMark
  before?: unknown
  inside: number
  readonly kids: Map<string, Growing>
}

const growing = (): Growing => ({ inside: 0, kids: new Map() })

/** An item removed from a list is listed next to its replacement, under a separate name. */
export function changeTree(changes: readonly Change[]): ChangeNode {
  const root = growing()
  for (const { pointer, mark, before, inList } of changes) {
    const names = namesOf(pointer)
    let at = root
    for (const [depth, name] of names.entries()) {
      at.inside += 1
      const isGone = inList && mark === 'removed' && depth === names.length - 1
      const key = isGone ? `was ${name}` : name
      const next = at.kids.get(key) ?? growing()
      at.kids.set(key, next)
      at = next
    }
    at.mark = mark
    at.before = before
  }
  return root
}
