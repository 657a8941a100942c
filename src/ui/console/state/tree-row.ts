// A row of a tree of values: a member with its position, value and change.
import type { ValueNode } from './json-nodes.ts'

/** How a value differs from the one before. */
export type ChangeMark = 'added' | 'changed' | 'removed'

export interface TreeRow {
  readonly pointer: string
  readonly name: string
  /** Starts at 1. */
  readonly level: number
  readonly value: unknown
  readonly node: ValueNode
  /** Undefined if it has no members. */
  readonly isOpen?: boolean
  /** Position among its siblings, starting at 1, and their number. */
  readonly place: number
  readonly of: number
  readonly change?: ChangeMark
  /** The previous value, if known. */
  readonly before?: unknown
  /** Number of changes within. */
  readonly inside: number
}
