// Plans what a request reads, with the resources that it embeds.
import type { OrderTerm, SelectColumn } from '../request/index.ts'
import { RestError } from '../rest-error.ts'
import type { Name, Relationship, SchemaCache } from '../schema/index.ts'
import {
  columnTerms,
  type FieldContext,
  filterCondition,
  logicCondition,
  orderField,
  unknownField,
} from './fields.ts'
import type {
  Alias,
  ColumnTerm,
  Condition,
  Embed,
  EmbedOutput,
  OrderPlan,
  ReadPlan,
  Source,
  SpreadColumn,
} from './read-plan.ts'
import { findRelationship, isToOne } from './relationships.ts'
import { type EmbeddedResource, nameOf, type Resource } from './resources.ts'

export interface ReadOptions {
  /** The table or view, or the type of the rows that a function returns. */
  readonly table: Name
  /** Whether the rows come from the request's mutation or call. */
  readonly isResult: boolean
  /** The most rows of any resource. */
  readonly maxRows: number | undefined
}

/**
 * @throws RestError PGRST118, PGRST123, PGRST127, PGRST200, PGRST201
 */
export function planRead(cache: SchemaCache, resource: Resource, options: ReadOptions): ReadPlan {
  const { table, isResult } = options
  if (!cache.settings.aggregates && usesAggregates(resource)) throw aggregatesOff()
  return new Planner(cache, options.maxRows).plan(resource, {
    table,
    source: isResult ? { kind: 'result' } : { kind: 'table', table },
    alias: isResult ? { name: table.name } : { table },
    depth: 0,
    listsAll: false,
    isSpread: false,
  })
}

const aggregates = ({ columns }: Resource): boolean =>
  columns.some(({ aggregate }) => aggregate !== undefined)

const usesAggregates = (resource: Resource): boolean =>
  aggregates(resource) || resource.embeds.some(embedded => usesAggregates(embedded.resource))

/** Whether its rows are grouped, because of itself or of resources that are spread into it. */
const isGrouped = (resource: Resource): boolean =>
  aggregates(resource) ||
  resource.embeds.some(({ embed, resource: inner }) => embed.isSpread && isGrouped(inner))

const aggregatesOff = () =>
  new RestError({ status: 400, code: 'PGRST123', message: 'Use of aggregate functions is not allowed' })

interface Place {
  readonly table: Name
  readonly source: Source
  readonly alias: Alias
  readonly depth: number
  readonly listsAll: boolean
  readonly isSpread: boolean
}

const ALL: SelectColumn = {
  kind: 'column',
  field: { name: '*', jsonPath: [] },
  alias: undefined,
  castType: undefined,
  aggregate: undefined,
  aggregateCast: undefined,
}

class Planner {
  readonly #cache: SchemaCache
  readonly #maxRows: number | undefined

  constructor(cache: SchemaCache, maxRows: number | undefined) {
    this.#cache = cache
    this.#maxRows = maxRows
  }

  plan(resource: Resource, place: Place): ReadPlan {
    const { table, source, alias, isSpread } = place
    const context: FieldContext = { cache: this.#cache, table: this.#cache.table(table) }
    const listsAll = place.listsAll || isGrouped(resource)
    const embeds = resource.embeds.map(embedded => this.#embed(embedded, { ...place, listsAll }))
    const namedEmbeds = resource.embeds.map(({ embed }, at) => ({
      key: nameOf(embed),
      embed: embeds[at] as Embed,
    }))
    const columns = resource.columns.length === 0 && embeds.length === 0 ? [ALL] : resource.columns
    return {
      table,
      source,
      alias,
      embeds,
      columns: columnTerms(context, columns, { listsAll, isSpread }),
      conditions: [
        ...resource.filters.map(filter => filterCondition(context, filter)),
        ...resource.logic.map(tree => logicCondition(context, tree)),
      ].map(condition => withEmbedded(condition, namedEmbeds)),
      order: resource.order.map(term => planOrder(context, term, namedEmbeds)),
      range: this.#limited(resource.range),
    }
  }

  #limited({ offset, limit }: ReadPlan['range']): ReadPlan['range'] {
    const maxRows = this.#maxRows
    return { offset, limit: maxRows === undefined ? limit : Math.min(limit ?? maxRows, maxRows) }
  }

  #embed({ embed, resource }: EmbeddedResource, parent: Place): Embed {
    const depth = parent.depth + 1
    const relationship = findRelationship(this.#cache, parent.table, embed)
    const [toOne, table] = [isToOne(relationship), relationship.to]
    const alias = { name: `${table.name}_${depth}` }
    const plan = this.plan(resource, {
      table,
      alias,
      depth,
      source: sourceOf(relationship, parent.alias),
      listsAll: parent.listsAll || (embed.isSpread && (!toOne || hasMoreThanStar(resource))),
      isSpread: embed.isSpread,
    })
    const name = `${parent.table.name}_${nameOf(embed)}_${depth}`
    const common = {
      name,
      isToOne: toOne,
      isInner: embed.join === 'inner',
      parent: parent.alias,
      ...joinsOf(relationship),
    }
    if (isEmpty(resource)) return { ...common, plan, output: { kind: 'nothing' } }
    if (!embed.isSpread) return { ...common, plan, output: { kind: 'json', key: nameOf(embed) } }
    if (!toOne) refuseAggregates(plan)
    return {
      ...common,
      ...(toOne ? hoisted(plan) : { plan, output: { kind: 'spread', columns: spreadColumns(plan) } }),
    }
  }
}

/** The star of a spread resource would repeat what else it returns. */
const hasMoreThanStar = ({ columns, embeds }: Resource): boolean => columns.length + embeds.length > 1

/** `relation()`, or one that contains only such. */
const isEmpty = ({ columns, embeds }: Resource): boolean =>
  columns.length === 0 && embeds.every(({ resource }) => isEmpty(resource))

function sourceOf(relationship: Relationship, row: Alias): Source {
  return relationship.kind === 'computed'
    ? { kind: 'function', function: relationship.function, row, rowType: relationship.from }
    : { kind: 'table', table: relationship.to }
}

function joinsOf(relationship: Relationship): Pick<Embed, 'joins' | 'junction'> {
  if (relationship.kind === 'computed') return { joins: [], junction: undefined }
  const { columns, junction } = relationship
  const swapped = ([ours, theirs]: readonly [string, string]) => [theirs, ours] as const
  if (!junction) return { joins: columns.map(swapped), junction: undefined }
  return {
    joins: junction.fromColumns.map(swapped),
    junction: { table: junction.table, joins: junction.toColumns },
  }
}

/** A filter `relation=is.null` is one of an embedded resource, unless none has the name. */
function withEmbedded(condition: Condition, embeds: readonly { key: string; embed: Embed }[]): Condition {
  if (condition.kind === 'logic')
    return { ...condition, parts: condition.parts.map(part => withEmbedded(part, embeds)) }
  if (condition.kind !== 'filter') return condition
  const { field, isNegated, operation } = condition
  const isNull = operation.kind === 'is' && operation.value === 'null'
  const embed = field.jsonPath.length === 0 && isNull && embeds.find(({ key }) => key === field.name)
  return embed ? { kind: 'embedded', embed: embed.embed.name, isNull: !isNegated } : condition
}

function planOrder(
  context: FieldContext,
  { relation, field, direction, nulls }: OrderTerm,
  embeds: readonly { key: string; embed: Embed }[],
): OrderPlan {
  if (relation === undefined) return { embed: undefined, field: orderField(context, field), direction, nulls }
  const embed = embeds.find(({ key }) => key === relation)
  if (!embed)
    throw new RestError({
      status: 400,
      code: 'PGRST108',
      message: `'${relation}' is not an embedded resource in this request`,
      hint: `Verify that '${relation}' is included in the 'select' query parameter.`,
    })
  if (!embed.embed.isToOne) {
    const from = context.table?.name ?? ''
    throw new RestError({
      status: 400,
      code: 'PGRST118',
      message: `A related order on '${relation}' is not possible`,
      details: `'${from}' and '${relation}' do not form a many-to-one or one-to-one relationship`,
    })
  }
  return { embed: embed.embed.name, field: unknownField(field.name, field.jsonPath), direction, nulls }
}

const outputName = ({ alias, field }: ColumnTerm): string => alias ?? field.name

/** Columns of the resource, and what is embedded in it. */
function spreadColumns({ columns, embeds }: ReadPlan): SpreadColumn[] {
  const plain = (name: string) => ({ name, aggregate: undefined, aggregateCast: undefined, alias: undefined })
  return [
    ...columns.map(column => plain(outputName(column))),
    ...embeds.flatMap(({ output }) => {
      if (output.kind === 'json') return [plain(output.key)]
      if (output.kind === 'nothing') return []
      return output.columns.map(({ alias, aggregate, name }) => plain(alias ?? aggregate ?? name))
    }),
  ]
}

/** The parent aggregates the rows of a resource that is spread into it, and of those spread into that. */
function hoisted(plan: ReadPlan): { readonly plan: ReadPlan; readonly output: EmbedOutput } {
  const columns = plan.columns.map(({ aggregate, aggregateCast, ...column }): SpreadColumn => ({
    name: outputName({ ...column, aggregate, aggregateCast }),
    aggregate,
    aggregateCast,
    alias: aggregate === undefined ? undefined : column.alias,
  }))
  const inner = plan.embeds.flatMap(({ output }): SpreadColumn[] => {
    if (output.kind === 'json')
      return [{ name: output.key, aggregate: undefined, aggregateCast: undefined, alias: undefined }]
    if (output.kind === 'nothing') return []
    return output.columns.map(column => {
      const { alias, aggregate, name } = column
      // The rows are grouped further up, so the column keeps its name until then.
      return aggregate === undefined ? { ...column, name: alias ?? name, alias: undefined } : column
    })
  })
  return {
    plan: {
      ...plan,
      columns: plan.columns.map(column => ({ ...column, aggregate: undefined, aggregateCast: undefined })),
      embeds: plan.embeds.map(withoutAggregates),
    },
    output: { kind: 'spread', columns: [...columns, ...inner] },
  }
}

const withoutAggregates = (embed: Embed): Embed =>
  embed.output.kind !== 'spread' || !embed.isToOne
    ? embed
    : {
        ...embed,
        output: {
          kind: 'spread',
          columns: embed.output.columns.map(({ name }) => ({
            name,
            aggregate: undefined,
            aggregateCast: undefined,
            alias: undefined,
          })),
        },
      }

function refuseAggregates({ columns, embeds }: ReadPlan): void {
  const isAggregated = ({ aggregate }: { readonly aggregate: unknown }) => aggregate !== undefined
  const inSpread = embeds.some(({ output }) => output.kind === 'spread' && output.columns.some(isAggregated))
  if (!columns.some(isAggregated) && !inSpread) return
  throw new RestError({
    status: 400,
    code: 'PGRST127',
    message: 'Feature not implemented',
    details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
  })
}
