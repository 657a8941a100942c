// The keys of the table list, in its filter and on its rows.
import type { KeyboardEvent } from 'react'
import type { ListedTable, ListRow } from '../../../../services/workbench/table-list/index.ts'
import type { AppKeyNote } from '../../commands/app-command.ts'

export interface ListKeys {
  readonly rows: readonly ListRow[]
  readonly filter: string
  /** Index of the row that is a tab stop. */
  readonly active: number
  readonly focusRow: (index: number) => void
  readonly focusFilter: () => void
  readonly openTable: (table: ListedTable) => void
  readonly clear: () => void
  readonly toggleGroup: (id: string) => void
  readonly toggleFavorite: (id: string) => void
}

const NOTES: readonly (readonly [text: string, ...keys: string[]])[] = [
  ['In the table list: previous or next table', 'ArrowUp', 'ArrowDown'],
  ['In the table list: first or last table', 'Home', 'End'],
  ['In the table list: close or open a schema', 'ArrowLeft', 'ArrowRight'],
  ['In the table list: add to favorites, or remove', 'Space'],
  ['In the filter of the table list: open the best match', 'Enter'],
  ['In the filter of the table list: clear it', 'Escape'],
]

export const LIST_KEY_NOTES: readonly AppKeyNote[] = NOTES.map(([text, ...keys]) => ({
  id: `tables.${text}`,
  section: 'Data',
  keys,
  text,
}))

const firstTable = (rows: readonly ListRow[]): ListedTable | undefined => {
  for (const row of rows) if (row.type === 'table') return row.table
  return undefined
}

const inFilter = (key: string, keys: ListKeys): (() => void) | undefined => {
  const { rows, filter, focusRow, openTable, clear } = keys
  const first = firstTable(rows)
  if (key === 'Enter' && first !== undefined) return () => openTable(first)
  if (key === 'ArrowDown' && rows.length > 0) return () => focusRow(0)
  // A dialog closes by Escape once nothing is left to clear.
  return key === 'Escape' && filter !== '' ? clear : undefined
}

/** The group of a row: itself, or the one above it. */
const groupAt = (rows: readonly ListRow[], active: number): number => {
  for (let at = active; at >= 0; at -= 1) if (rows[at]?.type === 'group') return at
  return -1
}

const onRow = (key: string, keys: ListKeys): (() => void) | undefined => {
  const { rows, active, focusRow, focusFilter, clear } = keys
  const row = rows[active]
  const group = groupAt(rows, active)
  switch (key) {
    case 'ArrowDown':
      return () => focusRow(Math.min(rows.length - 1, active + 1))
    case 'ArrowUp':
      return active === 0 ? focusFilter : () => focusRow(active - 1)
    case 'Home':
      return () => focusRow(0)
    case 'End':
      return () => focusRow(rows.length - 1)
    case 'ArrowLeft':
      if (row?.type === 'group') return row.isOpen ? () => keys.toggleGroup(row.id) : undefined
      return group < 0 ? undefined : () => focusRow(group)
    case 'ArrowRight':
      return row?.type === 'group' && !row.isOpen ? () => keys.toggleGroup(row.id) : undefined
    case ' ':
      return row?.type === 'table' ? () => keys.toggleFavorite(row.table.id) : undefined
    case 'Escape':
      if (keys.filter === '') return undefined
      return () => {
        clear()
        focusFilter()
      }
    default:
      return undefined
  }
}

/** Runs what a key does; typing on a row continues in the filter. */
export const listKeys = (event: KeyboardEvent, keys: ListKeys, place: 'filter' | 'row'): void => {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (ctrlKey || metaKey || altKey || shiftKey) return
  const act = place === 'filter' ? inFilter(key, keys) : onRow(key, keys)
  if (act === undefined) return
  event.preventDefault()
  event.stopPropagation()
  act()
}
