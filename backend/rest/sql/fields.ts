// SQL of columns, JSON paths, conditions and order.
import type { JsonStep, Operation } from '../request/index.ts'
import type { Alias, ColumnTerm, Condition, FieldPlan, OrderPlan, SpreadColumn } from '../plan/read-plan.ts'
import {
  arrayText,
  type Fragment,
  identifier,
  join,
  NOTHING,
  qualified,
  raw,
  sql,
  value,
} from './fragment.ts'

export const aliasName = (alias: Alias): Fragment =>
  'table' in alias ? qualified(alias.table) : identifier(alias.name)

/** The row itself, in an expression. */
const rowName = (alias: Alias): Fragment => identifier('table' in alias ? alias.table.name : alias.name)

export const column = (alias: Alias, name: string): Fragment =>
  name === '*' ? sql`${aliasName(alias)}.*` : sql`${aliasName(alias)}.${identifier(name)}`

export function field(alias: Alias, { name, jsonPath, toJson }: FieldPlan): Fragment {
  const rowColumn = column(alias, name)
  if (jsonPath.length === 0) return rowColumn
  return join([toJson ? sql`to_jsonb(${rowColumn})` : rowColumn, ...jsonPath.map(jsonStep)], '')
}

const jsonStep = ({ arrow, key }: JsonStep): Fragment =>
  'name' in key ? sql`${raw(arrow)}${value(key.name)}` : sql`${raw(arrow)}${value(key.index)}::int`

const transformed = (transform: string | undefined, of: Fragment): Fragment =>
  transform === undefined ? of : sql`${raw(transform)}(${of})`

const castType = (type: string | undefined, of: Fragment): Fragment =>
  type === undefined ? of : sql`cast(${of} as ${raw(type)})`

const aliased = (of: Fragment, alias: string | undefined): Fragment =>
  alias === undefined ? of : sql`${of} as ${identifier(alias)}`

export function columnTerm(alias: Alias, term: ColumnTerm): Fragment {
  const value = term.countsRows ? rowName(alias) : field(alias, term.field)
  const single = castType(term.castType, transformed(term.field.transform, value))
  return aliased(aggregated(term, single), term.alias)
}

export const spreadTerm = (embed: string, term: SpreadColumn): Fragment =>
  aliased(aggregated(term, column({ name: embed }, term.name)), term.alias)

function aggregated(
  { aggregate, aggregateCast }: Pick<ColumnTerm, 'aggregate' | 'aggregateCast'>,
  of: Fragment,
): Fragment {
  return aggregate === undefined ? of : castType(aggregateCast, sql`${raw(aggregate)}(${of})`)
}

const COMPARISONS = {
  eq: '=',
  gte: '>=',
  gt: '>',
  lte: '<=',
  lt: '<',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  neq: '<>',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
} as const

const IS = { null: 'null', not_null: 'not null', true: 'true', false: 'false', unknown: 'unknown' } as const

const SEARCHES = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
} as const

/** @param embedded SQL of whether an embedded resource has no rows */
export function condition(
  alias: Alias,
  of: Condition,
  embedded: (embed: string, isNull: boolean) => Fragment,
): Fragment {
  if (of.kind === 'embedded') return embedded(of.embed, of.isNull)
  const not = of.isNegated ? raw('not ') : NOTHING
  if (of.kind === 'filter') return sql`${not}${operation(field(alias, of.field), of.field, of.operation)}`
  const parts = of.parts.map(part => condition(alias, part, embedded))
  return sql`${not}(${join(parts, of.operator === 'and' ? ' and ' : ' or ')})`
}

function operation(left: Fragment, { transform, isTextVector }: FieldPlan, of: Operation): Fragment {
  switch (of.kind) {
    case 'simple':
      return sql`${left} ${raw(COMPARISONS[of.operator])} ${transformed(transform, value(of.value))}`
    case 'compare': {
      const isPattern = of.operator === 'like' || of.operator === 'ilike'
      const right = isPattern ? value(of.value.replaceAll('*', '%')) : transformed(transform, value(of.value))
      const quantified = of.quantifier === undefined ? right : sql`${raw(of.quantifier)}(${right})`
      return sql`${left} ${raw(COMPARISONS[of.operator])} ${quantified}`
    }
    case 'in': {
      const isNone = of.values.length === 0 || (of.values.length === 1 && of.values[0] === '')
      if (isNone) return sql`${left} = any('{}')`
      const all = value(arrayText(of.values))
      // Unnested, so that the function converts each of them.
      const list = transform === undefined ? all : sql`(select ${raw(transform)}(unnest(${all}::text[])))`
      return sql`${left} = any(${list})`
    }
    case 'is':
      return sql`${left} is ${raw(IS[of.value])}`
    case 'isdistinct':
      return sql`${left} is distinct from ${value(of.value)}`
    case 'fts': {
      const language = of.language === undefined ? NOTHING : sql`${value(of.language)}, `
      const vector = isTextVector ? left : sql`to_tsvector(${language}${left})`
      return sql`${vector} @@ ${raw(SEARCHES[of.operator])}(${language}${value(of.value)})`
    }
  }
}

export function order(alias: Alias, terms: readonly OrderPlan[]): Fragment {
  if (terms.length === 0) return NOTHING
  const all = terms.map(({ embed, field: of, direction, nulls }) => {
    const by = field(embed === undefined ? alias : { name: embed }, of)
    const [join, empty] = [
      direction === undefined ? '' : ` ${direction}`,
      nulls === undefined ? '' : ` nulls ${nulls}`,
    ]
    return sql`${by}${raw(join + empty)}`
  })
  return sql` order by ${join(all, ', ')}`
}
