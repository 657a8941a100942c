// A comparison: its job, the rows it found, and the values of the shown rows.
import { Listeners } from '../../../../trace/index.ts'
import { RequestError, throttle } from '../../../runtime/index.ts'
import type { ChartroomClient } from '../../../client/index.ts'
import {
  createRowComparison,
  type RowComparison,
  type RowComparisonPhase,
  type RowComparisonState,
  rowComparisonState,
} from '../../jobs/create-row-comparison.ts'
import type { AccountClient } from '../../accounts/accounts.ts'
import { userOf } from '../../storage/by-client.ts'
import { type Row, type TableInfo, withoutKey } from '../schema.ts'
import type { TableQuery } from '../table-query.ts'
import { readPage } from '../../jobs/row-requests.ts'
import { ROWS_AT_ONCE } from '../edits/row-conditions.ts'
import { createRowReader } from '../row-reader.ts'
import { createRechecks } from './rechecks.ts'
import { RowIndex, type IndexSummary } from './row-index.ts'
import { comparedColumns, comparedQuery, readersOfRows } from './seen-requests.ts'
import { formatCount, plural } from '../../text/format.ts'
import { formatTime } from '../../text/format-instant.ts'

type Fetch = ChartroomClient['fetch']

/** An account whose rows are compared. */
export interface Viewer {
  readonly id: string
  readonly name: string
  /** Undefined for the anonymous role. */
  readonly userId: string | undefined
}

export interface ComparisonOptions {
  readonly viewers: readonly Viewer[]
  readonly query: TableQuery
  readonly info: TableInfo
  readonly clientOf: (id: string) => AccountClient
  /** The current date and time. */
  readonly wall: () => Date
}

/** State that changes during the run. */
export interface ComparisonSnapshot extends RowComparisonState {
  /** By account. */
  readonly isRead: readonly boolean[]
  readonly startedAt: Date
  /** Undefined during the run. */
  readonly endedAt: Date | undefined
  /** By account: the last request. */
  readonly requests: readonly (string | undefined)[]
  /** Whether pages were read by offset: concurrent writes may have shifted them. */
  readonly hasCounted: boolean
}

const ENDED_PHASES: ReadonlySet<RowComparisonPhase> = new Set(['done', 'partial', 'unconfirmed', 'canceled'])

export const isEnded = (phase: RowComparisonPhase): boolean => ENDED_PHASES.has(phase)

const ANOTHER_USER = {
  kind: 'auth',
  code: 'not_signed_in',
  message: 'This account is no longer signed in. Its response was discarded.',
} as const

/** Accepts responses only for this user: the slot may get another user during the comparison. */
const fetchAs =
  ({ fetch, client }: AccountClient, { userId }: Viewer): Fetch =>
  async (path, init, options) => {
    const response = await fetch(path, init, options)
    if (userId !== undefined && userOf(client) !== userId) throw new RequestError(ANOTHER_USER)
    return response
  }

/** Milliseconds between two updates while pages arrive: counting and sorting takes longer with more rows. */
const publishEvery = (rows: number): number => 250 + rows / 50

export class Comparison {
  readonly index: RowIndex
  readonly viewers: readonly Viewer[]
  readonly clients: readonly ChartroomClient[]
  /** The run, for a console. */
  readonly job: RowComparison
  readonly #options: ComparisonOptions
  readonly #info: TableInfo
  readonly #query: TableQuery
  readonly #fetches: readonly Fetch[]
  readonly #listeners = new Listeners()
  readonly #requests: (string | undefined)[]
  readonly #hasCounted: () => boolean
  readonly #loading = new Set<string>()
  readonly #leaving = new AbortController()
  #snapshot: ComparisonSnapshot
  readonly #publishing = throttle(
    () => this.#publish(),
    () => publishEvery(this.index.size),
  )

  constructor(options: ComparisonOptions) {
    const { viewers, query, clientOf, wall } = options
    // A key that several rows have says nothing about which rows are the same.
    const info = options.info.isKeyShared ? withoutKey(options.info) : options.info
    this.#options = options
    this.#info = info
    this.viewers = viewers
    this.#query = comparedQuery(query, info)
    const clients = viewers.map(({ id }) => clientOf(id))
    this.clients = clients.map(({ client }) => client)
    this.#fetches = viewers.map((viewer, account) => fetchAs(clients[account] ?? clientOf(viewer.id), viewer))
    this.#requests = viewers.map(() => undefined)
    this.index = new RowIndex({
      info,
      columns: comparedColumns(query, info),
      sorts: query.sorts,
      accounts: viewers.length,
    })
    const readers = viewers.map(() => createRowReader({ query: this.#query, info: this.#info }))
    this.#hasCounted = () => readers.some(reader => reader.hasCounted())
    this.job = createRowComparison({
      accounts: readers.map((reader, account) => ({
        fetch: this.#fetches[account] ?? (() => Promise.reject(new Error('No account'))),
        reader,
        take: rows => this.index.add(account, rows),
      })),
      rechecks: createRechecks({
        index: this.index,
        info: this.#info,
        query: this.#query,
        fetches: this.#fetches,
      }),
      onRequest: (account, id) => {
        this.#requests[account] = id
      },
    })
    this.#snapshot = this.#snapshotAt(wall())
    this.job.actor.subscribe(() => {
      // Publish the end immediately.
      if (isEnded(this.#state().phase)) this.#publishing.now()
      else this.#publishing.ask()
    })
  }

  readonly snapshot = (): ComparisonSnapshot => this.#snapshot

  readonly subscribe = this.#listeners.subscribe

  readonly cancel = (): void => this.job.actor.send({ type: 'comparison.cancel' })

  readonly retry = (): void => this.job.actor.send({ type: 'comparison.retry' })

  readonly stop = (): void => {
    this.#publishing.cancel()
    this.#leaving.abort()
    this.job.actor.stop()
  }

  /**
   * Loads the values of shown rows for accounts that see them, and marks rows that changed since the
   * comparison.
   */
  readonly load = (rows: readonly number[], accounts: readonly number[]): void => {
    for (const account of accounts) {
      const missing = rows.filter(
        number =>
          this.index.printOf(account, number) !== undefined &&
          this.index.valuesOf(account, number) === undefined &&
          !this.#loading.has(`${account} ${number}`),
      )
      for (let at = 0; at < missing.length; at += ROWS_AT_ONCE)
        void this.#loadValues(account, missing.slice(at, at + ROWS_AT_ONCE))
    }
  }

  async #loadValues(account: number, rows: readonly number[]): Promise<void> {
    const fetch = this.#fetches[account]
    if (fetch === undefined) return
    const { signal } = this.#leaving
    const names = rows.map(number => `${account} ${number}`)
    for (const name of names) this.#loading.add(name)
    try {
      const wantedRows = rows.map(number => this.index.rowOf(number))
      const readRows = new Map<number | undefined, Row>()
      for (const reader of readersOfRows(this.#query, this.#info, wantedRows))
        for (let isLast = false; !isLast;) {
          const answer = await readPage(fetch, reader, signal, () => undefined)
          if ('kind' in answer) return
          const step = reader.take(answer)
          for (const row of step.rows) readRows.set(this.index.numberOf(row), row)
          if (step.missing > 0) return
          isLast = step.isLast
        }
      for (const number of rows) {
        const row = readRows.get(number)
        if (row && this.index.print(row) === this.index.printOf(account, number))
          this.index.keepValues(account, number, row, true)
        else this.index.markChanged(number)
      }
      if (!signal.aborted) this.#publishing.now()
    } catch {
      // They load again when the user scrolls back.
    } finally {
      for (const name of names) this.#loading.delete(name)
    }
  }

  readonly #state = (): RowComparisonState => rowComparisonState(this.job.actor.getSnapshot())

  #isRead(): readonly boolean[] {
    return this.#state().scans.map(({ phase }) => phase === 'read')
  }

  #publish(): void {
    this.#snapshot = this.#snapshotAt(this.#snapshot.startedAt)
    this.#listeners.notify()
  }

  #snapshotAt(startedAt: Date): ComparisonSnapshot {
    const state = this.#state()
    const endedAt = isEnded(state.phase) ? (this.#snapshot?.endedAt ?? this.#options.wall()) : undefined
    return {
      ...state,
      isRead: this.#isRead(),
      startedAt,
      endedAt,
      requests: [...this.#requests],
      hasCounted: this.#hasCounted(),
    }
  }
}

/** The headline. */
export function formatSummary(
  summary: IndexSummary,
  { phase, isRead }: Pick<ComparisonSnapshot, 'phase' | 'isRead'>,
  shownAccounts: readonly number[],
): string {
  if (shownAccounts.length < 2) return 'Choose at least two accounts to compare.'
  const { compared, differing, changed } = summary
  const isWhole = phase === 'done' || (phase === 'partial' && shownAccounts.every(account => isRead[account]))
  const isNothing = isWhole && compared === 0 && changed === 0
  if (isNothing) return 'None of these accounts sees any rows.'
  const rows = differing === 1 ? '1 row differs' : `${formatCount(differing)} rows differ`
  if (isWhole)
    return [
      differing === 0
        ? `No differences in ${plural(compared, 'row')} compared`
        : `${rows} of ${formatCount(compared)} compared`,
      ...(changed > 0 ? [`${plural(changed, 'row')} changed and not compared`] : []),
    ].join(' · ')
  const soFar = `${rows} so far of ${formatCount(compared)} compared`
  if (phase === 'rechecking' || phase === 'recheckBackingOff')
    return `${soFar} · checking the differences again`
  if (phase === 'canceled') return `Canceled: ${soFar}`
  if (phase === 'unconfirmed') return `${soFar} · not all differences could be checked again`
  return isEnded(phase) ? `Incomplete: ${soFar}` : soFar
}

/** Describes the differences. */
export function formatDetails({ hidden, otherValues, notCompared }: IndexSummary): string {
  return [
    ...(hidden > 0 ? [`${formatCount(hidden)} hidden from some accounts`] : []),
    ...(otherValues > 0 ? [`${formatCount(otherValues)} with different values`] : []),
    ...(notCompared > 0 ? [`${plural(notCompared, 'row')} not compared`] : []),
  ].join(' · ')
}

/** When the rows were read. */
export function formatTimes({
  startedAt,
  endedAt,
}: Pick<ComparisonSnapshot, 'startedAt' | 'endedAt'>): string {
  if (endedAt === undefined) return `Started at ${formatTime(startedAt)}`
  const [from, to] = [formatTime(startedAt), formatTime(endedAt)]
  return from === to ? `Compared at ${to}` : `Compared from ${from} to ${to}`
}

/** The progress of one account. */
export function formatScan({ phase, read, total }: ComparisonSnapshot['scans'][number]): string {
  if (phase === 'read') return plural(read, 'row')
  return total === undefined
    ? `${plural(read, 'row')} read`
    : `${formatCount(read)} of ${plural(total, 'row')} read`
}
