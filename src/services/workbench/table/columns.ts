// Column layout of a table: order, widths, hidden and pinned columns.
import { array, boolean, number, object, optional, string, type InferOutput } from 'valibot'
import { byName, ownValue } from '../storage/safe-record.ts'
import { type RelatedColumn, relatedSchema, storedRelated } from './related.ts'
import type { Column } from './schema.ts'

export const layoutSchema = object({
  /** Moved columns, in order; the others follow in database order. */
  order: array(string()),
  hidden: array(string()),
  /** Columns pinned to the left edge; undefined until the user pins or unpins one: the primary key. */
  pinned: optional(array(string())),
  widths: byName(number()),
  /** Whether foreign keys have no labels. */
  plainKeys: optional(boolean()),
  /**
   * The columns a saved query shows, in order; empty: all. Hidden columns follow once the table's columns are
   * known.
   */
  only: optional(array(string())),
  /** Columns of rows that the rows refer to. */
  related: optional(array(relatedSchema)),
})

export type ColumnLayout = InferOutput<typeof layoutSchema>

export const AS_GIVEN: ColumnLayout = { order: [], hidden: [], widths: {} }

/**
 * Applies the columns of a saved query to the layout; returns the same layout when there is none, or no
 * column is known yet.
 */
export const settledLayout = (layout: ColumnLayout, columns: readonly Column[]): ColumnLayout => {
  const { only, ...rest } = layout
  if (only === undefined || columns.length === 0) return layout
  const names = columns.map(({ name }) => name)
  const chosenNames = only.filter(name => names.includes(name))
  if (chosenNames.length === 0) return { ...rest, hidden: [] }
  // In the order of the query: the key is not pinned before the others unless the user pinned it.
  return {
    ...rest,
    pinned: rest.pinned ?? [],
    order: chosenNames,
    hidden: names.filter(name => !chosenNames.includes(name)),
  }
}

export interface LaidColumn {
  readonly column: Column
  readonly width: number
  readonly isPinned: boolean
  /** How much the column can shrink; 0 when the user set its width. */
  readonly spare: number
}

const NARROWEST = 56
const WIDEST = 900

const WIDTHS: Partial<Record<Column['type'], number>> = {
  integer: 104,
  number: 112,
  boolean: 88,
  timestamp: 208,
  date: 112,
  time: 120,
  json: 240,
  array: 200,
  uuid: 128,
  enum: 128,
  text: 220,
}

/** The share of the width that values of a type rarely need; fixed-length values need all of it. */
const SPARE: Partial<Record<Column['type'], number>> = {
  integer: 0.15,
  number: 0.25,
  json: 0.3,
  array: 0.3,
  text: 0.3,
}

const PER_LETTER = 7.5

const nameWidth = ({ name, references }: Pick<Column, 'name' | 'references'>): number =>
  Math.min(280, Math.round(name.length * PER_LETTER) + (references ? 76 : 60))

const SHORT: readonly (readonly [RegExp, string])[] = [
  [/ with time zone/, 'tz'],
  [/ without time zone/, ''],
  [/^character varying/, 'varchar'],
  [/^double precision/, 'float8'],
  [/^smallint/, 'int2'],
  [/^integer/, 'int4'],
  [/^bigint/, 'int8'],
  [/^boolean/, 'bool'],
]

/** PostgreSQL's own short name of the type. */
export const shortType = (format: string): string =>
  SHORT.reduce((text, [long, short]) => text.replace(long, short), format)

/** Smaller than the name. */
const PER_TYPE_LETTER = 6.4

/** Width for the name and the type. */
export const headWidth = (column: Pick<Column, 'name' | 'references' | 'format' | 'isKey'>): number =>
  nameWidth(column) + Math.ceil(shortType(column.format).length * PER_TYPE_LETTER) + (column.isKey ? 17 : 0)

/** Wider columns would be for the sake of their type alone. */
const WIDEST_HEAD = 240

/** Width for the name, and for the type unless the name is long. */
const leastWidth = (column: Column): number => {
  const width = headWidth(column)
  return width <= WIDEST_HEAD ? width : nameWidth(column)
}

/** Width for the values of the type and for the head. */
const naturalWidth = (column: Column): number => {
  const { type, references, format, isKey } = column
  return Math.max(
    references !== undefined && references.pairs === undefined ? 150 : 0,
    !isKey && /^(bigint|int8|numeric|double)/.test(format) && !references ? 164 : 0,
    WIDTHS[type] ?? 160,
    leastWidth(column),
  )
}

const sortedNames = (columns: readonly Column[], { order }: ColumnLayout): readonly string[] => {
  const names = columns.map(column => column.name)
  const sorted = order.filter(name => names.includes(name))
  for (const [at, { name, related }] of columns.entries()) {
    if (sorted.includes(name)) continue
    const before = related === undefined ? -1 : sorted.indexOf(names[at - 1] ?? '')
    if (before < 0) sorted.push(name)
    else sorted.splice(before + 1, 0, name)
  }
  return sorted
}

/** A wider key would leave too little room for other columns. */
const WIDEST_KEY = 280

const pinnedNames = (columns: readonly Column[], { pinned }: ColumnLayout): readonly string[] => {
  if (pinned !== undefined) return pinned
  const key = columns.filter(({ isKey }) => isKey)
  const width = key.reduce((sum, column) => sum + naturalWidth(column), 0)
  return width <= WIDEST_KEY ? key.map(({ name }) => name) : []
}

/** The visible columns, pinned ones first. */
export const layColumns = (columns: readonly Column[], layout: ColumnLayout): readonly LaidColumn[] => {
  const byName = new Map(columns.map(column => [column.name, column]))
  const pinned = pinnedNames(columns, layout)
  const laidColumns = sortedNames(columns, layout).flatMap((name): LaidColumn[] => {
    const column = byName.get(name)
    if (column === undefined || layout.hidden.includes(name)) return []
    const sized = ownValue(layout.widths, name)
    const width = sized ?? naturalWidth(column)
    const spare =
      sized === undefined ? Math.min(width - leastWidth(column), width * (SPARE[column.type] ?? 0)) : 0
    return [{ column, width, spare, isPinned: pinned.includes(name) }]
  })
  return [...laidColumns.filter(each => each.isPinned), ...laidColumns.filter(each => !each.isPinned)]
}

/** Width for the longest of these texts and the name. */
export const widthFor = (column: Column, texts: readonly string[]): number =>
  Math.max(nameWidth(column), Math.round(Math.max(0, ...texts.map(text => text.length)) * PER_LETTER) + 28)

/** The largest share of the pane that pinned columns may take: others are behind them. */
const PINNED_SHARE = 0.6

/** The columns in a pane of this width; pinned ones scroll like the others if they would leave too little room. */
export const pinnedIn = (laidColumns: readonly LaidColumn[], room: number): readonly LaidColumn[] => {
  const pinned = laidColumns.reduce((sum, { isPinned, width }) => sum + (isPinned ? width : 0), 0)
  if (room <= 0 || pinned <= room * PINNED_SHARE) return laidColumns
  return laidColumns.map(each => (each.isPinned ? { ...each, isPinned: false } : each))
}

/** Shrinks columns that slightly exceed the available width; otherwise returns them unchanged. */
export const fitColumns = (laidColumns: readonly LaidColumn[], room: number): readonly LaidColumn[] => {
  const over = laidColumns.reduce((sum, { width }) => sum + width, 0) - room
  const spare = laidColumns.reduce((sum, each) => sum + each.spare, 0)
  if (room <= 0 || over <= 0 || over > spare) return laidColumns
  let givenWidth = 0
  let left = over
  return laidColumns.map(each => {
    // Round to whole pixels without losing any between columns.
    givenWidth += (over * each.spare) / spare
    const ownWidth = Math.min(left, Math.round(givenWidth - (over - left)))
    left -= ownWidth
    return ownWidth === 0 ? each : { ...each, width: each.width - ownWidth }
  })
}

export type LayoutAction =
  | { readonly type: 'column.hidden'; readonly name: string }
  | { readonly type: 'column.shown'; readonly name: string }
  | { readonly type: 'column.pinned'; readonly name: string }
  | { readonly type: 'column.unpinned'; readonly name: string }
  | { readonly type: 'column.sized'; readonly name: string; readonly width: number }
  /** Takes the position of another column. */
  | { readonly type: 'column.moved'; readonly name: string; readonly to: string }
  | { readonly type: 'labels.toggled' }
  | { readonly type: 'related.chosen'; readonly related: readonly RelatedColumn[] }
  | { readonly type: 'layout.reset' }

const withoutName = (names: readonly string[], name: string) => names.filter(each => each !== name)

const move = (names: readonly string[], name: string, to: string): string[] => {
  const [from, target] = [names.indexOf(name), names.indexOf(to)]
  if (from === -1 || target === -1) return [...names]
  const rest = withoutName(names, name)
  return [...rest.slice(0, target), name, ...rest.slice(target)]
}

/** The next layout. */
export const changeLayout = (
  layout: ColumnLayout,
  action: LayoutAction,
  columns: readonly Column[],
): ColumnLayout => {
  switch (action.type) {
    case 'column.hidden':
      if (layout.related?.some(({ name }) => name === action.name) === true)
        return { ...layout, related: layout.related.filter(({ name }) => name !== action.name) }
      return { ...layout, hidden: [...withoutName(layout.hidden, action.name), action.name] }
    case 'column.shown':
      return { ...layout, hidden: withoutName(layout.hidden, action.name) }
    case 'column.pinned':
      return { ...layout, pinned: [...withoutName(pinnedNames(columns, layout), action.name), action.name] }
    case 'column.unpinned':
      return { ...layout, pinned: withoutName(pinnedNames(columns, layout), action.name) }
    case 'column.sized': {
      const width = Math.round(Math.max(NARROWEST, Math.min(WIDEST, action.width)))
      return { ...layout, widths: { ...layout.widths, [action.name]: width } }
    }
    case 'column.moved':
      return { ...layout, order: move(sortedNames(columns, layout), action.name, action.to) }
    case 'labels.toggled':
      return { ...layout, plainKeys: layout.plainKeys !== true }
    case 'related.chosen':
      return { ...layout, related: action.related.map(storedRelated) }
    case 'layout.reset':
      return AS_GIVEN
  }
}
