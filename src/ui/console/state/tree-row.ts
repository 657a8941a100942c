// A row of a tree of values: a member with its place, what it is, and how it changed.
import type { ValueNode } from './json-nodes.ts'

/** How a place differs from the one before. */
export type ChangeMark = 'added' | 'changed' | 'removed'

export interface TreeRow {
  readonly pointer: string
  readonly name: string
  /** Counted from 1. */
  readonly level: number
  readonly value: unknown
  readonly node: ValueNode
  /** Absent for what has no members. */
  readonly isOpen?: boolean
  /** Place among its siblings, counted from 1, and how many they are. */
  readonly place: number
  readonly of: number
  readonly change?: ChangeMark
  /** What stood here before, where that is known. */
  readonly before?: unknown
  /** How many places within changed. */
  readonly inside: number
}
