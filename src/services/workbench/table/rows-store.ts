// The rows of a query: read page by page as they become visible, counted, and updated by live changes.
import { Listeners } from '../../../trace/index.ts'
import type { ChartroomClient, RowChange } from '../../client/index.ts'
import {
  NO_PAGES,
  PAGE_ROWS,
  type Pages,
  type PagesAction,
  pagesNeeded,
  pagesReducer,
  rowCount,
} from './pages.ts'
import { type Row, rowKey, type TableInfo } from './schema.ts'
import { type TableQuery, selectName, sortText, toRestRead, callTable } from './table-query.ts'
import { type RestResponse, callRest, type RestRead } from '../rest/rest.ts'
import { conditionAfter, totalOrder } from './cursor.ts'

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
/** In ms. A change of a row within this time after the user's own write is taken for its echo. */
const ECHO_MS = 5_000
/** In ms. Within this time after a response, changes may arrive that it already had. */
const DOUBT_MS = 2_000
/** In ms. Changes within this time cause one count. */
const RECOUNT_MS = 400
/** In ms. How long a row stays marked as changed by others. */
const LIVE_MS = 20_000

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
  const shown = new Set([...pages.rows.values()].flat().map(row => rowKey(info, row)))
  const keys: string[] = []
  let shift = 0
  for (const change of changes) {
    const row = changedRow(change)
    const key = hasExactKey(info, row) ? rowKey(info, row) : undefined
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
  /** Runs while a change may have been in a page or a count already: then the total is wrong by it. */
  #doubt: ReturnType<typeof setTimeout> | undefined
  #recounting: ReturnType<typeof setTimeout> | undefined
  /** The last count, by its filters; a failed one is not repeated. */
  #count: { readonly filters: string; readonly left: AbortController; isOver: boolean } | undefined
  #changes: RowChange[] = []
  #gathering: ReturnType<typeof setTimeout> | undefined
  /** Counts the changes of rows: a read that began before one may not contain it. */
  #changed = 0
  /** Its value at the last change by others that the pages know of, and at the user's last own write. */
  readonly #last = { others: 0, own: 0 }
  /** Keys of rows that the user wrote a moment ago, each with the timer that forgets it. */
  readonly #own = new Map<string, ReturnType<typeof setTimeout>>()
  /** The timer of each marked row; a newer mark has a newer timer. */
  readonly #marked = new Map<string, ReturnType<typeof setTimeout>>()

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
    const began = new Map<number, number>()
    this.#loader = createPageLoader({
      read: (page, signal) => {
        began.set(page, this.#changed)
        return readPage(this.#reading(query), page, this.#state.pages, signal)
      },
      onAnswer: (page, answer) => {
        this.#state = { ...this.#state, request: answer.request }
        if (!answer.ok) return this.#take({ type: 'page.failed', failure: answer.failure })
        this.#answered(page, answer, began.get(page) ?? 0)
      },
    })
    this.#take({ type: 'query.asked', asked: JSON.stringify(query), filters: filterKey(query) })
  }

  /** Takes a page that was read from the change `began` on; reads it again if a later change may be missing. */
  #answered(page: number, { rows, total, isLast, isKeyShared }: PageRead, began: number): void {
    const { pages } = this.#state
    const isOverwritten = this.#last.own > began
    // It would show the values from before the user's own write, on which the next edit would be based.
    if (isOverwritten && pages.rows.has(page)) return this.#show(pages)
    const isOutdated = isOverwritten || this.#last.others > began
    this.#doubtChanges()
    this.#take({
      type: 'page.read',
      page,
      rows,
      isLast,
      isKeyShared,
      estimate: total,
      seen: page,
      isOutdated,
    })
  }

  /** Ends all reads and forgets the rows. */
  readonly close = (): void => {
    this.#stop()
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    for (const timer of [...this.#own.values(), ...this.#marked.values()]) clearTimeout(timer)
    this.#own.clear()
    this.#marked.clear()
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
    this.#changed += 1
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      this.#last.others = this.#changed
      const [info, changes] = [this.#info, this.#changes.splice(0)]
      if (!info) return
      const isUnclear = changes.some(change => !hasExactKey(info, changedRow(change)))
      if (this.#doubt !== undefined || this.#count?.isOver === false || isUnclear) this.#recount()
      const touched = touchedBy(changes, { info, pages: this.#state.pages })
      const news = touched.keys.filter(key => !this.#own.has(key))
      this.#take({ ...touched, keys: news })
      if (news.length > 0) this.#fade(news)
    }, GATHER_MS)
  }

  #doubtChanges(): void {
    clearTimeout(this.#doubt)
    this.#doubt = setTimeout(() => (this.#doubt = undefined), DOUBT_MS)
  }

  /** Counts again in a moment; the first page alone shows the number of rows of a small table. */
  #recount(): void {
    this.#recounting ??= setTimeout(() => {
      this.#recounting = undefined
      if (this.#count?.isOver === false) this.#recount()
      else if (rowCount(this.#state.pages) >= PAGE_ROWS) this.#take({ type: 'total.doubted' })
    }, RECOUNT_MS)
  }

  /** Removes the marks of rows after a while. */
  #fade(keys: readonly string[]): void {
    const timer = setTimeout(() => {
      const faded = keys.filter(key => this.#marked.get(key) === timer)
      for (const key of faded) this.#marked.delete(key)
      this.#take({ type: 'rows.faded', keys: new Set(faded) })
    }, LIVE_MS)
    for (const key of keys) this.#marked.set(key, timer)
  }

  /** The row with this key as saved by the server. */
  readonly replaced = (key: string, row: Row): void => {
    if (!this.#info) return
    this.#writes()
    clearTimeout(this.#own.get(key))
    this.#own.set(
      key,
      setTimeout(() => this.#own.delete(key), ECHO_MS),
    )
    this.#take({ type: 'row.replaced', info: this.#info, row, key })
    // Its change may have arrived before the response.
    this.#take({ type: 'rows.faded', keys: new Set([key]) })
  }

  /** Rows that were deleted. */
  readonly gone = (keys: ReadonlySet<string>): void => {
    this.#writes()
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

  #writes(): void {
    this.#changed += 1
    this.#last.own = this.#changed
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
    const count = { filters: wanted, left: new AbortController(), isOver: false }
    this.#count = count
    void countRows(this.#reading(this.#query), count.left.signal)
      .catch(() => undefined)
      .then(counted => {
        count.isOver = true
        if (counted === undefined || count.left.signal.aborted) return
        this.#doubtChanges()
        this.#take({ type: 'total.counted', total: counted, isExact: true })
      })
  }

  #stop(): void {
    this.#loader?.dispose()
    this.#loader = undefined
    this.#count?.left.abort()
    this.#count = undefined
    for (const timer of [this.#settling, this.#doubt, this.#recounting]) clearTimeout(timer)
    this.#doubt = this.#recounting = undefined
  }
}

/** More requests would only queue in the database. */
const MOST_AT_ONCE = 3

interface PageLoader {
  /** Loads exactly these pages, in this order. */
  want(pages: readonly number[]): void
  dispose(): void
}

interface PageLoaderOptions {
  readonly read: (page: number, signal: AbortSignal) => Promise<PageResponse>
  readonly onAnswer: (page: number, answer: PageResponse) => void
}

/** Creates a loader for one query; a failure stops it. */
export const createPageLoader = ({ read, onAnswer }: PageLoaderOptions): PageLoader => {
  const flying = new Map<number, AbortController>()
  let isOver = false
  const start = (page: number) => {
    const left = new AbortController()
    flying.set(page, left)
    const isCurrent = () => !isOver && flying.get(page) === left
    read(page, left.signal).then(
      answer => {
        if (!isCurrent()) return
        flying.delete(page)
        if (!answer.ok) dispose()
        onAnswer(page, answer)
      },
      () => {
        if (isCurrent()) flying.delete(page)
      },
    )
  }
  const dispose = () => {
    isOver = true
    for (const left of flying.values()) left.abort()
    flying.clear()
  }
  return {
    want: pages => {
      if (isOver) return
      for (const [page, left] of flying)
        if (!pages.includes(page)) {
          left.abort()
          flying.delete(page)
        }
      for (const page of pages) if (!flying.has(page) && flying.size < MOST_AT_ONCE) start(page)
    },
    dispose,
  }
}

/** What a read needs. */
interface Reading {
  readonly client: ChartroomClient
  /** Without columns and range, which the reader sets. */
  readonly query: TableQuery
  readonly info: TableInfo
}

/** A page of the grid. */
export interface PageRead extends Extract<RestResponse, { ok: true }> {
  readonly isLast: boolean
  readonly isKeyShared: boolean
}

export type PageResponse = PageRead | Extract<RestResponse, { ok: false }>

/** The request for rows: after the row before them when that is known, else by offset. */
const rowsRequest = (
  { query, info }: Omit<Reading, 'client'>,
  {
    before,
    from,
    count,
  }: { readonly before: Row | undefined; readonly from: number; readonly count: number },
) => {
  const order = totalOrder(query.sorts, info)
  const { path, headers, query: parameters } = toRestRead({ ...query, columns: [], sorts: [] })
  const after = before && conditionAfter(order, before, info)
  const filters = parameters.filter(([name]) => name !== 'select')
  const read: RestRead = {
    path,
    headers,
    query: [
      ...filters,
      ...(after === undefined ? [] : [after]),
      ...(order.length === 0 ? [] : [['order', sortText(order)] as const]),
      ...(after === undefined && from > 0 ? [['offset', String(from)] as const] : []),
      ['limit', String(count)],
    ],
  }
  return { read, isByKey: after !== undefined }
}

const hasSharedKeys = (info: TableInfo, rows: readonly Row[]): boolean => {
  const keys = rows.map(row => rowKey(info, row) ?? '')
  return info.columns.some(({ isKey }) => isKey) && new Set(keys).size < keys.length
}

/**
 * Reads a page, and estimates the row count with the first one. A server may return fewer rows at once than requested,
 * so the page is filled until it is full or no rows are left; an estimate of no more rows than these is exact.
 */
const readPage = async (
  reading: Reading,
  page: number,
  state: Pages,
  signal: AbortSignal,
): Promise<PageResponse> => {
  const { client, info } = reading
  const isFirst = page === 0
  const rows: Row[] = []
  let before = state.stale.has(page - 1) ? undefined : state.rows.get(page - 1)?.at(-1)
  let isKeyShared = false
  let total: number | null = null
  for (;;) {
    const from = page * PAGE_ROWS + rows.length
    const { read, isByKey } = rowsRequest(reading, { before, from, count: PAGE_ROWS - rows.length })
    const answer = await callTable(client, {
      method: 'GET',
      ...read,
      columns: info.known ? info.columns : [],
      ...(isFirst && rows.length === 0 ? { prefer: 'count=estimated' } : {}),
      signal,
    })
    if (!answer.ok) return answer
    rows.push(...answer.rows)
    total ??= answer.total
    isKeyShared ||= hasSharedKeys(info, answer.rows)
    const end = from + answer.rows.length
    const isCountedEnd = end === (isFirst ? total : state.isExact ? state.total : null)
    const isFull = rows.length >= PAGE_ROWS
    if (isFull || isCountedEnd || (answer.rows.length === 0 && !isByKey))
      return { ...answer, rows, total: state.total === null ? total : null, isLast: !isFull, isKeyShared }
    // Without rows after the last one, an offset shows whether the server understood the condition.
    before = answer.rows.length === 0 || isKeyShared ? undefined : rows.at(-1)
  }
}

const COUNT_DEADLINE_MS = 6_000

/** The exact row count; undefined when counting takes too long. */
const countRows = async (
  { client, query, info }: Reading,
  signal: AbortSignal,
): Promise<number | undefined> => {
  const read = toRestRead({ ...query, columns: [], sorts: [] })
  const key = info.columns.find(column => column.isKey)?.name
  const answer = await callRest(client, {
    method: 'HEAD',
    path: read.path,
    headers: read.headers,
    query: [
      ['select', key === undefined ? '*' : selectName(key)],
      ...read.query.filter(([name]) => name !== 'select'),
      ['limit', '1'],
    ],
    prefer: 'count=exact',
    deadline: COUNT_DEADLINE_MS,
    isLow: true,
    signal,
  })
  return answer.ok ? (answer.total ?? undefined) : undefined
}
