// Plans what a command on the selection writes and what it skips, before anything is sent.
import { emptyRecord, ownValue } from '../../storage/safe-record.ts'
import { plural } from '../../text/format.ts'
import type { Cell } from '../cells/cell-text.ts'
import { columnsIn, cursorPlace, isSingle, selectedRows, type Selection } from '../selection.ts'
import type { LoadedRow, View } from '../pages.ts'
import { type Column, fixedReason, type Row } from '../schema.ts'
import type { Values } from './edit-store.ts'

/** The cells of one row that a command changes. */
export interface RowChange {
  /** Key of the row. */
  readonly key: string
  readonly row: Row
  readonly before: Values
  readonly after: Values
}

export interface Plan {
  /** `Cleared 10 cells in 5 rows`. */
  readonly title: string
  readonly changes: readonly RowChange[]
  /** What is skipped and why, as `at (not null)`. */
  readonly skipped: readonly string[]
  /** The affected rows, in order. */
  readonly rows: readonly LoadedRow[]
}

export interface PlanContext {
  readonly view: View
  readonly selection: Selection
  /** The visible columns, in order. */
  readonly columns: readonly Column[]
  /** Keys of rows that are being deleted. */
  readonly leaving: ReadonlySet<string>
  /** A cell's shown value, including unsaved input. */
  readonly shownCell: (row: Pick<LoadedRow, 'key' | 'row'>, column: Column) => Cell
}

/** The cells that change; undefined when none does. */
const changeOf = (
  { shownCell }: Pick<PlanContext, 'shownCell'>,
  { key, row }: Pick<LoadedRow, 'key' | 'row'>,
  values: Values,
  columns: readonly Column[],
): RowChange | undefined => {
  const before = emptyRecord<Cell>()
  const after = emptyRecord<Cell>()
  for (const column of columns) {
    const cell = ownValue(values, column.name)
    if (cell === undefined) continue
    const now = shownCell({ key, row }, column)
    if (now === cell) continue
    before[column.name] = now
    after[column.name] = cell
  }
  return Object.keys(after).length === 0 ? undefined : { key, row, before, after }
}

const cellsIn = (changes: readonly RowChange[]): number =>
  changes.reduce((sum, { after }) => sum + Object.keys(after).length, 0)

const titleOf = (verb: string, changes: readonly RowChange[]): string =>
  `${verb} ${plural(cellsIn(changes), 'cell')} in ${plural(changes.length, 'row')}`

const rowsSkipped = (leaving: number, awayCount: number): readonly string[] => [
  ...(leaving === 0 ? [] : [`${plural(leaving, 'row')} (being deleted)`]),
  ...(awayCount === 0 ? [] : [`${plural(awayCount, 'row')} (no longer loaded)`]),
]

/** Why a column cannot be null; undefined when it can. */
const notCleared = (column: Column): string | undefined => {
  const { isKey, required, type } = column
  if (isKey) return 'primary key'
  const fixed = fixedReason(column)
  if (fixed !== undefined) return fixed
  return required && type !== 'text' ? 'not null' : undefined
}

const targets = (context: PlanContext) => {
  const { loaded, away } = selectedRows(context.view, context.selection)
  const rows = loaded.filter(({ key }) => !context.leaving.has(key))
  return { rows, skipped: rowsSkipped(loaded.length - rows.length, away.length) }
}

const columnsOf = ({ view, selection, columns }: PlanContext): readonly Column[] => {
  const names = new Set(columnsIn(view, selection))
  return columns.filter(({ name }) => names.has(name))
}

/** Sets null where allowed, else an empty string. */
export const planClear = (context: PlanContext, verb: 'Cleared' | 'Cut'): Plan => {
  const columns = columnsOf(context)
  const { rows, skipped } = targets(context)
  const values = emptyRecord<Cell>()
  const left: string[] = []
  for (const column of columns) {
    const reason = notCleared(column)
    if (reason === undefined) values[column.name] = column.required ? '' : null
    else left.push(`${column.name} (${reason})`)
  }
  const changes = rows.flatMap(each => changeOf(context, each, values, columns) ?? [])
  return { title: titleOf(verb, changes), changes, skipped: [...left, ...skipped], rows }
}

interface PasteRows {
  /** Each row with its clipboard line. */
  readonly lines: readonly (readonly [row: LoadedRow, line: number])[]
  /** Number of lines without a row. */
  readonly beyondCount: number
  readonly skipped: readonly string[]
}

/** The selected rows when there are several, else as many rows as needed from the cursor on. */
const pasteRows = (context: PlanContext, height: number, fills: boolean): PasteRows => {
  const { view, selection, leaving } = context
  const place = cursorPlace(view, selection)
  if (selection.rows.size !== 1 || place === undefined) {
    const { loaded, away } = selectedRows(view, selection)
    const lines = loaded.flatMap((row, line) => (leaving.has(row.key) ? [] : [[row, line] as const]))
    // Without the rows that left, lines cannot be matched to rows.
    const isKnown = height === 1 || fills || away.length === 0
    return {
      lines: isKnown ? lines : [],
      beyondCount: Math.max(0, height - selection.rows.size),
      skipped: rowsSkipped(loaded.length - lines.length, away.length),
    }
  }
  const bottom = Math.min(view.count, place.row + height) - 1
  const found = view.rows.between(place.row, bottom)
  const rows = found.filter(({ key }) => !leaving.has(key))
  const lines = bottom - place.row + 1
  return {
    lines: rows.map(row => [row, row.index - place.row]),
    beyondCount: height - lines,
    skipped: rowsSkipped(found.length - rows.length, lines - found.length),
  }
}

const beyondClipboard = (n: number, what: 'line' | 'column', to: 'row' | 'column'): readonly string[] =>
  n <= 0 ? [] : [`${plural(n, what)} of the clipboard (no ${to} to write to)`]

/** A single value fills the selection; a block is written starting at the first selected cell. */
export const planPaste = (context: PlanContext, cells: readonly (readonly Cell[])[]): Plan => {
  const { view, selection } = context
  const onlyCell = cells.length === 1 && cells[0]?.length === 1 ? cells[0][0] : undefined
  const fills = onlyCell !== undefined && !isSingle(selection)
  const selected = columnsOf(context)
  const height = fills ? selection.rows.size : cells.length
  const width = fills ? selected.length : Math.max(...cells.map(row => row.length))
  const { lines, beyondCount, skipped } = pasteRows(context, height, fills)
  const left = view.columns.indexOf(selected[0]?.name ?? '')
  const columns = left < 0 ? [] : context.columns.slice(left, left + width)
  // A block copied with its keys must not change the keys of the rows it is pasted over.
  const isCell = onlyCell !== undefined && !fills
  const notPasted = (column: Column): string | undefined =>
    fixedReason(column) ?? (column.isKey && !isCell ? 'primary key' : undefined)
  const writable = columns.filter(column => notPasted(column) === undefined)
  const changes = lines.flatMap(([row, line]) => {
    const values = emptyRecord<Cell>()
    for (const { name, type } of writable) {
      const cell = fills ? onlyCell : cells[line]?.[view.columns.indexOf(name) - left]
      if (cell !== undefined) values[name] = cell === '' && type !== 'text' ? null : cell
    }
    return changeOf(context, row, values, writable) ?? []
  })
  return {
    title: titleOf('Pasted', changes),
    changes,
    skipped: [
      ...columns.flatMap(column => {
        const reason = notPasted(column)
        return reason === undefined ? [] : [`${column.name} (${reason})`]
      }),
      ...skipped,
      ...(fills ? [] : beyondClipboard(beyondCount, 'line', 'row')),
      ...beyondClipboard(width - columns.length, 'column', 'column'),
    ],
    rows: lines.map(([row]) => row),
  }
}

/** Sets one value, and values of other columns, in each of the rows. */
export const planSet = (
  context: Pick<PlanContext, 'shownCell' | 'columns'>,
  rows: readonly Pick<LoadedRow, 'key' | 'row'>[],
  values: Values,
): readonly RowChange[] => rows.flatMap(row => changeOf(context, row, values, context.columns) ?? [])
