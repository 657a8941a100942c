// The rows of the network view: requests and sockets that lived in the range, with what came of them.
import { FLAG } from '../../../trace/timeline/block.ts'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import type { Wire } from '../../../trace/timeline/wire-table.ts'
import type { Range } from '../canvas/time-scale.ts'

export interface NetworkRow {
  readonly wire: Wire
  /** Last view of the actor: what is known of its end. */
  readonly seq: number
  readonly from: number
  /** The end of the recording while it is under way. */
  readonly to: number
  readonly isOpen: boolean
  /** Status code of the last answer. */
  readonly status: number | undefined
  /** Why there was no answer, or which state it is in. */
  readonly outcome: string
  readonly attempts: number
  readonly failed: boolean
  readonly injected: boolean
}

export const COLUMNS = ['name', 'status', 'attempts', 'duration', 'start'] as const
export type Column = (typeof COLUMNS)[number]
export interface Sorting {
  readonly column: Column
  readonly isDescending: boolean
}

/** Rows of a range, in the order that is asked for; those alike stay in the order of their start. */
export function networkRows(timeline: Timeline, [t0, t1]: Range, sorting: Sorting): readonly NetworkRow[] {
  const rows = timeline.wire
    .map(wire => rowOf(timeline, wire))
    .filter(({ from, to }) => from <= t1 && to >= t0)
  const { column, isDescending } = sorting
  return rows.sort((a, b) => (isDescending ? -1 : 1) * compare(valueOf(a, column), valueOf(b, column)))
}

function rowOf(timeline: Timeline, wire: Wire): NetworkRow {
  const { actor } = wire
  const { from, to, ended } = timeline.lifeOf(actor)
  const views = timeline.viewsOf(actor)
  const seq = views.at(-1) ?? wire.seq
  const last = wire.attempts.at(-1)
  const state = timeline.state(seq).label || timeline.status(seq)
  const outcome = last?.failure ?? (ended && last?.status !== undefined ? '' : state)
  return {
    wire,
    seq,
    from,
    to,
    isOpen: !ended,
    status: last?.status,
    outcome,
    attempts: wire.attempts.length,
    failed:
      (last?.status ?? 0) >= 400 || last?.failure !== undefined || timeline.state(seq).label === 'failed',
    // Where a fault was made on command, one of its views carries it.
    injected:
      timeline.injections.length > 0 && views.some(view => (timeline.flags(view) & FLAG.injected) !== 0),
  }
}

function valueOf({ wire, status, attempts, from, to }: NetworkRow, column: Column): number | string {
  switch (column) {
    case 'name':
      return `${wire.path} ${wire.method}`
    case 'status':
      return status ?? 0
    case 'attempts':
      return attempts
    case 'duration':
      return to - from
    case 'start':
      return from
  }
}

const compare = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0)
