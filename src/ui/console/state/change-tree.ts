// Changes as a tree along their pointers, so that every row of a value can tell what changed at it and within it.
import type { Change } from './diff-walk.ts'
import type { ChangeMark } from './tree-row.ts'
import { namesOf } from './state-path.ts'

export interface ChangeNode {
  readonly mark?: ChangeMark
  readonly before?: unknown
  /** How many changes lie below. */
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

/** What is gone from a list stands beside what took its place, under a name of its own. */
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
