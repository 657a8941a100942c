// Lists flat object names as folders.
import type { ObjectRow } from './rows.ts'

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
  const { id, updated_at, created_at, last_accessed_at, metadata } = row
  return { name, id, updated_at, created_at, last_accessed_at, metadata }
}
