// The rows of a query: read page by page as they become visible, counted, and updated by live changes.
import { Listeners } from '../../../trace/index.ts'
import type { ChartroomClient, RowChange } from '../../client/index.ts'
import { createPageLoader, type PageLoader } from './loader.ts'
import { NO_PAGES, PAGE_ROWS, type Pages, type PagesAction, pagesNeeded, pagesReducer } from './pages.ts'
import { countRows, readPage } from './read.ts'
import { type Row, rowKey, type TableInfo } from './schema.ts'
import type { TableQuery } from './table-query.ts'

export interface RowsState {
  readonly pages: Pages
  /** Visible rows are missing or outdated. */
  readonly isLoading: boolean
  /** Id of the last request with a response. */
  readonly request: string | undefined
}

const NOTHING: RowsState = { pages: NO_PAGES, isLoading: false, request: undefined }
const NOWHERE = { first: 0, last: 0, pages: '' }

/** Rows loaded ahead of the viewport. */
const AHEAD = 30
/** In ms. Distant rows load after scrolling stops. */
const SETTLED_MS = 40
/** In ms. Changes within this time cause one read. */
const GATHER_MS = 120

/** Identifies the rows of a query, ignoring their order. */
const filterKey = ({ schema, table, filters }: TableQuery) => JSON.stringify([schema, table, filters])

/** The effect of several changes on the loaded rows. */
export const touchedBy = (
  changes: readonly Pick<RowChange, 'type' | 'record' | 'old'>[],
  { info, pages }: { readonly info: TableInfo; readonly pages: Pages },
): Extract<PagesAction, { type: 'rows.touched' }> => {
  const shown = new Set([...pages.rows.values()].flat().map(row => rowKey(info, row)))
  const keys: string[] = []
  let shift = 0
  for (const change of changes) {
    const key = rowKey(info, change.type === 'DELETE' ? change.old : change.record)
    if (key === undefined) continue
    // RLS does not filter DELETE events, so the deletion of an unseen row tells nothing about visible rows.
    if (change.type === 'DELETE') shift -= shown.has(key) ? 1 : 0
    else keys.push(key)
    if (change.type === 'INSERT' && !shown.has(key)) shift += 1
  }
  return { type: 'rows.touched', keys, shift }
}

export class RowsStore {
  readonly #client: ChartroomClient
  readonly #listeners = new Listeners()
  #state = NOTHING
  /** Undefined while no page shows the table. */
  #query: TableQuery | undefined
  #info: TableInfo | undefined
  #loader: PageLoader | undefined
  #visible = NOWHERE
  #settling: ReturnType<typeof setTimeout> | undefined
  /** The count under way, by its filters. */
  #count: { readonly filters: string; readonly left: AbortController } | undefined
  #changes: RowChange[] = []
  #gathering: ReturnType<typeof setTimeout> | undefined

  constructor(client: ChartroomClient) {
    this.#client = client
  }

  readonly state = (): RowsState => this.#state

  readonly subscribe = this.#listeners.subscribe

  /** Sets the table as known now. Required before `open`. */
  know(info: TableInfo): void {
    this.#info = info
  }

  /** Reads this query from now on; current rows stay until they are replaced. */
  open(query: TableQuery): void {
    this.#stop()
    this.#query = query
    this.#loader = createPageLoader({
      read: (page, signal) => readPage(this.#reading(query), page, this.#state.pages, signal),
      onAnswer: (page, answer) => {
        this.#state = { ...this.#state, request: answer.request }
        if (!answer.ok) return this.#take({ type: 'page.failed', failure: answer.failure })
        this.#take({ type: 'page.read', page, rows: answer.rows, estimate: answer.total, seen: page })
      },
    })
    this.#take({ type: 'query.asked', asked: JSON.stringify(query), filters: filterKey(query) })
  }

  /** Ends all reads and forgets the rows. */
  readonly close = (): void => {
    this.#stop()
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    this.#changes = []
    this.#query = undefined
    this.#visible = NOWHERE
    this.#state = NOTHING
    this.#listeners.notify()
  }

  readonly reload = (): void => {
    if (this.#query) this.open(this.#query)
  }

  /** Reads the visible rows; called in every frame of scrolling. */
  readonly look = (first: number, last: number): void => {
    const [from, to] = [Math.max(0, first - AHEAD), last + AHEAD]
    const pages = `${Math.floor(from / PAGE_ROWS)} ${Math.floor(to / PAGE_ROWS)}`
    if (pages === this.#visible.pages) return
    this.#visible = { first: from, last: to, pages }
    this.#show(this.#state.pages)
  }

  /** A live change. */
  readonly changed = (change: RowChange): void => {
    this.#changes.push(change)
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      const [info, changes] = [this.#info, this.#changes.splice(0)]
      if (info) this.#take(touchedBy(changes, { info, pages: this.#state.pages }))
    }, GATHER_MS)
  }

  /** The row with this key as saved by the server. */
  readonly replaced = (key: string, row: Row): void => {
    if (this.#info) this.#take({ type: 'row.replaced', info: this.#info, row, key })
  }

  /** Rows that were deleted. */
  readonly gone = (keys: ReadonlySet<string>): void => {
    if (this.#info) this.#take({ type: 'rows.gone', info: this.#info, keys })
  }

  #reading(query: TableQuery) {
    if (!this.#info) throw new Error(`Rows of ${query.table} are read, but nothing is known of the table.`)
    return { client: this.#client, query, info: this.#info }
  }

  #take(action: PagesAction): void {
    if (this.#query) this.#show(pagesReducer(this.#state.pages, action))
  }

  /** Publishes the rows, and reads and counts what they lack. */
  #show(pages: Pages): void {
    const { first, last } = this.#visible
    const needed = pages.isReading ? pagesNeeded(pages, first, last) : []
    const isLoading = needed.length > 0
    if (pages !== this.#state.pages || isLoading !== this.#state.isLoading) {
      this.#state = { ...this.#state, pages, isLoading }
      this.#listeners.notify()
    }
    clearTimeout(this.#settling)
    if (needed[0] === 0) this.#loader?.want(needed)
    else if (isLoading) this.#settling = setTimeout(() => this.#loader?.want(needed), SETTLED_MS)
    this.#countFor(pages)
  }

  /** Counts exactly when the first page has no exact total, once per set of filters. */
  #countFor({ phase, total, isExact, filters }: Pages): void {
    const wanted = phase === 'ready' && total !== null && !isExact ? filters : ''
    if (wanted === (this.#count?.filters ?? '')) return
    this.#count?.left.abort()
    this.#count = undefined
    if (wanted === '' || !this.#query) return
    const left = new AbortController()
    this.#count = { filters: wanted, left }
    countRows(this.#reading(this.#query), left.signal).then(
      counted => {
        if (counted !== undefined && !left.signal.aborted)
          this.#take({ type: 'total.counted', total: counted, isExact: true })
      },
      () => undefined,
    )
  }

  #stop(): void {
    this.#loader?.dispose()
    this.#loader = undefined
    this.#count?.left.abort()
    this.#count = undefined
    clearTimeout(this.#settling)
  }
}
