// Compares rows: the machine with its ports, which read pages as several accounts; recorded separately.
import type { SnapshotFrom } from 'xstate'
import type { Failure } from '../../../machines/index.ts'
import {
  type AccountPage,
  type PagesEvent,
  type RecheckEvent,
  type RecheckInput,
  type RowComparisonContext,
  rowComparisonMachine,
  type WantedPage,
} from '../../../machines/workbench/row-comparison.ts'
import type { ChartroomClient } from '../../client/index.ts'
import { effect } from '../../runtime/index.ts'
import type { PageAnswer, RowReader } from '../table/row-reader.ts'
import type { Row } from '../table/schema.ts'
import { incomplete, readPage } from './row-requests.ts'
import { type Job, retrySeed, runJob } from './run-job.ts'

/** One account whose rows are compared. */
export interface ComparedAccount {
  /** Sends requests as this account. */
  readonly fetch: ChartroomClient['fetch']
  readonly reader: RowReader
  /** Adds the rows of a page; called once per page, in order. */
  readonly take: (rows: readonly Row[]) => void
}

/** Reads differing rows again, then decides about them. */
export interface Recheck {
  /** Groups of reads that run one after the other; those of a group run at the same time. */
  readonly groups: readonly (readonly ComparedAccount[])[]
  /** Called after the last read. @returns how many rows are decided. */
  readonly finish: () => number
}

export interface RowComparisonOptions {
  readonly accounts: readonly ComparedAccount[]
  readonly rechecks: {
    /** Collects the differences between the accounts that were read; called again after a retry. */
    readonly start: (isRead: readonly boolean[]) => void
    /** Returns the next recheck; creates new reads on every call. */
    readonly next: () => Recheck | undefined
    /** Number of rows that are not decided yet. */
    readonly left: () => number
  }
  /** Called with the id of each request of an account. */
  readonly onRequest?: (account: number, id: string) => void
}

export type RowComparisonPhase = Exclude<
  SnapshotFrom<typeof rowComparisonMachine>['value'],
  'deciding' | 'concluding'
>

export interface RowComparisonState extends Omit<RowComparisonContext, 'seed' | 'attempt' | 'delay'> {
  readonly phase: RowComparisonPhase
}

export type RowComparison = Job<typeof rowComparisonMachine>

export const rowComparisonState = ({
  value,
  context: { scans, checked, unchecked, failure },
}: SnapshotFrom<typeof rowComparisonMachine>): RowComparisonState => ({
  scans,
  checked,
  unchecked,
  failure,
  phase: value === 'deciding' || value === 'concluding' ? 'reading' : value,
})

interface Read {
  readonly account: number
  readonly answer: PageAnswer | Failure
}

async function readOne(
  { accounts, onRequest }: RowComparisonOptions,
  { account }: WantedPage,
  signal: AbortSignal,
): Promise<Read> {
  const source = accounts[account]
  if (source === undefined) throw new Error(`No account ${account} to compare.`)
  const answer = await readPage(source.fetch, source.reader, signal, id => onRequest?.(account, id))
  return { account, answer }
}

const addPage = ({ accounts }: RowComparisonOptions, { account, answer }: Read): AccountPage => {
  const source = accounts[account]
  if ('kind' in answer) return { account, failure: answer }
  if (source === undefined) throw new Error(`No account ${account} to compare.`)
  const { reader, take } = source
  const { rows, isLast, total, missing } = reader.take(answer)
  take(rows)
  if (missing === 0) return { account, rows: rows.length, isLast, ...(total !== undefined && { total }) }
  // After a retry, it looks for the others.
  reader.restart()
  return { account, failure: incomplete(reader.read(), missing) }
}

/** Ends the reads of a group at the first failure. */
class ReadFailed extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

async function readAgain({ fetch, reader, take }: ComparedAccount, signal: AbortSignal): Promise<void> {
  for (;;) {
    const answer = await readPage(fetch, reader, signal, () => undefined)
    if ('kind' in answer) throw new ReadFailed(answer)
    const { rows, isLast, missing } = reader.take(answer)
    take(rows)
    if (missing > 0) throw new ReadFailed(incomplete(reader.read(), missing))
    if (isLast) return
  }
}

async function recheck(
  { groups, finish }: Recheck,
  { rechecks }: RowComparisonOptions,
  signal: AbortSignal,
): Promise<RecheckEvent> {
  try {
    for (const group of groups) await Promise.all(group.map(read => readAgain(read, signal)))
  } catch (error) {
    if (!(error instanceof ReadFailed)) throw error
    return { type: 'differences.failed', failure: error.failure }
  }
  signal.throwIfAborted()
  return { type: 'differences.checked', rows: finish(), left: rechecks.left() }
}

/** Starts a comparison. */
export function createRowComparison(options: RowComparisonOptions): RowComparison {
  const readPages = effect<{ readonly wanted: readonly WantedPage[] }, PagesEvent>(
    async ({ wanted }, signal) => {
      const read = await Promise.all(wanted.map(each => readOne(options, each, signal)))
      signal.throwIfAborted()
      return { type: 'pages.read', pages: read.map(each => addPage(options, each)) }
    },
  )
  const recheckDifferences = effect<RecheckInput, RecheckEvent>(async ({ isFirst, isRead }, signal) => {
    if (isFirst) options.rechecks.start(isRead)
    const next = options.rechecks.next()
    return next === undefined
      ? { type: 'differences.checked', rows: 0, left: 0 }
      : recheck(next, options, signal)
  })
  const machine = rowComparisonMachine.provide({ actors: { readPages, recheckDifferences } })
  return runJob('rowComparison', machine, { accounts: options.accounts.length, seed: retrySeed() })
}
