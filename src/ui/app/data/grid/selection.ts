// Which cells are chosen: one with the cursor, and the block from an anchor to it, as in spreadsheets.

/** A cell by its place; row -1 is the head. */
export interface Place {
  readonly row: number
  readonly column: number
}

export interface Selection {
  readonly cursor: Place
  /** The other corner of the block. */
  readonly anchor: Place
  /** All columns of the rows are chosen, however many come to be shown. */
  readonly wholeRows: boolean
}

export interface Block {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

/** How large the grid is, and how many rows a page has. */
export interface Extent {
  readonly rows: number
  readonly columns: number
  readonly page: number
}

export const START: Selection = at({ row: 0, column: 0 })

/** A single cell. */
export function at(place: Place): Selection {
  return { cursor: place, anchor: place, wholeRows: false }
}

/** Rows from one to another. */
export const rowsOf = (anchor: number, cursor: number, column = 0): Selection => ({
  cursor: { row: cursor, column },
  anchor: { row: anchor, column },
  wholeRows: true,
})

/** The chosen block; an empty grid has none. */
export const blockOf = ({ cursor, anchor, wholeRows }: Selection, extent: Extent): Block | undefined => {
  const top = Math.max(0, Math.min(cursor.row, anchor.row))
  const bottom = Math.min(extent.rows - 1, Math.max(cursor.row, anchor.row))
  if (bottom < top || extent.columns === 0) return undefined
  const [left, right] = [Math.min(cursor.column, anchor.column), Math.max(cursor.column, anchor.column)]
  return wholeRows
    ? { top, bottom, left: 0, right: extent.columns - 1 }
    : { top, bottom, left, right: Math.min(right, extent.columns - 1) }
}

export const isSingle = ({ cursor, anchor, wholeRows }: Selection): boolean =>
  !wholeRows && cursor.row === anchor.row && cursor.column === anchor.column

export interface Key {
  readonly key: string
  /** Ctrl, or Cmd on a Mac. */
  readonly mod: boolean
  readonly shift: boolean
}

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value))

const step = ({ row, column }: Place, { key, mod }: Key, extent: Extent): Place | undefined => {
  const [last, end] = [extent.rows - 1, extent.columns - 1]
  switch (key) {
    case 'ArrowUp':
      return { row: mod ? 0 : row - 1, column }
    case 'ArrowDown':
      return { row: mod ? last : row + 1, column }
    case 'ArrowLeft':
      return { row, column: mod ? 0 : column - 1 }
    case 'ArrowRight':
      return { row, column: mod ? end : column + 1 }
    case 'Home':
      return { row: mod ? 0 : row, column: 0 }
    case 'End':
      return { row: mod ? last : row, column: end }
    case 'PageUp':
      return { row: Math.max(0, row - extent.page), column }
    case 'PageDown':
      return { row: row + extent.page, column }
    default:
      return undefined
  }
}

/** The selection after a key that moves it; undefined for every other key. Shift keeps the anchor. */
export const moved = (selection: Selection, key: Key, extent: Extent): Selection | undefined => {
  if (key.key === ' ' && key.shift)
    return rowsOf(selection.anchor.row, selection.cursor.row, selection.cursor.column)
  if (key.key.toLowerCase() === 'a' && key.mod) return all(extent)
  const next = step(selection.cursor, key, extent)
  if (next === undefined) return undefined
  // The head is reached by going up from the first row, and never by a block.
  const first = key.shift ? 0 : -1
  const cursor = {
    row: clamp(next.row, first, Math.max(first, extent.rows - 1)),
    column: clamp(next.column, 0, Math.max(0, extent.columns - 1)),
  }
  return key.shift ? { ...selection, cursor } : at(cursor)
}

const all = ({ rows, columns }: Extent): Selection => ({
  anchor: { row: 0, column: 0 },
  cursor: { row: Math.max(0, rows - 1), column: Math.max(0, columns - 1) },
  wholeRows: true,
})

/** To the next cell after an edit: Enter goes down, Tab to the right and then on to the next row. */
export const afterEdit = (cursor: Place, key: 'Enter' | 'Tab', back: boolean, extent: Extent): Selection => {
  const by = back ? -1 : 1
  if (key === 'Enter') return at({ ...cursor, row: clamp(cursor.row + by, 0, Math.max(0, extent.rows - 1)) })
  const flat = clamp(
    cursor.row * extent.columns + cursor.column + by,
    0,
    Math.max(0, extent.rows * extent.columns - 1),
  )
  return at({ row: Math.floor(flat / extent.columns), column: flat % extent.columns })
}
