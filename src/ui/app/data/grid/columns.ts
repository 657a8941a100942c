// How a table's columns lie: order, widths, which are hidden and which stay at the left.
import { array, number, object, string, type InferOutput } from 'valibot'
import { named, own } from '../../named.ts'
import type { Column } from '../schema.ts'

export const layoutSchema = object({
  /** Those that were moved, in their order; others follow as the database has them. */
  order: array(string()),
  hidden: array(string()),
  /** They stay in sight at the left. */
  pinned: array(string()),
  widths: named(number()),
})

export type ColumnLayout = InferOutput<typeof layoutSchema>

export const AS_GIVEN: ColumnLayout = { order: [], hidden: [], pinned: [], widths: {} }

export interface LaidColumn {
  readonly column: Column
  readonly width: number
  readonly isPinned: boolean
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

const PER_LETTER = 7.5

/** Room for the values of the type, and for the name. */
const naturalWidth = ({ type, name, references, format, isKey }: Column): number =>
  Math.max(
    !isKey && /^(bigint|int8|numeric|double)/.test(format) && !references ? 164 : 0,
    WIDTHS[type] ?? 160,
    Math.min(280, Math.round(name.length * PER_LETTER) + (references ? 76 : 60)),
  )

const sortedNames = (columns: readonly Column[], { order }: ColumnLayout): readonly string[] => {
  const names = columns.map(column => column.name)
  const known = order.filter(name => names.includes(name))
  return [...known, ...names.filter(name => !known.includes(name))]
}

/** The columns on show: pinned ones first. */
export const layColumns = (columns: readonly Column[], layout: ColumnLayout): readonly LaidColumn[] => {
  const byName = new Map(columns.map(column => [column.name, column]))
  const laid = sortedNames(columns, layout).flatMap((name): LaidColumn[] => {
    const column = byName.get(name)
    if (column === undefined || layout.hidden.includes(name)) return []
    const width = own(layout.widths, name) ?? naturalWidth(column)
    return [{ column, width, isPinned: layout.pinned.includes(name) }]
  })
  return [...laid.filter(each => each.isPinned), ...laid.filter(each => !each.isPinned)]
}

export type LayoutAction =
  | { readonly type: 'column.hidden'; readonly name: string }
  | { readonly type: 'column.shown'; readonly name: string }
  | { readonly type: 'column.pinned'; readonly name: string }
  | { readonly type: 'column.unpinned'; readonly name: string }
  | { readonly type: 'column.sized'; readonly name: string; readonly width: number }
  /** In the place of another one. */
  | { readonly type: 'column.moved'; readonly name: string; readonly to: string }
  | { readonly type: 'layout.reset' }

const without = (names: readonly string[], name: string) => names.filter(each => each !== name)

const move = (names: readonly string[], name: string, to: string): string[] => {
  const [from, target] = [names.indexOf(name), names.indexOf(to)]
  if (from === -1 || target === -1) return [...names]
  const rest = without(names, name)
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
      return { ...layout, hidden: [...without(layout.hidden, action.name), action.name] }
    case 'column.shown':
      return { ...layout, hidden: without(layout.hidden, action.name) }
    case 'column.pinned':
      return { ...layout, pinned: [...without(layout.pinned, action.name), action.name] }
    case 'column.unpinned':
      return { ...layout, pinned: without(layout.pinned, action.name) }
    case 'column.sized': {
      const width = Math.round(Math.max(NARROWEST, Math.min(WIDEST, action.width)))
      return { ...layout, widths: { ...layout.widths, [action.name]: width } }
    }
    case 'column.moved':
      return { ...layout, order: move(sortedNames(columns, layout), action.name, action.to) }
    case 'layout.reset':
      return AS_GIVEN
  }
}
