// Lists flat object names as folders, or in pages.
import type * as v from 'valibot'
import type { pageBody } from './bodies.ts'
import { invalidRequest } from './failure.ts'
import { type ObjectRow, withIsoTimes } from './rows.ts'

export interface ListedItem {
  readonly name: string
  readonly id: string | null
  readonly updated_at: string | null
  readonly created_at: string | null
  readonly last_accessed_at: string | null
  readonly metadata: unknown
}

export interface ListOptions {
  readonly prefix: string
  readonly search: string
  readonly limit: number
  readonly offset: number
  readonly sortBy: 'name' | 'updated_at' | 'created_at' | 'last_accessed_at'
  readonly order: 'asc' | 'desc'
}

/** Files directly under the prefix, and one entry per folder; folders have no id. */
export function listFolder(rows: readonly ObjectRow[], options: ListOptions): ListedItem[] {
  const folders = new Set<string>()
  const files: ListedItem[] = []
  for (const row of rows) {
    const rest = row.name.slice(options.prefix.length)
    const slash = rest.indexOf('/')
    const name = slash < 0 ? rest : rest.slice(0, slash)
    if (!name.toLowerCase().startsWith(options.search.toLowerCase())) continue
    if (slash < 0) files.push(toItem(name, row))
    else folders.add(name)
  }
  const direction = options.order === 'desc' ? -1 : 1
  const valueOf = (item: ListedItem) => item[options.sortBy] ?? ''
  const byChoice = (a: ListedItem, b: ListedItem) =>
    direction * (valueOf(a) < valueOf(b) ? -1 : valueOf(a) > valueOf(b) ? 1 : a.name < b.name ? -1 : 1)
  const empty = { id: null, updated_at: null, created_at: null, last_accessed_at: null, metadata: null }
  const items = [...[...folders].map(name => ({ name, ...empty })), ...files].toSorted(byChoice)
  return items.slice(options.offset, options.offset + options.limit)
}

function toItem(name: string, row: ObjectRow): ListedItem {
  const { id, updated_at, created_at, last_accessed_at, metadata } = withIsoTimes(row)
  return { name, id, updated_at, created_at, last_accessed_at, metadata }
}

/** An entry of a listing in pages; folders end with a slash. */
interface PageEntry extends Partial<ListedItem> {
  readonly name: string
  /** With a delimiter, the last part of the name. */
  readonly key?: string
}

export interface ListPage {
  readonly hasNext: boolean
  readonly nextCursor?: string
  readonly folders: readonly PageEntry[]
  readonly objects: readonly PageEntry[]
}

/** The objects whose names begin with the prefix; with a delimiter, those in folders are listed as their folder. */
export function listPage(
  rows: readonly ObjectRow[],
  { prefix, limit, cursor, with_delimiter: isFolded, sortBy }: v.InferOutput<typeof pageBody>,
): ListPage {
  const { column, order } = sortBy
  const folders = new Map<string, PageEntry>()
  const objects: PageEntry[] = []
  for (const row of rows) {
    const slash = isFolded ? row.name.indexOf('/', prefix.length) : -1
    const name = slash < 0 ? row.name : row.name.slice(0, slash + 1)
    const key = slash < 0 ? row.name.split('/').at(-1) : row.name.slice(0, slash).split('/').at(-1)
    if (slash < 0) objects.push({ ...toItem(name, row), ...(isFolded && key !== undefined && { key }) })
    else folders.set(name, { name, ...(key !== undefined && { key }) })
  }
  const direction = order === 'desc' ? -1 : 1
  /** Equal times are ordered by name, and folders have none. */
  const placeOf = (entry: PageEntry) => `${entry[column] ?? ''}\n${entry.name}`
  const compare = (a: string, b: string) => (a === b ? 0 : direction * (a < b ? -1 : 1))
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const left = [...folders.values(), ...objects]
    .filter(entry => after === undefined || compare(placeOf(entry), after) > 0)
    .sort((a, b) => compare(placeOf(a), placeOf(b)))
  const page = left.slice(0, limit)
  const last = left.length > limit ? page.at(-1) : undefined
  return {
    hasNext: last !== undefined,
    ...(last && { nextCursor: Buffer.from(placeOf(last)).toString('base64url') }),
    folders: page.filter(({ name }) => folders.has(name)),
    objects: page.filter(({ name }) => !folders.has(name)),
  }
}

function decodeCursor(cursor: string): string {
  const place = Buffer.from(cursor, 'base64url').toString()
  if (!place.includes('\n')) throw invalidRequest('body/cursor is not one of this listing')
  return place
}
