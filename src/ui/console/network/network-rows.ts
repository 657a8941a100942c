// Rows of the network view: requests and sockets within the range, with their outcomes.
import { FLAG, type Timeline, type Wire, type WireAttempt } from '../../../trace/index.ts'
import type { Range } from '../canvas/time-scale.ts'

export interface NetworkRow {
  readonly wire: Wire
  /** The view that shows its progress: the last one that is not merely its end. */
  readonly seq: number
  readonly from: number
  /** The end of the recording while it is pending. */
  readonly to: number
  readonly isOpen: boolean
  /** Status code of the last response. */
  readonly status: number | undefined
  /** Why there was no response, or its current state. */
  readonly outcome: string
  readonly attempts: number
  /** Size of the last response's body; unknown until it is reported. */
  readonly bytes: number | undefined
  readonly failed: boolean
  readonly injected: boolean
}

export const COLUMNS = ['method', 'name', 'status', 'attempts', 'size', 'duration', 'start'] as const
export type Column = (typeof COLUMNS)[number]
export interface Sorting {
  readonly column: Column
  readonly isDescending: boolean
}

/** Call filters. */
export const KINDS = ['all', 'failed', 'retried', 'open'] as const
export type Kind = (typeof KINDS)[number]
export interface Wanted {
  readonly kind: Kind
  /** Part of the method, path, status or outcome. */
  readonly text: string
}
export const EVERYTHING: Wanted = { kind: 'all', text: '' }

/** Rows of ended calls, which no longer change. */
const settled = new WeakMap<Wire, NetworkRow>()

/** Returns the rows of a range in the requested order; equal ones are ordered by start. */
export function networkRows(
  timeline: Timeline,
  [t0, t1]: Range,
  { column, isDescending }: Sorting,
  wanted: Wanted = EVERYTHING,
): readonly NetworkRow[] {
  const rows: NetworkRow[] = []
  for (const wire of timeline.wire) {
    if (wire.start > t1) break
    const row = settled.get(wire) ?? rowOf(timeline, wire)
    if (row.to >= t0 && isWanted(row, wanted)) rows.push(row)
  }
  if (column === 'start') return isDescending ? rows.reverse() : rows
  return rows.sort((a, b) => (isDescending ? -1 : 1) * compare(valueOf(a, column), valueOf(b, column)))
}

function rowOf(timeline: Timeline, wire: Wire): NetworkRow {
  const { actor } = wire
  const { from, to, ended } = timeline.lifeOf(actor)
  const steps = timeline.stepsOf(actor)
  const seq = steps.findLast(step => timeline.status(step) !== 'stopped') ?? wire.seq
  const last = wire.attempts.at(-1)
  // An injected fault is recorded in one of the request's steps, or in the one that reports a closed socket.
  const injected = [...steps, ...(last?.closed ? [last.closed.seq] : [])]
  const row: NetworkRow = {
    wire,
    seq,
    from,
    to,
    isOpen: !ended,
    attempts: wire.attempts.length,
    bytes: last?.bytes,
    injected:
      timeline.injections.length > 0 && injected.some(step => (timeline.flags(step) & FLAG.injected) !== 0),
    ...(wire.kind === 'socket' ? socketResult(last, ended) : requestResult(timeline, wire, seq, ended)),
  }
  if (ended) settled.set(wire, row)
  return row
}

type Result = Pick<NetworkRow, 'status' | 'outcome' | 'failed'>

function requestResult(timeline: Timeline, { actor, attempts }: Wire, seq: number, ended: boolean): Result {
  const last = attempts.at(-1)
  const state = timeline.state(seq).label || timeline.status(seq)
  const given = givenUp(timeline, actor)
  return {
    status: given === undefined ? last?.status : undefined,
    outcome: last?.failure ?? given ?? (ended && last?.status !== undefined ? '' : state),
    failed:
      given !== ABORTED && (given !== undefined || (last?.status ?? 0) >= 400 || last?.failure !== undefined),
  }
}

/** Codes of sockets that were closed on purpose. */
const PLANNED: ReadonlySet<number | undefined> = new Set([undefined, 1000, 1001, 1005])

/** Only a socket that the client did not close reports why it closed. */
function socketResult(attempt: WireAttempt | undefined, ended: boolean): Result {
  const { status, closed } = attempt ?? {}
  const isOver = ended || closed !== undefined
  const why = [closed?.code || undefined, closed?.reason || undefined]
    .filter(it => it !== undefined)
    .join(' ')
  const outcome = status === undefined ? (isOver ? 'not opened' : 'connecting') : isOver ? 'closed' : 'open'
  return {
    status,
    outcome: why === '' ? outcome : `${outcome} · ${why}`,
    failed: isOver && (status === undefined || !PLANNED.has(closed?.code)),
  }
}

const ABORTED = 'aborted'
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^request\.abort/, ABORTED],
  [/deadline/i, 'past its deadline'],
  [/timeout/i, 'took too long'],
  [/^gate\.changed/, 'the session ended'],
]

/** Returns why a request without a response failed. */
function givenUp(timeline: Timeline, actor: number): string | undefined {
  const move = timeline.movesOf(actor).findLast(seq => timeline.status(seq) === 'active')
  if (move === undefined || timeline.state(move).label !== 'failed') return undefined
  const type = timeline.type(move)
  return REASONS.find(([pattern]) => pattern.test(type))?.[1] ?? 'failed'
}

function isWanted(row: NetworkRow, { kind, text }: Wanted): boolean {
  if (kind === 'failed' && !row.failed) return false
  if (kind === 'open' && !row.isOpen) return false
  if (kind === 'retried' && row.attempts < 2) return false
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return true
  const all = `${methodOf(row.wire)} ${row.wire.path} ${row.status ?? ''} ${row.outcome}`.toLowerCase()
  return words.every(word => all.includes(word))
}

/** Returns `WS` for a socket. */
export const methodOf = ({ kind, method }: Wire): string => (kind === 'socket' ? 'WS' : method)

function valueOf(row: NetworkRow, column: Column): number | string {
  switch (column) {
    case 'method':
      return methodOf(row.wire)
    case 'name':
      return `${row.wire.path} ${row.wire.method}`
    case 'status':
      return row.status ?? 0
    case 'attempts':
      return row.attempts
    case 'size':
      return row.bytes ?? -1
    case 'duration':
      return row.to - row.from
    case 'start':
      return row.from
  }
}

const compare = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0)
