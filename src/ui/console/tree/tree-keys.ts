// Keys in the actor tree, as in any tree: up, down, into, out of, first, last.
import type { TreeRow } from './tree-rows.ts'

export interface TreeStep {
  readonly row: TreeRow | undefined
  /** Whether the row is to be opened or closed; absent where it is gone to. */
  readonly open?: boolean
}

/** What a key asks for from the row at `current`; nothing for other keys. */
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
