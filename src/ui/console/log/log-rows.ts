// The rows of the log: one per matching event, groups by cause, or events with folded steps; and the keys that move
// between them.
import { useMemo, useReducer, type KeyboardEvent } from 'react'
import type { Timeline } from '../../../trace/index.ts'
import type { Selection } from '../model/place.ts'
import type { RowFilter } from '../model/row-filter.ts'
import type { Command } from '../place-commands.ts'
import type { Folding } from '../use-console.ts'
import { type Item, RowGroups } from './row-groups.ts'

export interface LogRows {
  readonly length: number
  /** Number of steps that have got their row. */
  readonly scanned: number
  at(row: number): Item | undefined
  /** Returns the row of an event, or of the collapsed group or fold that contains it; -1 for none. */
  rowOf(seq: number): number
  /** Whether this is the row of an event, or of the collapsed group or fold that contains it. */
  holds(item: Item, seq: number): boolean
  /** Undefined unless events are grouped. */
  readonly groups: RowGroups | undefined
  /** Expands or collapses a group, or the steps of an event. */
  readonly fold: (item: Item, isOpen: boolean) => void
}

export interface LogRowsOptions {
  readonly timeline: Timeline
  readonly filter: RowFilter
  readonly folding: Folding
  readonly isGrouped: boolean
  readonly selection: Selection
  /** Events with marks, whose folds are expanded. */
  readonly marked: readonly number[]
}

/** Returns the rows of the log; a selected or marked event that is folded becomes visible. */
export function useLogRows({ timeline, filter, folding, isGrouped, ...of }: LogRowsOptions): LogRows {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const groups = useMemo(
    () => (isGrouped ? new RowGroups(timeline, filter) : undefined),
    [timeline, filter, isGrouped],
  )
  groups?.advance()
  const fold = (item: Item, isOpen: boolean) => {
    if (groups) groups.set(item.group, isOpen)
    else folding.rows?.set(item.seq, isOpen)
    redraw()
  }
  if (groups) return groupedRows(groups, filter, fold)
  const { rows: folded } = folding
  if (!folded) return plainRows(filter, fold)
  const { following, seq, at } = of.selection
  folded.mark(of.marked)
  // A moment, or the end that moves, does not select an event.
  if (!following && seq === at) folded.reveal(seq)
  return {
    length: folded.length,
    scanned: folded.folds.size,
    at: row => {
      const found = folded.at(row)
      return found && { kind: 'event', group: -1, ...found }
    },
    rowOf: one => folded.rowOf(folded.holderOf(one)),
    holds: (item, one) => item.seq === folded.holderOf(one),
    groups: undefined,
    fold,
  }
}

const groupedRows = (groups: RowGroups, { scanned }: RowFilter, fold: LogRows['fold']): LogRows => ({
  length: groups.length,
  scanned,
  at: row => groups.at(row),
  rowOf: seq => groups.rowOf(seq),
  // A row before a hidden one is not its row.
  holds: (item, seq) => {
    const at = groups.at(groups.rowOf(seq))
    if (item.kind !== at?.kind || item.seq !== at.seq) return false
    return item.kind === 'event' ? item.seq === seq : seq <= groups.lastOf(item.group)
  },
  groups,
  fold,
})

const plainRows = (filter: RowFilter, fold: LogRows['fold']): LogRows => ({
  length: filter.length,
  scanned: filter.scanned,
  at: row => {
    const seq = filter.seqAt(row)
    return seq < 0 ? undefined : { kind: 'event', group: -1, seq }
  },
  rowOf: seq => filter.rowOf(seq),
  holds: (item, seq) => item.seq === seq,
  groups: undefined,
  fold,
})

interface LogHandlers {
  readonly onSelect: (seq: number) => void
  readonly onCommand: (command: Command) => void
}

/** Up and down arrows move between rows; left, right and Enter collapse and expand. */
export function onLogKey(event: KeyboardEvent, rows: LogRows, seq: number, handlers: LogHandlers): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (by !== undefined) moveBy(by, rows, seq, handlers)
  else if (!foldBy(event.key, rows, seq)) return
  event.preventDefault()
}

function moveBy(by: number, rows: LogRows, seq: number, { onSelect, onCommand }: LogHandlers): void {
  const { groups } = rows
  if (!groups) return onCommand(by > 0 ? 'next' : 'previous')
  // The head of an expanded group represents its first event, which comes next anyway.
  const row = rows.rowOf(seq) + by
  const isOpenHead = (item: Item | undefined) => item?.kind === 'group' && groups.isOpen(item.group)
  const next = isOpenHead(rows.at(row)) ? rows.at(row + by) : rows.at(row)
  if (next) onSelect(next.seq)
}

/** Returns whether the key expands or collapses something. */
function foldBy(key: string, rows: LogRows, seq: number): boolean {
  const item = rows.at(rows.rowOf(seq))
  if (!item) return false
  if (rows.groups) {
    const isOpen = { ArrowRight: true, ArrowLeft: false }[key]
    if (isOpen !== undefined) rows.fold(item, isOpen)
    return isOpen !== undefined
  }
  if (item.head === undefined) return false
  const isOpen = { ArrowRight: true, ArrowLeft: false, Enter: item.isOpen !== true }[key]
  // Nothing is folded into the steps of a fold.
  if (isOpen === undefined || (isOpen && item.head !== item.seq)) return false
  rows.fold({ ...item, seq: item.head }, isOpen)
  return true
}
