// Determines which rows of a table pass which filters. Only rows that a subscriber may see are tested.
import { isPattern, toSql, type Condition } from './filters.ts'
import { matchRow } from './patterns.ts'
import type { Row, TableShape } from './table-shape.ts'
import { UnavailableError } from '../../shared/unavailable.ts'
import type { Database } from '../../database/index.ts'

/** Row indices (of their changes) that pass a filter, and those on which it fails. */
export interface Passing {
  readonly passingIndexes: ReadonlySet<number>
  readonly failed: ReadonlySet<number>
}

type Filter = readonly [key: string, conditions: readonly Condition[]]
type Rows = readonly (readonly [index: number, row: Row])[]

/** Filters per query. */
const TOGETHER = 100

export async function passFilters(
  database: Pick<Database, 'owner'>,
  shape: TableShape,
  filters: readonly Filter[],
  rows: Rows,
): Promise<ReadonlyMap<string, Passing>> {
  const answers = new Map<string, Passing>()
  for (let at = 0; at < filters.length; at += TOGETHER) {
    const results = await answer(database, shape, filters.slice(at, at + TOGETHER), rows)
    for (const [key, passing] of results) answers.set(key, passing)
  }
  return answers
}

/**
 * If a query fails, it is repeated per filter and then per half of the rows, until the failing part is
 * isolated.
 */
async function answer(
  database: Pick<Database, 'owner'>,
  shape: TableShape,
  filters: readonly Filter[],
  rows: Rows,
): Promise<[string, Passing][]> {
  const results: [string, Passing][] = []
  try {
    const bySql = await askDatabase(database, shape, filters, rows)
    for (const [at, [key, conditions]] of filters.entries()) {
      const matchingRows = rows.filter(([index]) => bySql[at]?.has(index))
      results.push([key, await matchPatterns(conditions.filter(isPattern), matchingRows)])
    }
  } catch (error) {
    if (error instanceof UnavailableError) throw error
    const [filter] = filters
    if (filters.length > 1) {
      for (const one of filters) results.push(...(await answer(database, shape, [one], rows)))
    } else if (filter && rows.length === 1) {
      results.push([filter[0], { passingIndexes: new Set(), failed: new Set(rows.map(([index]) => index)) }])
    } else if (filter) {
      const half = Math.ceil(rows.length / 2)
      const first = await answer(database, shape, filters, rows.slice(0, half))
      const second = await answer(database, shape, filters, rows.slice(half))
      results.push([filter[0], join([...first, ...second].map(([, passing]) => passing))])
    }
  }
  return results
}

function join(parts: readonly Passing[]): Passing {
  return {
    passingIndexes: new Set(parts.flatMap(({ passingIndexes }) => [...passingIndexes])),
    failed: new Set(parts.flatMap(({ failed }) => [...failed])),
  }
}

async function askDatabase(
  database: Pick<Database, 'owner'>,
  shape: TableShape,
  filters: readonly Filter[],
  rows: Rows,
): Promise<ReadonlySet<number>[]> {
  const parameters: string[] = []
  const bind = (value: string) => `$${parameters.push(value) + 1}`
  const tests = filters.map(([, conditions]) =>
    conditions
      .map(one =>
        isPattern(one)
          ? `c.known ? ${bind(one.column)}`
          : `c.known ? ${bind(one.column)} and ${toSql(one, shape, 'c.r', bind)}`,
      )
      .join(' and '),
  )
  const body = rows.map(([index, row]) => ({ index, row, known: Object.keys(row) }))
  const results = await database.owner(tx =>
    tx.query<{ index: number; passed: (boolean | null)[] }>(
      `select c.index, array[${tests.map(test => `(${test || 'true'})`).join(', ')}] as passed from (
         select (e ->> 'index')::int as index, (e -> 'known')::jsonb as known,
           json_populate_record(null::${shape.name}, e -> 'row') as r
         from json_array_elements($1::json) e offset 0
       ) c`,
      [JSON.stringify(body), ...parameters],
    ),
  )
  return filters.map((_, at) => new Set(results.filter(row => row.passed[at]).map(row => row.index)))
}

/** Tests patterns on rows that pass the rest of a filter; yields to other work in between. */
async function matchPatterns(patterns: readonly Condition[], rows: Rows): Promise<Passing> {
  let left = rows
  const failed = new Set<number>()
  for (const pattern of patterns) {
    const matchingRows: Rows[number][] = []
    for (const [index, row] of left) {
      await new Promise(resolve => setImmediate(resolve))
      const answer = matchRow(pattern, row)
      if (answer === 'failed') failed.add(index)
      else if (answer) matchingRows.push([index, row])
    }
    left = matchingRows
  }
  return { passingIndexes: new Set(left.map(([index]) => index)), failed }
}
