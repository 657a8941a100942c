// Lists flat object names as folders, or in pages, in the orders of the storage server.
import type { ListBody, PageBody } from './bodies.ts'
import { StorageFailure } from './failure.ts'
import { type ObjectRow, withIsoTimes } from './rows.ts'

export interface ListedItem {
  readonly name: string
  readonly id: string | null
  readonly updated_at: string | null
  readonly created_at: string | null
  readonly last_accessed_at: string | null
  readonly metadata: unknown
}

const MOST_LISTED = 1500
const FOLDER = { id: null, updated_at: null, created_at: null, last_accessed_at: null, metadata: null }

/** Compares by bytes, as the storage server's tables are sorted; units of UTF-16 differ above U+FFFF only. */
const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Files directly under the prefix, and one entry per folder; folders have no id. Sorted by name, upper
 * and lower case are the same, also for the names of folders; sorted by a time, folders come first.
 * @param rows those whose names begin with the prefix and the search, ignoring case
 */
export function listFolder(rows: readonly ObjectRow[], body: ListBody): ListedItem[] {
  const { prefix, search = '', limit = 100, offset = 0 } = body
  const { column = 'name', order = 'asc' } = body.sortBy ?? {}
  // A search may name a folder under the prefix; its files are then listed with it.
  const depth = prefix.length + search.lastIndexOf('/') + 1
  const isByName = column === 'name'
  const folders = new Map<string, string>()
  const files: ListedItem[] = []
  const direction = order === 'desc' ? -1 : 1
  const positioned = rows.map(row => ({ row, place: row.name.toLowerCase() }))
  // A folder has the spelling of its first file.
  for (const { row } of positioned.toSorted((a, b) => direction * compareTexts(a.place, b.place))) {
    const slash = row.name.indexOf('/', depth)
    const name = row.name.slice(prefix.length, slash < 0 ? undefined : slash)
    if (slash < 0) files.push(toItem(name, row))
    else {
      const key = isByName ? name.toLowerCase() : name
      if (!folders.has(key)) folders.set(key, name)
    }
  }
  const placeOf = ({ name, id }: ListedItem) => name.toLowerCase() + (id === null ? '/' : '')
  const byName = (a: ListedItem, b: ListedItem) => direction * compareTexts(placeOf(a), placeOf(b))
  const byTime = (a: ListedItem, b: ListedItem) => direction * compareTexts(a[column] ?? '', b[column] ?? '')
  const listedFolders = [...folders.values()].map(name => ({ name, ...FOLDER }))
  const items = isByName
    ? [...listedFolders, ...files].toSorted(byName)
    : [
        ...listedFolders.toSorted((a, b) => direction * compareTexts(a.name, b.name)),
        ...files.toSorted(byTime),
      ]
  return items.slice(offset, offset + Math.min(limit, MOST_LISTED))
}

function toItem(name: string, row: ObjectRow): ListedItem {
  const { id, updated_at, created_at, last_accessed_at, metadata } = withIsoTimes(row)
  return { name, id, updated_at, created_at, last_accessed_at, metadata }
}

/** An entry of a listing in pages; folders end with a slash. */
interface PageEntry extends ListedItem {
  /** With a delimiter, the last part of the name. */
  readonly key?: string
}

export interface ListPage {
  readonly hasNext: boolean
  readonly nextCursor?: string
  /** The name of the last entry of the page. */
  readonly nextCursorKey?: string
  readonly folders: readonly PageEntry[]
  readonly objects: readonly PageEntry[]
}

const MOST_ON_PAGE = 1000

/**
 * The objects whose names begin with the prefix, which may have any spelling in `listFolder` but not here; with a
 * delimiter, those in folders are listed as their folder.
 */
export function listPage(rows: readonly ObjectRow[], body: PageBody): ListPage {
  const { prefix = '', limit = MOST_ON_PAGE, cursor, with_delimiter: isFolded = false } = body
  const after = cursor ? decodeCursor(cursor) : undefined
  const { column = 'name', order = 'asc' } = after ?? body.sortBy ?? {}
  const folders = new Map<string, PageEntry>()
  const objects: PageEntry[] = []
  for (const row of rows) {
    const slash = isFolded ? row.name.indexOf('/', prefix.length) : -1
    const name = slash < 0 ? row.name : row.name.slice(0, slash + 1)
    const key = (slash < 0 ? row.name : row.name.slice(0, slash)).split('/').at(-1)
    if (slash < 0) objects.push({ ...toItem(name, row), ...(isFolded && key !== undefined && { key }) })
    else folders.set(name, { name, ...FOLDER, ...(key !== undefined && { key }) })
  }
  const direction = order === 'desc' ? -1 : 1
  /** Equal times are ordered by name, and folders have none. */
  const compare = (a: PageEntry | Cursor, b: PageEntry | Cursor) =>
    direction * (compareTexts(timeOf(a, column), timeOf(b, column)) || compareTexts(a.name, b.name))
  const left = [...folders.values(), ...objects]
    .filter(entry => after === undefined || compare(entry, after) > 0)
    .sort(compare)
  const page = left.slice(0, Math.min(limit, MOST_ON_PAGE))
  const last = left.length > page.length ? page.at(-1) : undefined
  return {
    hasNext: last !== undefined,
    ...(last && {
      nextCursor: encodeCursor({ name: last.name, column, order, time: timeOf(last, column) }),
      nextCursorKey: last.name,
    }),
    folders: page.filter(({ name }) => folders.has(name)),
    objects: page.filter(({ name }) => !folders.has(name)),
  }
}

type PageColumn = NonNullable<PageBody['sortBy']>['column']

function timeOf(entry: PageEntry | Cursor, column: PageColumn): string {
  if ('time' in entry) return entry.time
  return column === 'name' ? '' : (entry[column] ?? '')
}

/** The end of a page, and how the listing is sorted. */
interface Cursor {
  readonly name: string
  readonly column: PageColumn
  readonly order: 'asc' | 'desc'
  readonly time: string
}

function encodeCursor({ name, column, order, time }: Cursor): string {
  return Buffer.from([column, order, time, name].join('\n')).toString('base64')
}

function decodeCursor(cursor: string): Cursor {
  const text = Buffer.from(cursor, 'base64').toString()
  const [, column, order, time = '', name = ''] =
    /^(name|created_at|updated_at)\n(asc|desc)\n(.*)\n([^]*)$/.exec(text) ?? []
  if (isColumn(column) && isOrder(order)) return { name, column, order, time }
  throw new StorageFailure(
    400,
    'InvalidParameter',
    'InvalidParameter',
    'Invalid Parameter continuation token',
  )
}

const isColumn = (text: string | undefined): text is PageColumn => text !== undefined
const isOrder = (text: string | undefined): text is 'asc' | 'desc' => text !== undefined
