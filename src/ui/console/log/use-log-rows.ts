// The rows of the log: one per matching event, or collapsible groups of them.
import { useMemo, useReducer } from 'react'
import type { Timeline } from '../../../trace/index.ts'
import type { RowFilter } from '../model/row-filter.ts'
import { RowGroups, type Item } from './row-groups.ts'

export interface LogRows {
  readonly length: number
  at(row: number): Item | undefined
  /** Returns the row of an event, or of the collapsed group that contains it; -1 for none. */
  rowOf(seq: number): number
  /** Undefined unless events are grouped. */
  readonly groups: RowGroups | undefined
  /** Expands or collapses a group. */
  readonly fold: (group: number, isOpen: boolean) => void
}

export function useLogRows(timeline: Timeline, filter: RowFilter, isGrouped: boolean): LogRows {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const groups = useMemo(
    () => (isGrouped ? new RowGroups(timeline, filter) : undefined),
    [timeline, filter, isGrouped],
  )
  groups?.advance()
  const at = (row: number): Item | undefined => {
    const seq = filter.seqAt(row)
    return seq < 0 ? undefined : { kind: 'event', group: -1, seq }
  }
  return {
    length: groups ? groups.length : filter.length,
    at: row => (groups ? groups.at(row) : at(row)),
    rowOf: seq => (groups ? groups.rowOf(seq) : filter.rowOf(seq)),
    groups,
    fold: (group, isOpen) => {
      groups?.set(group, isOpen)
      redraw()
    },
  }
}
