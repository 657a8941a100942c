// Which rows the policies show to whom: asked once per set of claims, however many subscribers share it.
import { StoppedError } from '../../database/mutex.ts'
import { quote, tableKey, type TableShape } from './table-shape.ts'
import type { Database, Queries } from '../../database/index.ts'
import type { Claims } from '../../keys/tokens.ts'
import type { RowChange } from './announcements.ts'
import type { Passing } from './passing.ts'

/** Claims without the times, so that the tokens of one session share an answer. */
export function claimsKey({ iat: _iat, exp: _exp, ...claims }: Claims): string {
  return JSON.stringify(claims)
}

/**
 * For each table the indices of those of some changes whose rows the claims may see.
 * A policy may fail on one table; the others are answered all the same.
 */
export async function askPolicies(
  database: Pick<Database, 'as'>,
  claims: Claims,
  wanted: ReadonlySet<number>,
  changes: readonly RowChange[],
  shapes: ReadonlyMap<string, TableShape>,
): Promise<ReadonlyMap<string, Passing>> {
  const answers = new Map<string, Passing>()
  const tables = Map.groupBy(wanted, index => {
    const change = changes[index]
    return change ? tableKey(change.schema, change.table) : ''
  })
  for (const [table, indices] of tables) {
    const shape = shapes.get(table)
    if (!shape) continue
    const rows = indices.map(index => ({ index, row: changes[index]?.record }))
    answers.set(table, await database.as(claims, tx => visibleRows(tx, shape, rows)).catch(failed))
  }
  return answers
}

function failed(error: unknown): 'failed' {
  if (error instanceof StoppedError) throw error
  return 'failed'
}

/** Looks the rows up by their keys, as the caller. */
async function visibleRows(
  tx: Queries,
  shape: TableShape,
  rows: readonly { index: number; row: unknown }[],
): Promise<ReadonlySet<number>> {
  const sameKey = shape.columns
    .filter(({ isKey }) => isKey)
    .map(({ name }) => `t.${quote(name)} = (c.r).${quote(name)}`)
  const seen = await tx.query<{ index: number }>(
    `select c.index from (
       select (e ->> 'index')::int as index, json_populate_record(null::${shape.name}, e -> 'row') as r
       from json_array_elements($1::json) e offset 0
     ) c where exists (select from ${shape.name} t where ${sameKey.join(' and ') || 'false'})`,
    [JSON.stringify(rows)],
  )
  return new Set(seen.map(row => row.index))
}
