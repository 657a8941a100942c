// Keys in a tree of values: up, down, in, out, first, last, expand all siblings, and type-ahead by name.
import type { ShownTree } from './shown-tree.ts'
import type { TreeRow } from './tree-row.ts'

/** The action of a key. */
export type TreeMove =
  | { readonly kind: 'go'; readonly row: number }
  | { readonly kind: 'open'; readonly row: TreeRow; readonly isOpen: boolean }
  /** Expands all siblings. */
  | { readonly kind: 'widen'; readonly row: TreeRow }
  /** Enter: the action of the value itself. */
  | { readonly kind: 'act'; readonly row: TreeRow }

const PAGE = 12

/** Returns the action from the row at `at`; undefined for other keys. */
export function moveInValues(tree: ShownTree, at: number, key: string): TreeMove | undefined {
  const row = tree.row(at)
  const last = tree.size - 1
  const go = (to: number): TreeMove => ({ kind: 'go', row: Math.max(0, Math.min(last, to)) })
  switch (key) {
    case 'ArrowDown':
      return go(at + 1)
    case 'ArrowUp':
      return go(at - 1)
    case 'PageDown':
      return go(at + PAGE)
    case 'PageUp':
      return go(at - PAGE)
    case 'Home':
      return go(0)
    case 'End':
      return go(last)
    case 'ArrowRight':
      if (row?.isOpen === undefined) return go(at)
      return row.isOpen ? go(at + 1) : { kind: 'open', row, isOpen: true }
    case 'ArrowLeft':
      return row?.isOpen ? { kind: 'open', row, isOpen: false } : go(above(tree, row, at))
    case '*':
      return row && { kind: 'widen', row }
    case 'Enter':
    case ' ':
      if (!row) return undefined
      return row.isOpen === undefined ? { kind: 'act', row } : { kind: 'open', row, isOpen: !row.isOpen }
    default:
      return undefined
  }
}

function above(tree: ShownTree, row: TreeRow | undefined, at: number): number {
  const parent = row?.pointer.slice(0, row.pointer.lastIndexOf('/')) ?? ''
  const found = parent === '' ? -1 : tree.indexOf(parent)
  return found < 0 ? at : found
}

/** Maximum rows to search for a name. */
const LOOKED_AT = 5_000

/**
 * Finds the next row whose name starts with the text, from the row at `at`, wrapping around; -1 if there is
 * none.
 */
export function findByName(tree: ShownTree, at: number, text: string): number {
  const wanted = text.toLowerCase()
  // While a name is being typed, the current row may keep matching.
  const from = text.length > 1 ? 0 : 1
  for (let step = from; step < Math.min(tree.size + from, LOOKED_AT); step++) {
    const place = (Math.max(0, at) + step) % tree.size
    if (tree.row(place)?.name.toLowerCase().startsWith(wanted)) return place
  }
  return -1
}
