// Keys in the actor tree: up, down, in, out, first, last.
import type { TreeRow } from './tree-rows.ts'

export interface TreeStep {
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
