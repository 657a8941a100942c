// The rows of one query as several people see them, put side by side.
import { rowKey, valueText, type Row, type TableInfo } from '../../data/schema.ts'
import { plural } from '../../format.ts'

/** What one of them sees; undefined while it is not known. */
export type Seen = readonly Row[] | undefined

export type SeenPhase = 'asking' | 'seen' | 'refused'

export interface ComparedRow {
  readonly key: string
  /** By viewer; undefined where it is not seen. */
  readonly rows: readonly (Row | undefined)[]
  /** Columns in which those who see it do not see the same. */
  readonly differs: ReadonlySet<string>
  /** Somebody sees it and somebody does not. */
  readonly isPartly: boolean
}

const keyed = (table: TableInfo, rows: readonly Row[]): ReadonlyMap<string, Row> => {
  const byKey = new Map<string, Row>()
  for (const row of rows) {
    const key = rowKey(table, row) ?? JSON.stringify(row)
    // Without a key equal rows are told apart by their number.
    let name = key
    for (let n = 2; byKey.has(name); n += 1) name = `${key} (${n})`
    byKey.set(name, row)
  }
  return byKey
}

/** One order in which each list keeps its own: what only one has stands behind what it has before. */
function mergedKeys(lists: readonly (readonly string[])[]): readonly string[] {
  const merged: string[] = []
  for (const list of lists) {
    let at = 0
    for (const key of list) {
      const found = merged.indexOf(key)
      if (found === -1) merged.splice(at++, 0, key)
      else at = found + 1
    }
  }
  return merged
}

const isSame = (a: unknown, b: unknown) => valueText(a ?? null) === valueText(b ?? null)

/** What the comparison comes to, in one line; where answers are missing it claims nothing. */
export function seenSummary(rows: readonly ComparedRow[], phases: readonly SeenPhase[]): string {
  const partly = rows.filter(row => row.isPartly).length
  const differing = rows.filter(row => row.differs.size > 0).length
  if (phases.length < 2) return 'Choose at least two to compare.'
  if (phases.includes('asking')) return 'Asking…'
  if (phases.filter(phase => phase === 'seen').length < 2) return 'There are no two answers to compare.'
  if (rows.length === 0) return 'Nobody sees any of these rows.'
  if (partly === 0 && differing === 0) return 'All of them see the same.'
  return [
    partly > 0 && `${plural(partly, 'row')} not everybody sees`,
    differing > 0 && `${plural(differing, 'row')} with other values`,
  ]
    .filter(part => part !== false)
    .join(' · ')
}

/** Each row once, with what every viewer sees of it. */
export function compareSeen(table: TableInfo, seen: readonly Seen[]): readonly ComparedRow[] {
  const maps = seen.map(rows => rows && keyed(table, rows))
  const keys = mergedKeys(maps.map(map => [...(map?.keys() ?? [])]))
  return keys.map(key => {
    const rows = maps.map(map => map?.get(key))
    const [first, ...others] = rows.filter(row => row !== undefined)
    const names = first === undefined ? [] : Object.keys(first)
    const differs = new Set(names.filter(name => others.some(other => !isSame(first?.[name], other[name]))))
    const known = maps.filter(map => map !== undefined).length
    return { key, rows, differs, isPartly: rows.filter(row => row !== undefined).length < known }
  })
}
