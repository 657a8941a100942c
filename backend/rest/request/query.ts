// The query's parameters: each by the rule of its name.
import type { At, Filter, LogicTree, OrderTerm, Query, SelectItem } from './api-request.ts'
import { decodePairs, encodePairs, encodeText } from './bytes.ts'
import type { Pair } from './bytes.ts'
import { logicPath, logicTree } from './logic.ts'
import { columnNames, treePath } from './names.ts'
import { condition } from './operations.ts'
import { orderTerms } from './order.ts'
import { queryError } from './parse-error.ts'
import { rangesOf, readSpans } from './ranges.ts'
import type { Spans } from './ranges.ts'
import { parse } from './scanner.ts'
import type { Scanner } from './scanner.ts'
import { selectItems } from './select.ts'

export interface ParsedQuery {
  readonly query: Query
  readonly columns: readonly string[] | undefined
  readonly spans: Spans
}

type Parameter = readonly [name: string, value: string]

/** @param isCall Whether parameters may be arguments: of a call by GET or HEAD. */
export function readQuery(search: string, isCall: boolean): ParsedQuery {
  const pairs = decodePairs(encodeText(search))
  if (pairs === undefined) throw queryError('"failed to parse query" (line 1, column 1)', 'invalid UTF-8')
  const parameters = pairs.flatMap(([name, value]): Parameter[] =>
    value === undefined ? [] : [[name, value]],
  )
  const groups = Map.groupBy(parameters, ([name]) => kindOf(name))
  const order = (groups.get('order') ?? []).map(readOrder)
  const logic = (groups.get('logic') ?? []).map(readLogic)
  const columns = readNames('columns', pairs)
  const select = readSelect(pairs)
  const { filters, callArguments } = readFilters(groups.get('filter') ?? [], isCall)
  const onConflict = readNames('on_conflict', pairs)
  const spans = readSpans(groups.get('limit') ?? [], groups.get('offset') ?? [])
  return {
    query: {
      select,
      filters,
      logic,
      order,
      ranges: rangesOf(spans),
      onConflict,
      arguments: callArguments,
      canonical: encodePairs(pairs),
    },
    columns,
    spans,
  }
}

type Kind = 'order' | 'limit' | 'offset' | 'logic' | 'reserved' | 'filter'

/** Of an embedded resource, the last part of the name decides. */
function kindOf(name: string): Kind {
  const last = name.slice(name.lastIndexOf('.') + 1)
  if (last === 'order' || last === 'limit' || last === 'offset') return last
  if (last === 'and' || last === 'or') return 'logic'
  return name === 'select' || name === 'columns' || name === 'on_conflict' ? 'reserved' : 'filter'
}

/** Of the first one of this name. */
const valueOf = (name: string, pairs: readonly Pair[]): string | undefined =>
  pairs.find(([each]) => each === name)?.[1]

const parsePath = (name: string): ReturnType<typeof treePath> & {} =>
  parse(`failed to parse tree path (${name})`, name, treePath)

function readSelect(pairs: readonly Pair[]): readonly SelectItem[] {
  const value = valueOf('select', pairs)
  if (value === undefined) return []
  return parse(`failed to parse select parameter (${value})`, value, scanner => selectItems(scanner))
}

function readNames(name: string, pairs: readonly Pair[]): readonly string[] | undefined {
  const value = valueOf(name, pairs)
  return value === undefined
    ? undefined
    : parse(`failed to parse ${name} parameter (${value})`, value, columnNames)
}

function readOrder([name, value]: Parameter): At<readonly OrderTerm[]> {
  const { path } = parsePath(name)
  return { path, value: parse(`failed to parse order (${value})`, value, orderTerms) }
}

/** Positions in errors count from the operator. */
function readLogic([name, value]: Parameter): At<LogicTree> {
  const { path, prefix } = parse(`failed to parse logic path (${name})`, name, logicPath)
  const label = `failed to parse logic tree (${value})`
  return { path, value: parse(label, prefix + value, scanner => logicTree(scanner)) }
}

function readFilters(
  parameters: readonly Parameter[],
  isCall: boolean,
): { readonly filters: readonly At<Filter>[]; readonly callArguments: readonly Parameter[] } {
  const filters: At<Filter>[] = []
  const callArguments: Parameter[] = []
  for (const [name, value] of parameters) {
    const { path, field } = parsePath(name)
    const parts = parse(
      `failed to parse filter (${value})`,
      value,
      isCall ? conditionOrArgument : plainCondition,
    )
    if (parts === 'argument') callArguments.push([field.name, value])
    else filters.push({ path, value: { field, ...parts } })
  }
  return { filters, callArguments }
}

const plainCondition = (scanner: Scanner): ReturnType<typeof condition> =>
  condition(scanner, each => each.rest())

/** A value that does not begin with an operator is an argument; an operator that was begun must be complete. */
function conditionOrArgument(scanner: Scanner): ReturnType<typeof condition> | 'argument' {
  const parts = plainCondition(scanner)
  return parts === undefined && scanner.position === 0 ? 'argument' : parts
}
