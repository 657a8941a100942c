// Rows of the network view: requests, other calls and sockets within the range, with their outcomes.
import { FLAG, type Timeline, type Wire, type WireAttempt } from '../../../trace/index.ts'
import type { Range } from '../canvas/time-scale.ts'

export interface NetworkRow {
  readonly wire: Wire
  /** Which service or purpose it has. */
  readonly group: Group
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

/** Groups of calls. */
export const GROUPS = ['auth', 'data', 'files', 'functions', 'realtime', 'checks'] as const
export type Group = (typeof GROUPS)[number]

/** Call filters. */
export const KINDS = ['all', 'failed', 'retried', 'open'] as const
export type Kind = (typeof KINDS)[number]
export interface Wanted {
  readonly kind: Kind
  /** Undefined for all groups. */
  readonly group?: Group
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
    const row = rowOfWire(timeline, wire)
    if (row.to >= t0 && isWanted(row, wanted)) rows.push(row)
  }
  if (column === 'start') return isDescending ? rows.reverse() : rows
  return rows.sort((a, b) => (isDescending ? -1 : 1) * compare(valueOf(a, column), valueOf(b, column)))
}

/** Number of rows of each group. */
export function countsOf(rows: readonly NetworkRow[]): Readonly<Record<Group, number>> {
  const counts = { auth: 0, data: 0, files: 0, functions: 0, realtime: 0, checks: 0 }
  for (const { group } of rows) counts[group] += 1
  return counts
}

/** Also the row of a wire that is outside of the range or filter. */
export const rowOfWire = (timeline: Timeline, wire: Wire): NetworkRow =>
  settled.get(wire) ?? rowOf(timeline, wire)

function rowOf(timeline: Timeline, wire: Wire): NetworkRow {
  const { actor } = wire
  const last = wire.attempts.at(-1)
  const life = timeline.lifeOf(actor)
  const isCall = wire.kind === 'call'
  const answered = isCall ? last?.answered : undefined
  const isOver = life.ended || answered !== undefined
  const row: NetworkRow = {
    wire,
    group: groupOf(timeline, wire),
    seq: isCall ? wire.seq : lastSeq(timeline, wire),
    from: isCall ? wire.start : life.from,
    to: answered ?? life.to,
    isOpen: !isOver,
    attempts: wire.attempts.length,
    bytes: last?.bytes,
    injected: timeline.injections.length > 0 && isInjected(timeline, wire),
    ...resultOf(timeline, wire, life.ended),
  }
  // The port's own result adds the reason to a response.
  if (life.ended) settled.set(wire, row)
  return row
}

const lastSeq = (timeline: Timeline, { actor, seq }: Wire): number =>
  timeline.stepsOf(actor).findLast(step => timeline.status(step) !== 'stopped') ?? seq

/** An injected fault is recorded in one of the request's steps, or in the one that reports a response or closed socket. */
function isInjected(timeline: Timeline, { kind, actor, attempts }: Wire): boolean {
  const last = attempts.at(-1)
  const reports = [last?.closed?.seq, last?.answer, last?.result].filter(step => step !== undefined)
  const steps = kind === 'call' ? reports : [...timeline.stepsOf(actor), ...reports]
  return steps.some(step => (timeline.flags(step) & FLAG.injected) !== 0)
}

const CHECKS: ReadonlySet<string> = new Set(['checkKey', 'probeSocket'])

const SERVICES: Readonly<Record<string, Group>> = {
  auth: 'auth',
  storage: 'files',
  functions: 'functions',
  realtime: 'realtime',
}

function groupOf({ actors }: Timeline, { kind, actor, path }: Wire): Group {
  if (kind === 'socket') return 'realtime'
  if (CHECKS.has(actors[actor]?.src ?? '')) return 'checks'
  return SERVICES[/^\/([a-z]{1,20})\/v1\//.exec(path)?.[1] ?? ''] ?? 'data'
}

type Result = Pick<NetworkRow, 'status' | 'outcome' | 'failed'>

function resultOf(timeline: Timeline, wire: Wire, ended: boolean): Result {
  const last = wire.attempts.at(-1)
  if (wire.kind === 'socket') return socketResult(last, ended)
  return wire.kind === 'call' ? callResult(last, ended) : requestResult(timeline, wire, ended)
}

/** A call that its port gave up has no response. */
function callResult(attempt: WireAttempt | undefined, ended: boolean): Result {
  const { answered, status, failure, error } = attempt ?? {}
  if (answered === undefined) return { status, outcome: ended ? 'no response' : 'sent', failed: ended }
  const outcome = status === undefined ? (failure ?? 'no response') : (error ?? failure ?? '')
  return { status, outcome, failed: status === undefined || status >= 400 || failure !== undefined }
}

function requestResult(timeline: Timeline, wire: Wire, ended: boolean): Result {
  const { actor, attempts } = wire
  const last = attempts.at(-1)
  const seq = lastSeq(timeline, wire)
  const state = timeline.state(seq).label || timeline.status(seq)
  const given = givenUp(timeline, actor)
  return {
    status: given === undefined ? last?.status : undefined,
    outcome: last?.failure ?? given ?? (ended && last?.status !== undefined ? (last.error ?? '') : state),
    failed:
      given !== ABORTED && (given !== undefined || (last?.status ?? 0) >= 400 || last?.failure !== undefined),
  }
}

/** Codes of sockets that were closed on purpose. */
const PLANNED: ReadonlySet<number | undefined> = new Set([undefined, 1000, 1001, 1005])

/** Without a closing frame. */
const LOST: ReadonlySet<number | undefined> = new Set([0, 1006])

const closedBy = (code: number | undefined): string =>
  code === undefined ? 'closed by the client' : LOST.has(code) ? 'lost' : 'closed by the server'

/** Only a socket that the client did not close reports why it closed. */
function socketResult(attempt: WireAttempt | undefined, ended: boolean): Result {
  const { status, closed } = attempt ?? {}
  const isOver = ended || closed !== undefined
  const why = [closed?.code || undefined, closed?.reason || undefined]
    .filter(it => it !== undefined)
    .join(' ')
  const over = status === undefined ? 'not opened' : closedBy(closed?.code)
  const outcome = isOver ? over : status === undefined ? 'connecting' : 'open'
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

function isWanted(row: NetworkRow, { kind, group, text }: Wanted): boolean {
  if (group !== undefined && row.group !== group) return false
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
