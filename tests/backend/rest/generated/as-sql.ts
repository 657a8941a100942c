// The SQL that answers a question: correlated subqueries, each value with its type, and ranges by row numbers.
import {
  type Argument,
  type ColumnItem,
  type Comparison,
  type Condition,
  type EmbedItem,
  embedsOf,
  type Field,
  isGrouped,
  type OrderTerm,
  type Question,
  type Resource,
  type WriteQuestion,
} from './question.ts'
import { type Column, type Relation, type Table, TYPES } from './schema.ts'

export interface Answering {
  /** What precedes `select`: the change of a write. */
  readonly before: string
  /** The rows or the value of the response, as `jsonb`. */
  readonly body: string
  /** The number of rows without the range. */
  readonly count: string
}

export function asSql(question: Question): Answering {
  const writer = new Writer()
  const { resource } = question
  if (question.kind === 'read') {
    const from = name(resource.table.name)
    return {
      before: '',
      body: stripped(question, writer.list(resource, from)),
      count: writer.count(resource, from),
    }
  }
  if (question.kind === 'call') {
    const call = `${name(question.function)}(${question.arguments.map(argument).join(', ')})`
    if (question.returns === 'scalar')
      return { before: '', body: `select to_jsonb(${call})`, count: 'select 1' }
    const list = stripped(question, writer.list(resource, call))
    return {
      before: '',
      body: question.returns === 'row' ? `select (${list}) -> 0` : list,
      count: 'select 1',
    }
  }
  const body = stripped(question, writer.list({ ...resource, conditions: [] }, 'changed'))
  return { before: `with changed as (${change(question, writer)} returning *)`, body, count: 'select 1' }
}

const stripped = ({ stripsNulls }: Question, list: string): string =>
  stripsNulls ? `select jsonb_strip_nulls((${list}))` : list

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`
const name = (of: string): string => `"${of.replaceAll('"', '""')}"`
const all = (parts: readonly string[]): string =>
  parts.length === 0 ? 'true' : parts.map(each => `(${each})`).join(' and ')

const argument = ({ column, value }: Argument): string =>
  `${name(column.name)} => ${value === null ? 'null' : text(value)}::${TYPES[column.kind].type}`

function columnOf({ columns }: Table, of: string): Column {
  const found = columns.find(column => column.name === of)
  if (!found) throw new Error(`No column ${of}.`)
  return found
}

function change(question: WriteQuestion, writer: Writer): string {
  const { kind, resource, rows } = question
  const { table } = resource
  const target = name(table.name)
  const conditions = all(resource.conditions.map(each => writer.condition(each, target)))
  if (kind === 'delete') return `delete from ${target} where ${conditions}`
  const columns = question.columns ?? [...(rows[0]?.keys() ?? [])]
  const cell = (row: ReadonlyMap<string, string | null>, column: string): string => {
    const value = row.get(column)
    if (value === undefined) return question.fillsDefaults ? 'default' : 'null'
    if (value === null) return 'null'
    const { type } = TYPES[columnOf(table, column).kind]
    // PostgREST adds defaults to the row as `jsonb`, which has its own spaces and order of keys.
    return `${text(value)}${question.fillsDefaults && type === 'json' ? '::jsonb' : ''}::${type}`
  }
  if (kind === 'update') {
    const [row] = rows
    const sets = columns.map(column => `${name(column)} = ${row ? cell(row, column) : 'null'}`)
    return `update ${target} set ${sets.join(', ')} where ${conditions}`
  }
  const values = rows.map(row => `(${columns.map(column => cell(row, column)).join(', ')})`)
  const insertion = `insert into ${target} (${columns.map(name).join(', ')}) values ${values.join(', ')}`
  const conflict = name(question.onConflict ?? 'id')
  if (question.resolution === 'ignore') return `${insertion} on conflict (${conflict}) do nothing`
  if (kind === 'insert' && question.resolution === undefined) return insertion
  const sets = columns.map(column => `${name(column)} = excluded.${name(column)}`)
  return `${insertion} on conflict (${conflict}) do update set ${sets.join(', ')}`
}

/** A resource in another: where its rows come from, and which of them belong to the other's row. */
interface Source {
  readonly from: string
  readonly belongs: readonly string[]
}

interface Output {
  readonly name: string
  readonly sql: string
}

class Writer {
  #aliases = 0

  #alias(): string {
    return `t${this.#aliases++}`
  }

  /** All rows of a resource as an array. */
  list(resource: Resource, from: string): string {
    const alias = this.#alias()
    const rows = this.#rows(resource, alias, { from: `${from} as ${alias}`, belongs: [] })
    return `select coalesce(jsonb_agg(r.o order by r.n), '[]') from (${rows}) r where ${range(resource)}`
  }

  count(resource: Resource, from: string): string {
    const alias = this.#alias()
    return `select count(*) from ${from} as ${alias} where ${all(this.#conditions(resource, alias))}`
  }

  /** An object `o` and a number `n` for each row, without the range. */
  #rows(resource: Resource, alias: string, source: Source): string {
    if (isGrouped(resource)) return this.#groups(resource, alias, source)
    const where = all([...source.belongs, ...this.#conditions(resource, alias)])
    const number = `row_number() over (${this.#order(resource.order, alias)})`
    const parts = [object(this.#outputs(resource, alias)), ...this.#spreads(resource, alias)]
    return `select ${parts.join(' || ')} as o, ${number} as n from ${source.from} where ${where}`
  }

  #outputs(resource: Resource, alias: string): readonly Output[] {
    return resource.items.flatMap((item): readonly Output[] => {
      if (item.kind === 'all')
        return plainColumns(resource.table).map(column => ({
          name: column.name,
          sql: `${alias}.${name(column.name)}`,
        }))
      if (item.kind === 'column') return [{ name: item.name, sql: this.#column(item, alias) }]
      return item.isEmpty || item.isSpread ? [] : [{ name: item.name, sql: this.#embedded(item, alias) }]
    })
  }

  /** Objects with the columns of each spread resource: of one row the values, of many an array each. */
  #spreads(resource: Resource, parent: string): readonly string[] {
    return embedsOf(resource)
      .filter(({ isSpread }) => isSpread)
      .map(embed => {
        const rows = this.#embeddedRows(embed, parent)
        const names = this.#names(embed.resource)
        const where = range(embed.resource)
        if (!embed.relation.isToOne) {
          const arrays = names.map(key => ({
            name: key,
            sql: `coalesce(jsonb_agg(r.o -> ${text(key)} order by r.n), '[]')`,
          }))
          return `(select ${object(arrays)} from (${rows}) r where ${where})`
        }
        const nothing = object(names.map(key => ({ name: key, sql: 'null' })))
        return `coalesce((select r.o from (${rows}) r where ${where}), ${nothing})`
      })
  }

  #column({ field, cast }: ColumnItem, alias: string): string {
    const value = field ? fieldSql(field, alias) : '1'
    return cast === undefined ? value : `(${value})::${cast}`
  }

  #embedded(embed: EmbedItem, parent: string): string {
    const rows = this.#embeddedRows(embed, parent)
    if (embed.relation.isToOne) return `(select r.o from (${rows}) r where ${range(embed.resource)})`
    return `(select coalesce(jsonb_agg(r.o order by r.n), '[]') from (${rows}) r where ${range(embed.resource)})`
  }

  #embeddedRows(embed: EmbedItem, parent: string): string {
    const alias = this.#alias()
    return this.#rows(embed.resource, alias, this.#source(embed.relation, parent, alias))
  }

  #names(resource: Resource): readonly string[] {
    return resource.items.flatMap(item => {
      if (item.kind === 'all') return plainColumns(resource.table).map(column => column.name)
      if (item.kind === 'column') return [item.name]
      if (item.isEmpty) return []
      return item.isSpread ? this.#names(item.resource) : [item.name]
    })
  }

  #source({ to, on, through, function: computed }: Relation, parent: string, alias: string): Source {
    if (computed !== undefined) return { from: `${name(computed)}(${parent}) as ${alias}`, belongs: [] }
    const equal = (one: string, [left, right]: readonly [string, string], other: string) =>
      `${one}.${name(left)} = ${other}.${name(right)}`
    if (!through)
      return { from: `${name(to)} as ${alias}`, belongs: on.map(pair => equal(parent, pair, alias)) }
    return {
      from: `${name(to)} as ${alias} cross join ${name(through.table)} as ${alias}j`,
      belongs: [
        ...on.map(pair => equal(parent, pair, `${alias}j`)),
        ...through.on.map(pair => equal(`${alias}j`, pair, alias)),
      ],
    }
  }

  /** Values to group by and to aggregate come from a first query, and the groups from a second one. */
  #groups(resource: Resource, alias: string, source: Source): string {
    const inner: string[] = []
    const outputs: Output[] = []
    const groups: string[] = []
    const orders = new Map<string, string>()
    const where = [...source.belongs, ...this.#conditions(resource, alias)]
    let { from } = source
    const add = (item: ColumnItem, of: string, isJoined: boolean) => {
      const column = `c${inner.length}`
      const rowValue = isJoined ? `to_jsonb(${of})` : '1'
      const value = item.field ? this.#column(item, of) : rowValue
      // Without a joined row, there is nothing to compute.
      inner.push(
        `${isJoined ? `case when to_jsonb(${of}) is not null then ${value} end` : value} as ${column}`,
      )
      if (item.aggregate === undefined) {
        groups.push(column)
        outputs.push({ name: item.name, sql: column })
        if (item.field && !isJoined) orders.set(item.field.column.name, column)
        return
      }
      const result = `${item.aggregate}(${column})`
      const { aggregateCast } = item
      outputs.push({
        name: item.name,
        sql: aggregateCast === undefined ? result : `(${result})::${aggregateCast}`,
      })
    }
    for (const item of resource.items) {
      if (item.kind === 'column') add(item, alias, false)
      if (item.kind !== 'embed') continue
      if (item.isSpread) {
        const joined = this.#alias()
        const { from: other, belongs } = this.#source(item.relation, alias, joined)
        from += ` ${item.isInner ? 'inner' : 'left'} join ${other} on ${all([...belongs, ...this.#conditions(item.resource, joined)])}`
        for (const each of item.resource.items) if (each.kind === 'column') add(each, joined, true)
      } else {
        const column = `c${inner.length}`
        inner.push(`${this.#embedded(item, alias)} as ${column}`)
        groups.push(column)
        outputs.push({ name: item.name, sql: column })
      }
    }
    const terms = resource.order.map(term => `${orders.get(term.field.column.name)}${way(term)}`)
    const number = terms.length === 0 ? '1' : `row_number() over (order by ${terms.join(', ')})`
    const grouping = groups.length === 0 ? '' : ` group by ${groups.join(', ')}`
    return `select ${object(outputs)} as o, ${number} as n from (select ${inner.join(', ')} from ${from} where ${all(where)}) d${grouping}`
  }

  #order(terms: readonly OrderTerm[], alias: string): string {
    if (terms.length === 0) return ''
    const each = (term: OrderTerm): string => {
      const { embed, field } = term
      if (!embed) return `${fieldSql(field, alias)}${way(term)}`
      const other = this.#alias()
      const { from, belongs } = this.#source(embed.relation, alias, other)
      const where = all([...belongs, ...this.#conditions(embed.resource, other)])
      return `(select ${fieldSql(field, other)} from ${from} where ${where})${way(term)}`
    }
    return `order by ${terms.map(each).join(', ')}`
  }

  /** Its own, and that what is joined by `inner` exists. */
  #conditions(resource: Resource, alias: string): readonly string[] {
    return [
      ...resource.conditions.map(each => this.condition(each, alias)),
      // Groups join a spread resource themselves.
      ...embedsOf(resource)
        .filter(({ isInner, isSpread }) => isInner && !(isSpread && isGrouped(resource)))
        .map(embed => this.#exists(embed, alias)),
    ]
  }

  #exists(embed: EmbedItem, parent: string): string {
    const alias = this.#alias()
    const { from, belongs } = this.#source(embed.relation, parent, alias)
    const where = all([...belongs, ...this.#conditions(embed.resource, alias)])
    const { limit = Infinity, offset } = embed.resource
    return limit === 0 ? 'false' : `(select count(*) from ${from} where ${where}) > ${offset}`
  }

  condition(of: Condition, alias: string): string {
    const not = of.isNegated ? 'not ' : ''
    switch (of.kind) {
      case 'comparison':
        return `${not}(${comparison(of, alias)})`
      case 'embedded':
        return of.isNegated ? this.#exists(of.embed, alias) : `not (${this.#exists(of.embed, alias)})`
      case 'logic':
        return `${not}(${of.parts.map(part => `(${this.condition(part, alias)})`).join(` ${of.operator} `)})`
    }
  }
}

const plainColumns = ({ columns }: Table): readonly Column[] =>
  columns.filter(({ isComputed }) => !isComputed)

/** Functions take a hundred arguments at most. */
function object(outputs: readonly Output[]): string {
  const parts: string[] = []
  for (let at = 0; at < outputs.length; at += 40)
    parts.push(
      `jsonb_build_object(${outputs
        .slice(at, at + 40)
        .map(({ name: key, sql }) => `${text(key)}, ${sql}`)
        .join(', ')})`,
    )
  return parts.length === 0 ? `'{}'::jsonb` : parts.join(' || ')
}

function range({ limit, offset }: Resource): string {
  const parts = [
    ...(offset > 0 ? [`r.n > ${offset}`] : []),
    ...(limit === undefined ? [] : [`r.n <= ${offset + limit}`]),
  ]
  return parts.length === 0 ? 'true' : parts.join(' and ')
}

/** In descending order, NULL comes first by default. */
const way = ({ direction, nulls }: OrderTerm): string => {
  const first = nulls === undefined ? direction === 'desc' : nulls === 'first'
  return `${direction === 'desc' ? ' desc' : ' asc'} nulls ${first ? 'first' : 'last'}`
}

function fieldSql({ column, path }: Field, alias: string): string {
  const whole = column.isComputed ? `${name(column.name)}(${alias})` : `${alias}.${name(column.name)}`
  if (path.length === 0) return whole
  const isJson = column.kind === 'json'
  const start = isJson || column.kind === 'jsonb' ? whole : `array_to_json(${whole})::jsonb`
  return path.reduce((value, { key, isText }) => {
    const operation = `${isJson ? 'json' : 'jsonb'}_${typeof key === 'number' ? 'array_element' : 'object_field'}`
    return `pg_catalog.${operation}${isText ? '_text' : ''}(${value}, ${typeof key === 'number' ? key : text(key)})`
  }, start)
}

const OPERATORS: Readonly<Record<string, string>> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: '~~',
  ilike: '~~*',
  match: '~',
  imatch: '~*',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
}

const QUERIES: Readonly<Record<string, string>> = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
}

const STATES: Readonly<Record<string, string>> = {
  null: 'is null',
  not_null: 'is not null',
  true: 'is not distinct from true',
  false: 'is not distinct from false',
  unknown: 'is null',
}

function comparison({ field, operator, quantifier, language, values }: Comparison, alias: string): string {
  const { base } = TYPES[field.kind]
  const left = `(${fieldSql(field, alias)})`
  const [first = ''] = values
  if (operator === 'is') return `${left} ${STATES[first]}`
  const query = QUERIES[operator]
  if (query !== undefined) {
    const config = language === undefined ? 'get_current_ts_config()' : `${text(language)}::regconfig`
    const vector = field.kind === 'tsvector' ? left : `to_tsvector(${config}, ${left})`
    return `${vector} @@ ${query}(${config}, ${text(first)}::text)`
  }
  const isPattern = operator === 'like' || operator === 'ilike'
  const symbol = OPERATORS[operator === 'in' || operator === 'isdistinct' ? 'eq' : operator]
  const against = (value: string) =>
    `${left}::${base} ${symbol} ${text(isPattern ? value.replaceAll('*', '%') : value)}::${base}`
  // Of no values, none is equal, and all are.
  if (operator === 'in' || quantifier === 'any')
    return values.length === 0 ? 'false' : values.map(against).join(' or ')
  if (quantifier === 'all') return values.length === 0 ? 'true' : values.map(against).join(' and ')
  return operator === 'isdistinct' ? `coalesce(not (${against(first)}), true)` : against(first)
}
