// SQL that reads a resource with those that it embeds, and SQL that counts its rows.
import type { Condition, Embed, ReadPlan } from '../plan/read-plan.ts'
import { aliasName, column, columnTerm, condition, field, order, spreadTerm } from './fields.ts'
import { type Fragment, identifier, join, NOTHING, qualified, raw, sql, value } from './fragment.ts'

/** The name of what the request's mutation or call has returned. */
export const RESULT = 'pgrst_source'

/** Columns that only an array of a spread resource is ordered by. */
interface Hidden {
  readonly terms: readonly Fragment[]
  /** Names of the terms, with their directions. */
  readonly order: Fragment
}

const NONE: Hidden = { terms: [], order: NOTHING }

export function readRows(plan: ReadPlan, hidden: Hidden = NONE): Fragment {
  const { alias, columns, embeds, range } = plan
  // Without a range, the order of the arrays suffices.
  const isOrderedLater = hidden !== NONE && range.limit === undefined && range.offset === 0
  const selected = columns.map(term => ({
    text: columnTerm(alias, term),
    isGrouped: term.aggregate === undefined,
  }))
  const groups = isGrouped(plan)
  const outputs = [...selected, ...embeds.flatMap(outputOf), ...hidden.terms.map(asPlain)]
  const grouping = outputs.flatMap(({ isGrouped: is }, at) => (is ? [`${at + 1}`] : []))
  return join(
    [
      sql`select ${join(
        outputs.map(({ text }) => text),
        ', ',
      )} from ${source(plan)}`,
      ...embeds.map(joined),
      where(plan, conditionOf(plan)),
      groups && grouping.length > 0 ? raw(` group by ${grouping.join(', ')}`) : NOTHING,
      isOrderedLater ? NOTHING : order(alias, plan.order),
      limit(range),
    ],
    '',
  )
}

const asPlain = (text: Fragment) => ({ text, isGrouped: true })

function isGrouped({ columns, embeds }: ReadPlan): boolean {
  const isAggregated = ({ aggregate }: { readonly aggregate: unknown }) => aggregate !== undefined
  return (
    columns.some(isAggregated) ||
    embeds.some(({ output }) => output.kind === 'spread' && output.columns.some(isAggregated))
  )
}

function source({ source: of, alias }: ReadPlan): Fragment {
  switch (of.kind) {
    case 'result':
      return sql`${identifier(RESULT)} as ${aliasName(alias)}`
    case 'function': {
      // Without the star, it could be a column: another resource of the row may have the table's name.
      const row = sql`(${aliasName(of.row)}.*)::${qualified(of.rowType)}`
      return sql`${qualified(of.function)}(${row}) as ${aliasName(alias)}`
    }
    case 'table':
      return 'table' in alias ? qualified(of.table) : sql`${qualified(of.table)} as ${aliasName(alias)}`
  }
}

/** As `jsonb`, which rows can be grouped by. */
function outputOf({ name, output, isToOne }: Embed): { text: Fragment; isGrouped: boolean }[] {
  if (output.kind === 'nothing') return []
  if (output.kind === 'spread')
    return output.columns.map(term => ({
      text: isToOne
        ? spreadTerm(name, term)
        : sql`${identifier(name)}.${identifier(term.alias ?? term.name)}`,
      isGrouped: term.aggregate === undefined,
    }))
  const json = isToOne
    ? sql`to_jsonb(${identifier(name)}.*)`
    : sql`coalesce(${identifier(name)}.${identifier(name)}, '[]')`
  return [asPlain(sql`${json} as ${identifier(output.key)}`)]
}

function joined(embed: Embed): Fragment {
  const { name, isInner, isToOne } = embed
  const join = raw(isInner ? ' join lateral (' : ' left join lateral (')
  const rows = isToOne ? readRows(withJoins(embed)) : asArray(embed)
  const on = isInner && !isToOne ? sql`${identifier(name)}.${identifier(name)} is not null` : raw('true')
  return sql`${join}${rows}) as ${identifier(name)} on ${on}`
}

/** One row: all rows as JSON, and of a spread resource each column as an array. */
function asArray(embed: Embed): Fragment {
  const { name, output } = embed
  const plan = withJoins(embed)
  const aggregate = sql`jsonb_agg(${identifier(name)}) as ${identifier(name)}`
  if (output.kind !== 'spread')
    return sql`select ${aggregate} from (${readRows(plan)}) as ${identifier(name)}`
  const hidden = hiddenOrder(embed)
  const arrays = output.columns.map(term => {
    const each = sql`${identifier(name)}.${identifier(term.name)}`
    return sql`coalesce(json_agg(${each}${hidden.order}), '[]')::jsonb as ${identifier(term.alias ?? term.name)}`
  })
  return sql`select ${join([aggregate, ...arrays], ', ')} from (${readRows(plan, hidden)}) as ${identifier(name)}`
}

/** The rows are ordered once more in each array, by columns that are selected for it. */
function hiddenOrder({ name, plan: { alias, order: terms } }: Embed): Hidden {
  const names = terms.map((term, at) => `${name}_${term.field.name}_${at + 1}`)
  return {
    terms: terms.map(({ embed, field: of }, at) => {
      const by = field(embed === undefined ? alias : { name: embed }, of)
      return sql`${by} as ${identifier(names[at] ?? '')}`
    }),
    order: order(
      { name },
      terms.map((term, at) => ({
        ...term,
        embed: undefined,
        field: { ...term.field, name: names[at] ?? '', jsonPath: [] },
      })),
    ),
  }
}

/** A resource whose rows are those that belong to the parent's. */
interface JoinedPlan extends ReadPlan {
  readonly belongsTo: Embed
}

const withJoins = (embed: Embed): JoinedPlan => ({ ...embed.plan, belongsTo: embed })

const junctionAlias = ({ name }: Embed): Fragment => identifier(`${name}_junction`)

function where(plan: ReadPlan, conditions: readonly Fragment[]): Fragment {
  const all = [...conditions, ...belonging(plan)]
  const junction = junctionOf(plan)
  return sql`${junction}${all.length === 0 ? NOTHING : sql` where ${join(all, ' and ')}`}`
}

const isJoined = (plan: ReadPlan): plan is JoinedPlan => 'belongsTo' in plan

function junctionOf(plan: ReadPlan): Fragment {
  if (!isJoined(plan) || !plan.belongsTo.junction) return NOTHING
  const { belongsTo } = plan
  const { table, joins } = belongsTo.junction ?? { table: plan.table, joins: [] }
  const alias = junctionAlias(belongsTo)
  const on = joins.map(([ours, theirs]) => sql`${column(plan.alias, ours)} = ${alias}.${identifier(theirs)}`)
  return sql` join ${qualified(table)} as ${alias} on ${join(on, ' and ')}`
}

function belonging(plan: ReadPlan): readonly Fragment[] {
  if (!isJoined(plan)) return []
  const { joins, junction, parent } = plan.belongsTo
  return joins.map(([ours, theirs]) => {
    const left = junction
      ? sql`${junctionAlias(plan.belongsTo)}.${identifier(ours)}`
      : column(plan.alias, ours)
    return sql`${left} = ${column(parent, theirs)}`
  })
}

function conditionOf({ alias, conditions, embeds }: ReadPlan): readonly Fragment[] {
  const embedded = (name: string, isNull: boolean): Fragment => {
    const isToOne = embeds.find(embed => embed.name === name)?.isToOne === true
    const row = isToOne ? identifier(name) : sql`${identifier(name)}.${identifier(name)}`
    // A row of NULLs would be null, too.
    return sql`${row} is ${raw(isNull ? 'not ' : '')}distinct from null`
  }
  return conditions.map(one => condition(alias, one, embedded))
}

function limit({ offset, limit: maxRows }: ReadPlan['range']): Fragment {
  const count = maxRows === undefined ? NOTHING : sql` limit ${value(`${maxRows}`)}`
  return offset === 0 ? count : sql`${count} offset ${value(`${offset}`)}`
}

/** A row for each that the resource has without its range; inner joins become conditions. */
export function countedRows(plan: ReadPlan): Fragment {
  const { alias, conditions, embeds } = plan
  const has = (embed: Embed) => sql`exists (${countedRows(withJoins(embed))})`
  const embedded = (name: string, isNull: boolean): Fragment => {
    const embed = embeds.find(one => one.name === name)
    return embed ? sql`${raw(isNull ? 'not ' : '')}${has(embed)}` : raw('true')
  }
  const all = [
    ...conditions.map((one: Condition) => condition(alias, one, embedded)),
    ...embeds.filter(({ isInner }) => isInner).map(has),
  ]
  return sql`select 1 from ${source(plan)}${where(plan, all)}`
}
