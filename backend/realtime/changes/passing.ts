// Which changes pass which filters: asked once per table and filter, whoever holds it.
import { isPattern, toSql, type Condition } from './filters.ts'
import { matchRows } from './patterns.ts'
import { tableKey, type Row, type TableShape } from './table-shape.ts'
import { StoppedError } from '../../database/mutex.ts'
import type { Database } from '../../database/index.ts'
import type { RowChange } from './announcements.ts'

export interface Filtered {
  readonly table: string
  readonly conditions: readonly Condition[]
}

/** Indices of the changes that pass; `failed` where the filter could not be answered. */
export type Passing = ReadonlySet<number> | 'failed'

/** Filters answered by one question; when it fails they are asked one by one. */
const TOGETHER = 100

export const filterKey = (table: string, { filter }: { readonly filter: string }): string =>
  `${table} ${filter}`

export async function passFilters(
  database: Pick<Database, 'owner'>,
  filters: ReadonlyMap<string, Filtered>,
  changes: readonly RowChange[],
  shapes: ReadonlyMap<string, TableShape>,
): Promise<ReadonlyMap<string, Passing>> {
  const answers = new Map<string, Passing>()
  for (const [table, entries] of Map.groupBy(filters, ([, filter]) => filter.table)) {
    const shape = shapes.get(table)
    if (!shape) continue
    const rows = changes.map(change =>
      tableKey(change.schema, change.table) === table ? (change.record ?? oldRow(change, shape)) : undefined,
    )
    for (let at = 0; at < entries.length; at += TOGETHER) {
      const some = entries.slice(at, at + TOGETHER).map(([key, { conditions }]) => ({ key, conditions }))
      for (const [key, passing] of await answer(database, shape, some, rows)) answers.set(key, passing)
    }
  }
  return answers
}

/** Of a deleted row no more is known than its identity. */
function oldRow({ oldRecord = {} }: RowChange, { columns }: TableShape): Row {
  return Object.fromEntries(
    columns.flatMap(({ name, isIdentity }) => (isIdentity ? [[name, oldRecord[name]]] : [])),
  )
}

type Asked = { readonly key: string; readonly conditions: readonly Condition[] }

async function answer(
  database: Pick<Database, 'owner'>,
  shape: TableShape,
  asked: readonly Asked[],
  rows: readonly (Row | undefined)[],
): Promise<[string, Passing][]> {
  try {
    const bySql = await askDatabase(database, shape, asked, rows)
    const results: [string, Passing][] = []
    for (const [at, { key, conditions }] of asked.entries()) {
      results.push([key, await narrow(conditions.filter(isPattern), rows, bySql[at] ?? new Set())])
    }
    return results
  } catch (error) {
    if (error instanceof StoppedError) throw error
    if (asked.length === 1) return asked.map(({ key }) => [key, 'failed'])
    const results: [string, Passing][] = []
    for (const one of asked) results.push(...(await answer(database, shape, [one], rows)))
    return results
  }
}

async function askDatabase(
  database: Pick<Database, 'owner'>,
  shape: TableShape,
  asked: readonly Asked[],
  rows: readonly (Row | undefined)[],
): Promise<ReadonlySet<number>[]> {
  const parameters: string[] = []
  const bind = (value: string) => `$${parameters.push(value) + 1}`
  const tests = asked.map(({ conditions }) =>
    conditions
      .map(one =>
        isPattern(one)
          ? `c.known ? ${bind(one.column)}`
          : `c.known ? ${bind(one.column)} and ${toSql(one, shape, 'c.r', bind)}`,
      )
      .join(' and '),
  )
  const body = rows.flatMap((row, index) => (row ? [{ index, row, known: Object.keys(row) }] : []))
  const seen = await database.owner(tx =>
    tx.query<{ index: number; passed: (boolean | null)[] }>(
      `select c.index, array[${tests.map(test => `(${test || 'true'})`).join(', ')}] as passed from (
         select (e ->> 'index')::int as index, (e -> 'known')::jsonb as known,
           json_populate_record(null::${shape.name}, e -> 'row') as r
         from json_array_elements($1::json) e offset 0
       ) c`,
      [JSON.stringify(body), ...parameters],
    ),
  )
  return asked.map((_, at) => new Set(seen.filter(row => row.passed[at]).map(row => row.index)))
}

/** Patterns are tried on what passed the rest; others get their turn in between. */
async function narrow(
  patterns: readonly Condition[],
  rows: readonly (Row | undefined)[],
  passing: ReadonlySet<number>,
): Promise<Passing> {
  let left = passing
  try {
    for (const pattern of patterns) {
      await new Promise(resolve => setImmediate(resolve))
      const matches = matchRows(
        pattern,
        rows.map((row, index) => (left.has(index) ? row : undefined)),
      )
      left = new Set([...left].filter(index => matches[index]))
    }
    return left
  } catch {
    return 'failed'
  }
}
