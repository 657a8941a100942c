// The columns that a mutation or call has to return, so that what the request selects can be read from them.
import type { Condition, ReadPlan } from './read-plan.ts'

/** Names of columns; `*` alone if which ones are needed is not known. */
export function returnedColumns(
  { columns, embeds }: ReadPlan,
  extraColumns: readonly string[],
): readonly string[] {
  const names = columns.map(({ field }) => field.name)
  const computes = embeds.some(({ plan }) => plan.source.kind === 'function')
  if (names.includes('*') || computes) return ['*']
  const joined = embeds.flatMap(({ joins }) => joins.map(([, column]) => column))
  return [...new Set([...names, ...joined, ...extraColumns])]
}

/** Columns that the conditions and the order of the resource need. */
export function neededColumns({ conditions, order }: ReadPlan): readonly string[] {
  const ordered = order.flatMap(({ embed, field }) => (embed === undefined ? [field.name] : []))
  return [...conditions.flatMap(columnsOf), ...ordered]
}

function columnsOf(condition: Condition): readonly string[] {
  if (condition.kind === 'filter') return [condition.field.name]
  return condition.kind === 'logic' ? condition.parts.flatMap(columnsOf) : []
}
