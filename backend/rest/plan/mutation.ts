// Plans what a request writes.
import type { ApiRequest, Payload } from '../request/index.ts'
import { RestError } from '../rest-error.ts'
import type { SchemaCache, Table } from '../schema/index.ts'
import { type FieldContext, filterCondition, logicCondition } from './fields.ts'
import type { Condition, ReadPlan } from './read-plan.ts'
import { returnedColumns } from './returned.ts'

export interface MutationPlan {
  readonly kind: 'insert' | 'update' | 'upsert' | 'delete'
  readonly table: Table
  readonly columns: readonly WrittenColumn[]
  /** JSON text; undefined for a deletion. */
  readonly body: { readonly text: string; readonly isObject: boolean } | undefined
  /** What happens to rows that exist; without columns, nothing can conflict. */
  readonly conflict: { readonly columns: readonly string[]; readonly merges: boolean } | undefined
  /** Of an update or deletion; of `upsert`, what the new row must be. */
  readonly conditions: readonly Condition[]
  /** Columns to return; empty: none, only their number. */
  readonly returning: readonly string[]
  /** Whether columns that a row lacks get their defaults. */
  readonly fillsDefaults: boolean
}

export interface WrittenColumn {
  readonly name: string
  /** The type to read its value as. */
  readonly type: string
  /** A function that converts JSON to it. */
  readonly transform: string | undefined
  readonly default: string | undefined
}

/** @throws RestError PGRST105, PGRST204 */
export function planMutation(
  cache: SchemaCache,
  kind: MutationPlan['kind'],
  table: Table,
  request: ApiRequest,
  read: ReadPlan,
): MutationPlan {
  const { prefer, query } = request
  const { primaryKey } = table
  if (kind === 'upsert' && !isByKey(request, primaryKey))
    throw new RestError({
      status: 405,
      code: 'PGRST105',
      message: "Filters must include all and only primary key columns with 'eq' operators",
    })
  const context: FieldContext = { cache, table }
  const conditions = [
    ...query.filters.filter(isOfItself).map(({ value }) => filterCondition(context, value)),
    ...query.logic.filter(isOfItself).map(({ value }) => logicCondition(context, value)),
  ]
  const returns = prefer.return === 'representation' || prefer.return === 'headers-only'
  return {
    kind,
    table,
    columns: kind === 'delete' ? [] : request.columns.map(name => writtenColumn(cache, table, name)),
    body: kind === 'delete' ? undefined : bodyOf(request.payload),
    conflict: conflictOf(kind, request, primaryKey),
    conditions: kind === 'insert' ? [] : conditions,
    returning: returns ? returnedColumns(read, primaryKey) : [],
    fillsDefaults: kind !== 'upsert' && prefer.missing === 'default',
  }
}

const isOfItself = ({ path }: { readonly path: readonly string[] }): boolean => path.length === 0

function bodyOf(payload: Payload | undefined): MutationPlan['body'] {
  return payload?.kind === 'json' ? payload : { text: '[]', isObject: false }
}

/** Each column of the key is compared once, by `eq`, and nothing else. */
function isByKey({ query: { filters, logic } }: ApiRequest, key: readonly string[]): boolean {
  const ownValues = filters.filter(isOfItself).map(({ value }) => value)
  const fieldNames = new Set(ownValues.map(({ field }) => field.name))
  return (
    key.length > 0 &&
    logic.every(tree => !isOfItself(tree)) &&
    fieldNames.size === key.length &&
    key.every(name => fieldNames.has(name)) &&
    ownValues.every(
      ({ isNegated, operation }) =>
        !isNegated &&
        operation.kind === 'compare' &&
        operation.operator === 'eq' &&
        operation.quantifier === undefined,
    )
  )
}

function conflictOf(
  kind: MutationPlan['kind'],
  { prefer, query }: ApiRequest,
  key: readonly string[],
): MutationPlan['conflict'] {
  if (kind === 'upsert') return { columns: key, merges: true }
  if (kind !== 'insert' || prefer.resolution === undefined) return undefined
  return { columns: query.onConflict ?? key, merges: prefer.resolution === 'merge-duplicates' }
}

function writtenColumn(cache: SchemaCache, table: Table, name: string): WrittenColumn {
  const column = table.columns.get(name)
  if (!column)
    throw new RestError({
      status: 400,
      code: 'PGRST204',
      message: `Could not find the '${name}' column of '${table.name}' in the schema cache`,
    })
  const transform = cache.representation('json', column.type)
  return { name, type: transform === undefined ? column.type : 'json', transform, default: column.default }
}
