// The loaded rows of an open table: what its machine reads and counts, with the user's own writes and live changes.
import {
  type CountEvent,
  type PageEvent,
  pageReadMachine,
  type ReloadReason,
  tableRowsMachine,
} from '../../../machines/workbench/table-rows.ts'
import { Listeners } from '../../../trace/index.ts'
import type { ChannelStatus, ChartroomClient, RowChange } from '../../client/index.ts'
import { effect } from '../../runtime/index.ts'
import { type Job, type JobEvent, runJob } from '../jobs/run-job.ts'
import type { DataFailure } from '../rest/explain-failure.ts'
import { countRows, type PageResponse, type Reading, readPage } from './page-requests.ts'
import { NO_PAGES, PAGE_ROWS, type Pages, type PagesAction, pagesNeeded, pagesReducer } from './pages.ts'
import type { RelatedColumn } from './related.ts'
import { type Row, rowKey, type TableInfo } from './schema.ts'
import type { TableQuery } from './table-query.ts'

export interface RowsState {
  readonly pages: Pages
  /** Visible rows are missing or outdated. */
  readonly isLoading: boolean
  /** Id of the last request with a response. */
  readonly request: string | undefined
  /** Why the rows were last read; undefined before the first time. */
  readonly reason: ReloadReason | undefined
  /** Why columns of related rows could not be read with the last page. */
  readonly relatedFailure: DataFailure | undefined
}

const NOTHING: RowsState = {
  pages: NO_PAGES,
  isLoading: false,
  request: undefined,
  reason: undefined,
  relatedFailure: undefined,
}
const NOWHERE = { first: 0, last: 0, pages: '' }

/** Rows loaded ahead of the viewport. */
const AHEAD = 30

const UNKNOWN: DataFailure = { message: 'The rows could not be read.', retry: false }

/** Identifies the rows of a query, ignoring their order. */
const filterKey = ({ schema, table, filters }: TableQuery) => JSON.stringify([schema, table, filters])

const changedRow = ({ type, record, old }: Pick<RowChange, 'type' | 'record' | 'old'>) =>
  type === 'DELETE' ? old : record

/**
 * Whether the key of a changed row is that of the row. Realtime sends JSON numbers, which lost digits when they became
 * JavaScript's: `1.10` is `1.1`, and an integer above 2^53 may be that of another row.
 */
const hasExactKey = ({ columns }: TableInfo, row: Readonly<Record<string, unknown>>): boolean =>
  columns.every(({ name, type, isKey }) => {
    const value = row[name]
    return !isKey || typeof value !== 'number' || (type === 'integer' && Number.isSafeInteger(value))
  })

/** The effect of several changes on the loaded rows. */
export const touchedBy = (
  changes: readonly Pick<RowChange, 'type' | 'record' | 'old'>[],
  { info, pages }: { readonly info: TableInfo; readonly pages: Pages },
): Extract<PagesAction, { type: 'rows.touched' }> => {
  const shownKeys = new Set([...pages.rows.values()].flat().map(row => rowKey(info, row)))
  const keys: string[] = []
  let shift = 0
  for (const change of changes) {
    const row = changedRow(change)
    const key = hasExactKey(info, row) ? rowKey(info, row) : undefined
    if (key === undefined) continue
    // RLS does not filter DELETE events, so the deletion of an unseen row tells nothing about visible rows.
    if (change.type === 'DELETE') shift -= shownKeys.has(key) ? 1 : 0
    else keys.push(key)
    if (change.type === 'INSERT' && !shownKeys.has(key)) shift += 1
  }
  return { type: 'rows.touched', keys, shift }
}

export type TableRows = Job<typeof tableRowsMachine>

export class RowsStore {
  readonly #client: ChartroomClient
  readonly #onBegun: (job: TableRows) => void
  readonly #listeners = new Listeners()
  #state = NOTHING
  #query: TableQuery | undefined
  #info: TableInfo | undefined
  /** Undefined while no page shows the table. */
  #job: TableRows | undefined
  #visible = NOWHERE
  /** Responses that the machine has not decided about, by page. */
  readonly #answers = new Map<number, PageResponse>()
  #changes: RowChange[] = []
  #writes = 0
  /** Keys of rows that the user wrote a moment ago, with the number of the last write. */
  readonly #ownWrites = new Map<string, number>()
  /** Keys of rows that are marked, with the number of the last batch of changes. */
  readonly #markedRows = new Map<string, number>()

  /** @param onBegun called when the table is opened, to add its machine to the console */
  constructor(client: ChartroomClient, onBegun: (job: TableRows) => void) {
    this.#client = client
    this.#onBegun = onBegun
  }

  readonly state = (): RowsState => this.#state

  readonly subscribe = this.#listeners.subscribe

  /** Sets the table as known now. Required before `open`. */
  know(info: TableInfo): void {
    this.#info = info
  }

  /** Reads this query from now on; current rows stay until they are replaced. */
  open(query: TableQuery): void {
    this.#query = query
    this.#reading()
    this.#job ??= this.#begin()
    this.reload({ kind: 'query' })
  }

  /** Ends all reads and forgets the rows. */
  readonly close = (): void => {
    this.#job?.actor.stop()
    this.#job = undefined
    for (const all of [this.#answers, this.#ownWrites, this.#markedRows]) all.clear()
    this.#changes = []
    this.#query = undefined
    this.#visible = NOWHERE
    this.#state = NOTHING
    this.#listeners.notify()
  }

  readonly reload = (reason: ReloadReason): void => this.#send({ type: 'rows.reload', reason })

  /** The backend responds again. */
  readonly recovered = (): void => this.#send({ type: 'backend.recovered' })

  /** The channel that reports live changes. */
  readonly follow = ({ data }: Pick<ChannelStatus, 'data'>): void =>
    this.#send({ type: data === 'live' || data === 'resyncing' ? 'channel.live' : 'channel.lost' })

  /** Reads the visible rows; called in every frame of scrolling. */
  readonly showRange = (first: number, last: number): void => {
    const [from, to] = [Math.max(0, first - AHEAD), last + AHEAD]
    const pages = `${Math.floor(from / PAGE_ROWS)} ${Math.floor(to / PAGE_ROWS)}`
    if (pages === this.#visible.pages) return
    this.#visible = { first: from, last: to, pages }
    this.#show(this.#state.pages)
  }

  /** A live change. */
  readonly changed = (change: RowChange): void => {
    if (!this.#job) return
    // One event for a batch: a storm of changes does not fill the recording.
    if (this.#changes.push(change) === 1) this.#send({ type: 'row.changed' })
  }

  /** The row with this key as saved by the server. */
  readonly replaced = (key: string, row: Row): void => {
    if (!this.#info) return
    const related = this.#query?.related ?? []
    const before = related.length === 0 ? undefined : this.loaded(key)
    this.#written([key])
    this.#take({ type: 'row.replaced', info: this.#info, row, key, related })
    const isElsewhere = ({ steps: [first] }: RelatedColumn) =>
      first?.columns.some(name => before?.[name] !== row[name]) === true
    if (before !== undefined && related.some(isElsewhere)) this.reload({ kind: 'written' })
    // Its change may have arrived before the response.
    this.#take({ type: 'rows.faded', keys: new Set([key]) })
  }

  /** Rows that were deleted. */
  readonly removeRows = (keys: ReadonlySet<string>): void => {
    this.#written(keys)
    if (this.#info) this.#take({ type: 'rows.gone', info: this.#info, keys })
  }

  /** The row with this key, if it is loaded. */
  readonly loaded = (key: string): Row | undefined => {
    const info = this.#info
    if (!info) return undefined
    for (const rows of this.#state.pages.rows.values()) {
      const row = rows.find(each => rowKey(info, each) === key)
      if (row !== undefined) return row
    }
    return undefined
  }

  #begin(): TableRows {
    const readOne = effect<{ readonly page: number }, PageEvent>(async ({ page }, signal, send) => {
      const answer = await readPage(this.#reading(), page, this.#state.pages, signal)
      if (signal.aborted) return undefined
      const { request } = answer
      this.#answers.set(page, answer)
      this.#state = { ...this.#state, request }
      send(
        answer.ok
          ? { type: 'page.received', isNew: !this.#state.pages.rows.has(page), request }
          : { type: 'page.refused', retry: answer.failure.retry, request },
      )
      return undefined
    })
    const count = effect<unknown, CountEvent>(async (_, signal, send) => {
      const total = await countRows(this.#reading(), signal)
      if (signal.aborted || total === undefined) return { type: 'rows.uncounted' }
      send({ type: 'rows.counted', count: total })
      this.#take({ type: 'total.counted', total, isExact: true })
      return undefined
    })
    const pageRead = pageReadMachine.provide({ actors: { readPage: readOne } })
    const machine = tableRowsMachine.provide({ actors: { pageRead, countRows: count } })
    const job = runJob('tableRows', machine, undefined)
    job.actor.on('reload.started', () => {
      const query = this.#query
      if (query)
        this.#take({ type: 'query.asked', queryId: JSON.stringify(query), filters: filterKey(query) })
    })
    job.actor.on('page.read', ({ page, isOutdated }) => {
      const answer = this.#takeAnswer(page)
      if (!answer?.ok) return
      const { rows, total, isLast, isKeyShared, relatedFailure } = answer
      this.#state = { ...this.#state, relatedFailure }
      const read = { page, rows, isLast, isKeyShared, estimate: total, seenCount: page, isOutdated }
      this.#take({ type: 'page.read', ...read })
    })
    job.actor.on('page.failed', ({ page }) => {
      const answer = this.#takeAnswer(page)
      this.#take({ type: 'page.failed', failure: answer?.ok === false ? answer.failure : UNKNOWN })
    })
    job.actor.on('changes.gathered', ({ batch }) => this.#apply(batch))
    job.actor.on('total.doubted', () => this.#take({ type: 'total.doubted' }))
    job.actor.on('echo.over', ({ write }) => void forget(this.#ownWrites, write))
    job.actor.on('marks.over', ({ batch }) => {
      this.#take({ type: 'rows.faded', keys: forget(this.#markedRows, batch) })
    })
    this.#onBegun(job)
    return job
  }

  #takeAnswer(page: number): PageResponse | undefined {
    const answer = this.#answers.get(page)
    this.#answers.delete(page)
    return answer
  }

  /** Applies the live changes since the last batch. */
  #apply(batch: number): void {
    const [info, changes] = [this.#info, this.#changes.splice(0)]
    if (!info) return
    const isOwn = (key: string | undefined) => key !== undefined && this.#ownWrites.has(key)
    const rows = changes.map(changedRow)
    const touchedPages = touchedBy(changes, { info, pages: this.#state.pages })
    const keys = touchedPages.keys.filter(key => !isOwn(key))
    for (const key of keys) this.#markedRows.set(key, batch)
    const otherCount = rows.filter(row => !isOwn(rowKey(info, row))).length
    this.#send({
      type: 'changes.applied',
      batch,
      others: otherCount,
      isUnclear: rows.some(row => !hasExactKey(info, row)),
    })
    this.#take({ ...touchedPages, keys })
  }

  /** Rows of these keys are as the user wrote them, until others change them. */
  #written(keys: Iterable<string>): void {
    if (!this.#job) return
    const write = ++this.#writes
    for (const key of keys) this.#ownWrites.set(key, write)
    this.#send({ type: 'rows.written', write })
  }

  #reading(): Reading {
    const [query, info] = [this.#query, this.#info]
    if (!query) throw new Error('Rows are read, but no query is open.')
    if (!info) throw new Error(`Rows of ${query.table} are read, but nothing is known of the table.`)
    return { client: this.#client, query, info }
  }

  #send(event: JobEvent<TableRows>): void {
    this.#job?.actor.send(event)
  }

  #take(action: PagesAction): void {
    if (this.#job) this.#show(pagesReducer(this.#state.pages, action))
  }

  /** Publishes the rows, and reports what they lack. */
  #show(pages: Pages): void {
    const { first, last } = this.#visible
    const missing = pages.isReading ? pagesNeeded(pages, first, last) : []
    const isLoading = missing.length > 0
    const reason = this.#job?.actor.getSnapshot().context.reason
    if (pages !== this.#state.pages || isLoading !== this.#state.isLoading || reason !== this.#state.reason) {
      this.#state = { ...this.#state, pages, isLoading, reason }
      this.#listeners.notify()
    }
    const { phase, total, isExact } = pages
    const isEstimate = phase === 'ready' && total !== null && !isExact
    this.#send({ type: 'view.changed', missing, isEstimate })
  }
}

/** Removes the keys with this number. @returns them */
function forget(keys: Map<string, number>, number: number): ReadonlySet<string> {
  const goneKeys = new Set([...keys].flatMap(([key, last]) => (last === number ? [key] : [])))
  for (const key of goneKeys) keys.delete(key)
  return goneKeys
}
