// The outbox and the rows of a table as an app shows them: every internal state mapped to a few phases.
import type { SnapshotFrom } from 'xstate'
import type { Failure } from '../failure.ts'
import type { collectionRowsMachine } from './collection-rows.ts'
import { type outboxMachine, nextWrite } from './outbox.ts'
import { SIGNED_OUT, type WriteInfo } from './outbox-info.ts'

/**
 * Phase of the outbox. `empty`: everything was delivered or refused. `waiting`: reads its storage, or the session is not
 * known yet. `held`: all writes are of users who are not signed in. `asking`: the next write needs a decision.
 * `following`: another tab sends. `retrying`: pauses after a failure, which is reported. `broken`: the storage cannot be read.
 */
export type OutboxPhase =
  'empty' | 'waiting' | 'held' | 'asking' | 'offline' | 'following' | 'sending' | 'retrying' | 'broken'

/** Phase of one write. `held`: its user is not signed in. */
export type WritePhase = 'queued' | 'sending' | 'held' | 'asking' | 'refused'

export interface OutboxStatus {
  readonly phase: OutboxPhase
  /** Why it is retrying or broken. */
  readonly failure?: Failure
}

export interface WriteStatus extends Omit<WriteInfo, 'phase'> {
  readonly phase: WritePhase
  /** The signed-in user made it, or it needs no user. */
  readonly isOwn: boolean
}

type Outbox = SnapshotFrom<typeof outboxMachine>
type Queue = Outbox['value']['queue']
type QueueName = Extract<Queue, string>
type SendingName =
  Exclude<Queue, string> extends { sending: infer One } ? (One extends string ? One : keyof One) : never

const PHASES: Readonly<Record<QueueName, OutboxPhase>> = {
  reading: 'waiting',
  choosing: 'waiting',
  empty: 'empty',
  waitingForSession: 'waiting',
  held: 'held',
  asking: 'asking',
  offline: 'offline',
  unreadable: 'broken',
}

const SENDING: Readonly<Record<SendingName, OutboxPhase>> = {
  claiming: 'following',
  refreshing: 'sending',
  next: 'sending',
  delivering: 'sending',
  pausing: 'retrying',
}

function phaseOf(queue: Queue): OutboxPhase {
  if (typeof queue === 'string') return PHASES[queue]
  const { sending } = queue
  return SENDING[typeof sending === 'string' ? sending : (Object.keys(sending)[0] as SendingName)]
}

export function outboxStatus({ context, value }: Outbox): OutboxStatus {
  const phase = phaseOf(value.queue)
  const isReported = phase === 'retrying' || phase === 'broken'
  return { phase, ...(isReported && context.failure && { failure: context.failure }) }
}

/**
 * All stored writes, oldest first.
 * @param writes as they are stored now, if the machine has not read them yet
 */
export function writesStatus(
  { context, value }: Outbox,
  writes: readonly WriteInfo[] = context.writes,
): readonly WriteStatus[] {
  const sent = phaseOf(value.queue) === 'sending' ? nextWrite(context)?.id : undefined
  return writes.map(write => {
    const isOwn = write.userId === SIGNED_OUT || write.userId === context.identity
    const phase =
      write.phase !== 'queued' ? write.phase : !isOwn ? 'held' : write.id === sent ? 'sending' : 'queued'
    return { ...write, phase, isOwn }
  })
}

/** Phase of a collection's rows. `retrying`: pauses after a failure, which is reported; the known rows stay. */
export type RowsPhase = 'waiting' | 'signedOut' | 'loading' | 'ready' | 'retrying' | 'failed'

export interface RowsStatus {
  readonly phase: RowsPhase
  readonly failure?: Failure
}

type Rows = SnapshotFrom<typeof collectionRowsMachine>
type RowsValue = Rows['value']
type RowsName = RowsValue extends infer One ? (One extends string ? One : One[keyof One]) : never

const ROWS: Readonly<Record<RowsName, RowsPhase>> = {
  choosing: 'waiting',
  waitingForSession: 'waiting',
  signedOut: 'signedOut',
  reading: 'loading',
  current: 'ready',
  pausing: 'retrying',
  failed: 'failed',
}

export function rowsStatus({ context: { failure }, value }: Rows): RowsStatus {
  const phase = ROWS[typeof value === 'string' ? value : value.following]
  const isReported = phase === 'retrying' || phase === 'failed'
  return { phase, ...(isReported && failure && { failure }) }
}
