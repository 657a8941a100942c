// Determines which rows the policies show to a caller, once per set of claims, however many subscribers share
// it.
import { quote, tableKey, type TableShape } from './table-shape.ts'
import { fieldOf, textOf } from '../../shared/fields.ts'
import type { Database, Queries } from '../../database/index.ts'
import type { Claims } from '../../keys/index.ts'
import type { RowChange } from './announcements.ts'

/** Claims without timestamps, so that all tokens of a session share a result. */
export function claimsKey({ iat: _iat, exp: _exp, ...claims }: Claims): string {
  return JSON.stringify(claims)
}

/** Indices of the wanted changes whose rows the claims may see. */
export async function visibleChanges(
  database: Pick<Database, 'as'>,
  claims: Claims,
  indexes: readonly number[],
  changes: readonly RowChange[],
  shapes: ReadonlyMap<string, TableShape>,
): Promise<number[]> {
  const visible: number[] = []
  const tables = Map.groupBy(indexes, index => {
    const change = changes[index]
    return change ? tableKey(change.schema, change.table) : ''
  })
  for (const [table, indices] of tables) {
    const shape = shapes.get(table)
    if (!shape) continue
    const keys = shape.columns.filter(({ isKey }) => isKey).map(({ name }) => name)
    const rows = indices.map(index => ({
      index,
      row: Object.fromEntries(keys.map(name => [name, fieldOf(changes[index]?.record, name)])),
    }))
    visible.push(...(await askPolicies(database, claims, { table, keys }, rows)))
  }
  return visible
}

interface Keyed {
  readonly index: number
  readonly row: object
}

/** A policy that fails on a row hides it, as in the caller's own query; the other rows are tested again. */
async function askPolicies(
  database: Pick<Database, 'as'>,
  claims: Claims,
  shape: { readonly table: string; readonly keys: readonly string[] },
  rows: readonly Keyed[],
): Promise<number[]> {
  try {
    return await database.as(claims, tx => lookUp(tx, shape, rows))
  } catch (error) {
    if (!isPolicyFailure(error)) throw error
    if (rows.length <= 1) return []
    const half = Math.ceil(rows.length / 2)
    return [
      ...(await askPolicies(database, claims, shape, rows.slice(0, half))),
      ...(await askPolicies(database, claims, shape, rows.slice(half))),
    ]
  }
}

/** Whether the query failed, and not the database because of missing resources, a stop or a broken disk. */
function isPolicyFailure(error: unknown): boolean {
  const code = textOf(error, 'code')
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !/^(53|57|58)/.test(code)
}

/**
 * Looks up the rows by key, as the caller. `offset 0` keeps PostgreSQL from running policies on other rows.
 */
async function lookUp(
  tx: Queries,
  { table, keys }: { readonly table: string; readonly keys: readonly string[] },
  rows: readonly Keyed[],
): Promise<number[]> {
  const sameKey = keys.map(name => `t.${quote(name)} = (c.r).${quote(name)}`)
  const visibleRows = await tx.query<{ index: number }>(
    `select c.index from (
       select (e ->> 'index')::int as index, json_populate_record(null::${table}, e -> 'row') as r
       from json_array_elements($1::json) e offset 0
     ) c where exists (select from ${table} t where ${sameKey.join(' and ') || 'false'} offset 0)`,
    [JSON.stringify(rows)],
  )
  return visibleRows.map(row => row.index)
}
