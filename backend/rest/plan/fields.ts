// Columns and JSON paths of a request, with what the schema knows of them.
import type { Field, Filter, LogicTree, SelectColumn } from '../request/index.ts'
import type { Column, SchemaCache, Table } from '../schema/index.ts'
import type { ColumnTerm, Condition, FieldPlan } from './read-plan.ts'

/** A table's columns, if the rows are those of a table. */
export interface FieldContext {
  readonly cache: SchemaCache
  readonly table: Table | undefined
}

function plainField(
  { table }: FieldContext,
  { name, jsonPath }: Field,
): FieldPlan & { readonly column: Column | undefined } {
  const column = table?.columns.get(name)
  return {
    name,
    jsonPath,
    toJson: column?.type !== 'json' && column?.type !== 'jsonb',
    transform: undefined,
    isTextVector: column?.baseType === 'tsvector',
    column,
  }
}

export function orderField(context: FieldContext, field: Field): FieldPlan {
  return plainField(context, field)
}

/** A field of a row whose columns are not known. */
export const unknownField = (name: string, jsonPath: Field['jsonPath'] = []): FieldPlan => ({
  name,
  jsonPath,
  toJson: false,
  transform: undefined,
  isTextVector: false,
})

function outputField(context: FieldContext, field: Field): FieldPlan {
  const plan = plainField(context, field)
  const { column } = plan
  return { ...plan, transform: column && context.cache.representation(column.type, 'json') }
}

function filterField(context: FieldContext, field: Field): FieldPlan {
  const plan = plainField(context, field)
  const { column } = plan
  return { ...plan, transform: column && context.cache.representation('text', column.type) }
}

export const filterCondition = (
  context: FieldContext,
  { field, isNegated, operation }: Filter,
): Condition => ({
  kind: 'filter',
  field: filterField(context, field),
  isNegated,
  operation,
})

export function logicCondition(context: FieldContext, tree: LogicTree): Condition {
  if (tree.kind === 'filter') return filterCondition(context, tree.filter)
  const { kind, isNegated, operator, parts } = tree
  return { kind, isNegated, operator, parts: parts.map(part => logicCondition(context, part)) }
}

const isAll = ({ field, aggregate }: SelectColumn): boolean =>
  field.name === '*' && field.jsonPath.length === 0 && aggregate === undefined

/**
 * What a resource returns. `*` becomes the list of its columns where SQL needs them one by one: if some are converted,
 * if rows are grouped, or if each column becomes an array.
 */
export function columnTerms(
  context: FieldContext,
  columns: readonly SelectColumn[],
  { listsAll, isSpread }: { readonly listsAll: boolean; readonly isSpread: boolean },
): ColumnTerm[] {
  const { cache, table } = context
  const all = [...(table?.columns.values() ?? [])]
  const converts = all.some(({ type }) => cache.representation(type, 'json') !== undefined)
  return columns.flatMap(select => {
    if (!isAll(select) || !(listsAll || converts) || all.length === 0)
      return [columnTerm(context, select, isSpread)]
    return all.map(({ name }) => columnTerm(context, { ...select, field: { name, jsonPath: [] } }, isSpread))
  })
}

function columnTerm(context: FieldContext, select: SelectColumn, isSpread: boolean): ColumnTerm {
  const { aggregate, aggregateCast, castType } = select
  const field = outputField(context, select.field)
  return {
    field,
    aggregate,
    aggregateCast,
    castType,
    alias: select.alias ?? impliedAlias(field, aggregate, isSpread),
    countsRows: isSpread && aggregate === 'count' && field.name === '*',
  }
}

/** The name of a part of JSON is its last key; of a converted column, the column's. */
function impliedAlias(
  field: FieldPlan,
  aggregate: ColumnTerm['aggregate'],
  isSpread: boolean,
): string | undefined {
  if (aggregate !== undefined) return isSpread ? aggregate : undefined
  if (field.jsonPath.length > 0) {
    const keys = field.jsonPath.flatMap(({ key }) => ('name' in key ? [key.name] : []))
    return keys.at(-1) ?? field.name
  }
  return field.transform === undefined ? undefined : field.name
}
