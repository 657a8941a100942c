// Questions to the harbor, each from a seed, in a form that is neither a request nor SQL.
import { Dice } from './random.ts'
import {
  BOAT_IDS,
  type Column,
  ECHOED,
  type Kind,
  PERSON_IDS,
  POOLS,
  type Relation,
  RELATIONS,
  stored,
  type Table,
  TABLES,
  tableOf,
} from './schema.ts'

export interface Step {
  /** A number is an index, from the end if it is negative. */
  readonly key: string | number
  readonly isText: boolean
}

/** A column, or a part of its JSON. */
export interface Field {
  readonly column: Column
  readonly path: readonly Step[]
  readonly kind: Kind
}

export type Aggregate = 'sum' | 'avg' | 'max' | 'min' | 'count'

export interface ColumnItem {
  readonly kind: 'column'
  /** Absent: `count()` of rows. */
  readonly field: Field | undefined
  readonly cast: string | undefined
  readonly aggregate: Aggregate | undefined
  readonly aggregateCast: string | undefined
  readonly alias: string | undefined
  /** The key in the result. */
  readonly name: string
}

export interface EmbedItem {
  readonly kind: 'embed'
  readonly relation: Relation
  readonly way: readonly [name: string, hint?: string]
  readonly alias: string | undefined
  readonly isInner: boolean
  readonly isSpread: boolean
  /** Nothing of it is returned. */
  readonly isEmpty: boolean
  readonly resource: Resource
  /** The alias, or the name in the request. */
  readonly name: string
}

export type Item = { readonly kind: 'all' } | ColumnItem | EmbedItem

export type Operator =
  | 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'ilike' | 'match' | 'imatch' | 'in' | 'isdistinct'
  | 'cs' | 'cd' | 'ov' | 'sl' | 'sr' | 'nxr' | 'nxl' | 'adj' | 'fts' | 'plfts' | 'phfts' | 'wfts' | 'is' // prettier-ignore

export interface Comparison {
  readonly kind: 'comparison'
  readonly field: Field
  readonly isNegated: boolean
  readonly operator: Operator
  readonly quantifier: 'any' | 'all' | undefined
  readonly language: string | undefined
  /** One, but of `in` and quantifiers any number. */
  readonly values: readonly string[]
}

export type Condition =
  | Comparison
  | {
      readonly kind: 'logic'
      readonly isNegated: boolean
      readonly operator: 'and' | 'or'
      readonly parts: readonly Condition[]
    }
  /** Whether an embedded resource has rows. */
  | { readonly kind: 'embedded'; readonly embed: EmbedItem; readonly isNegated: boolean }

export interface OrderTerm {
  /** The embedded resource whose field it is. */
  readonly embed: EmbedItem | undefined
  readonly field: Field
  readonly direction: 'asc' | 'desc' | undefined
  readonly nulls: 'first' | 'last' | undefined
}

export interface Resource {
  readonly table: Table
  readonly items: readonly Item[]
  readonly conditions: readonly Condition[]
  readonly order: readonly OrderTerm[]
  readonly limit: number | undefined
  readonly offset: number
}

export interface Argument {
  readonly column: Column
  readonly value: string | null
}

export type Cell = string | null
export type Row = ReadonlyMap<string, Cell>

interface Common {
  readonly seed: number
  /** Whether each list has one right order; otherwise only which items it has matters. */
  readonly isOrdered: boolean
  readonly resource: Resource
  readonly isSingular: boolean
  readonly stripsNulls: boolean
  /** How the request is written, where it may be written in several ways. */
  readonly style: number
}

export interface ReadQuestion extends Common {
  readonly kind: 'read'
  readonly isCounted: boolean
  readonly usesRangeHeader: boolean
}

export interface CallQuestion extends Common {
  readonly kind: 'call'
  readonly function: string
  readonly arguments: readonly Argument[]
  readonly method: 'GET' | 'POST'
  readonly returns: 'scalar' | 'row' | 'rows'
}

export interface WriteQuestion extends Common {
  readonly kind: 'insert' | 'update' | 'delete' | 'put'
  readonly rows: readonly Row[]
  /** Columns to write, if they are named apart from the rows. */
  readonly columns: readonly string[] | undefined
  readonly fillsDefaults: boolean
  readonly resolution: 'merge' | 'ignore' | undefined
  readonly onConflict: string | undefined
  /** Whether the request itself undoes what it does. */
  readonly isRolledBack: boolean
}

export type Question = ReadQuestion | CallQuestion | WriteQuestion

const isAggregated = ({ items }: Resource): boolean =>
  items.some(item => item.kind === 'column' && item.aggregate !== undefined)

/** Whether rows are grouped, because of itself or of what is spread into it. */
export const isGrouped = (resource: Resource): boolean =>
  isAggregated(resource) ||
  resource.items.some(item => item.kind === 'embed' && item.isSpread && isGrouped(item.resource))

export function embedsOf({ items }: Resource): readonly EmbedItem[] {
  return items.filter(item => item.kind === 'embed')
}

export function questionOf(seed: number): Question {
  return new Author(seed).ask()
}

const COMPARED: readonly Operator[] = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'isdistinct']
const SEARCHED: readonly Operator[] = ['fts', 'plfts', 'phfts', 'wfts']
const MATCHED: readonly Operator[] = ['like', 'ilike', 'match', 'imatch']

/** Operators of each type. An array of arrays is none, so `in` compares no arrays; JSON that is not binary has none. */
const OPERATORS: Readonly<Record<Kind, readonly Operator[]>> = {
  int: [...COMPARED, 'in'],
  bigint: [...COMPARED, 'in'],
  numeric: [...COMPARED, 'in'],
  text: [...COMPARED, ...COMPARED, 'in', 'in', ...MATCHED, 'fts'],
  prose: [...SEARCHED, 'eq', 'like'],
  boolean: ['eq', 'neq', 'isdistinct', 'in'],
  date: [...COMPARED, 'in'],
  timestamptz: [...COMPARED, 'in'],
  uuid: [...COMPARED, 'in'],
  mood: [...COMPARED, 'in'],
  depth: [...COMPARED, 'in'],
  // PostgreSQL finds no operator for a domain of an enum and a value of unknown type.
  sky: [],
  texts: [...COMPARED, 'cs', 'cd', 'ov'],
  ints: [...COMPARED, 'cs', 'cd', 'ov'],
  json: ['fts'],
  jsonb: [...COMPARED, 'in', 'cs', 'cd', 'fts'],
  range: [...COMPARED, 'in', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj'],
  bytea: [...COMPARED, 'in'],
  tsvector: SEARCHED,
}

const QUANTIFIED: ReadonlySet<Operator> = new Set([
  'eq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'match',
  'imatch',
])

const PATTERN_PARTS = [
  'a',
  'b',
  'P',
  'lain',
  '*',
  '*',
  '_',
  '%',
  '\\_',
  '\\%',
  '(',
  ',',
  '"',
  'größe',
  '.',
  "'",
  ' ',
]
const REGEXES = ['^a', 'lain$', '[abP]', '(a|b)', '\\.', '^$', '\\(', '"', '^.{2,3}$', 'ö', "'", ',']
const SEARCHES: Readonly<Record<string, readonly string[]>> = {
  fts: ['cat', 'cat & rat', 'sail | cat', '!boat', 'fat <-> cat', "'fat cats'"],
  plfts: ['fat cats', 'cat, (rat)', ''],
  phfts: ['fat cats', 'cats fat'],
  wfts: ['cats -rats', '"fat cats"', 'sail or cats'],
}
const LANGUAGES = [undefined, 'english', 'french', 'simple']

const PATHS: readonly (readonly (string | number)[])[] = [
  ['a'],
  ['a', 'b'],
  ['a', 'b', 0],
  ['a', 'b', 2, 'c'],
  ['k'],
  ['list'],
  ['list', 0],
  ['list', -1],
  ['list', 1, 1, 0],
  [0],
  [-1],
  [2, 'a'],
  ['we ird', 'x.y'],
  ['quo"te'],
  ['0'],
  ['größe'],
]
const JSON_VALUES = ['"v"', 'null', '1', '{"b":"text"}', '[3,"4"]', '"text"', '[]', '{}', '20', '1.5', '"20"']
const JSON_TEXTS = [
  'v',
  '20',
  'text',
  "it's",
  '(p),q',
  '1.50',
  'zero',
  '',
  'null',
  '12345678901234567890.10',
  '東京',
]

const CASTS: Readonly<Record<Kind, readonly string[]>> = {
  int: ['text', 'bigint', 'numeric'],
  bigint: ['text', 'numeric'],
  numeric: ['text', 'double precision'],
  text: ['varchar', 'text'],
  prose: ['text'],
  boolean: ['int', 'text'],
  date: ['text', 'timestamp'],
  timestamptz: ['text', 'date', 'timestamp with time zone'],
  uuid: ['text'],
  mood: ['text'],
  depth: ['text', 'numeric', 'int4'],
  sky: ['text'],
  texts: ['text'],
  ints: ['text'],
  json: ['text', 'jsonb'],
  jsonb: ['text', 'json'],
  range: ['text'],
  bytea: ['text'],
  tsvector: ['text'],
}

const SUMMED: ReadonlySet<Kind> = new Set(['int', 'bigint', 'numeric', 'depth'])
const RANKED: ReadonlySet<Kind> = new Set([...SUMMED, 'text', 'date', 'timestamptz', 'mood'])

const ALIASES = [
  'x',
  'Alias Two',
  'größe2',
  'a.b.c',
  'p(q)',
  'c,d',
  '__proto__',
  'select',
  'x:y',
  'quo"te2',
  '1st',
  'null',
  'da-sh',
  'and',
  'back\\slash',
  'name->x',
]

interface Place {
  readonly depth: number
  /** Keys of the object that the resource's values become part of. */
  readonly names: Set<string>
  /** Whether it may have aggregates. */
  readonly aggregates: boolean
  readonly isToOne: boolean
  readonly isSpread: boolean
  readonly isResult?: true
}

class Author {
  readonly #dice: Dice
  readonly #seed: number
  readonly #isOrdered: boolean
  #hasRanges = true

  constructor(seed: number) {
    this.#seed = seed
    this.#dice = new Dice(seed)
    this.#isOrdered = this.#dice.chance(0.7)
  }

  ask(): Question {
    const dice = this.#dice
    if (dice.chance(0.2)) return this.#write()
    return dice.chance(0.15) ? this.#call() : this.#read()
  }

  #common(resource: Resource): Common {
    const dice = this.#dice
    return {
      seed: this.#seed,
      isOrdered: this.#isOrdered,
      resource,
      isSingular: dice.chance(0.04),
      stripsNulls: dice.chance(0.05),
      style: dice.int(0, 1_000_000),
    }
  }

  #read(): ReadQuestion {
    const dice = this.#dice
    const starts = ['boats', 'boats', 'boats', 'people', 'people', ...TABLES.map(({ name }) => name)]
    const resource = this.#resource(tableOf(dice.pick(starts)), this.#root(true))
    return {
      ...this.#common(resource),
      kind: 'read',
      isCounted: dice.chance(0.3) && isCountable(resource),
      usesRangeHeader: dice.chance(0.3),
    }
  }

  #root(aggregates: boolean): Place {
    return { depth: 0, names: new Set(), aggregates, isToOne: false, isSpread: false }
  }

  #call(): CallQuestion {
    const dice = this.#dice
    const method = dice.pick(['GET', 'POST'] as const)
    const argument = (column: Column, values: readonly string[], mayBeNull = true): Argument => ({
      column,
      value: method === 'POST' && mayBeNull && dice.chance(0.1) ? null : dice.pick(sendable(values, method)),
    })
    const kind = dice.int(0, 3)
    if (kind === 0) {
      const column = dice.pick(ECHOED)
      return {
        ...this.#common({
          table: tableOf('boats'),
          items: [],
          conditions: [],
          order: [],
          limit: undefined,
          offset: 0,
        }),
        kind: 'call',
        function: `echo ${column.kind}`,
        arguments: [argument(column, POOLS[column.kind])],
        method,
        returns: 'scalar',
        stripsNulls: false,
        isSingular: false,
      }
    }
    if (kind === 1) {
      const table: Table = {
        name: 'echo.all',
        key: [],
        // PostgREST does not know these types, so it takes parts of JSON as text from `jsonb`, with other spaces.
        columns: ECHOED.map(column => ({
          ...column,
          name: `${column.name}.out`,
          isWhole: column.kind === 'json',
        })),
      }
      return {
        ...this.#common(this.#resource(table, { ...this.#root(true), isResult: true })),
        kind: 'call',
        function: 'echo.all',
        arguments: dice
          .some(ECHOED, dice.int(1, ECHOED.length))
          .map(column => argument(column, POOLS[column.kind])),
        method,
        returns: 'rows',
      }
    }
    if (kind === 2)
      return {
        ...this.#common(
          this.#resource(tableOf('people'), { ...this.#root(false), isResult: true, isToOne: true }),
        ),
        kind: 'call',
        function: 'one_person',
        arguments: [argument({ name: 'which', kind: 'int' }, [...PERSON_IDS, '99'])],
        method,
        returns: 'row',
        isSingular: false,
      }
    const tags = argument({ name: 'with.tags', kind: 'texts' }, POOLS.texts)
    return {
      ...this.#common(this.#resource(tableOf('boats'), { ...this.#root(true), isResult: true })),
      kind: 'call',
      function: 'heavy_boats',
      arguments: [
        argument({ name: 'at least', kind: 'numeric' }, POOLS.numeric, false),
        ...(dice.chance(0.3) ? [tags] : []),
      ],
      method,
      returns: 'rows',
    }
  }

  #write(): WriteQuestion {
    const dice = this.#dice
    const kind = dice.pick(['insert', 'insert', 'insert', 'update', 'update', 'delete', 'put'] as const)
    const table = tableOf(dice.chance(0.8) ? 'logs' : 'entries')
    // Writes ignore ranges, also of what they embed.
    this.#hasRanges = false
    const read = this.#resource(table, { ...this.#root(false), isResult: true })
    const returned = new Set(
      read.items.flatMap(item => (item.kind === 'column' && item.field ? [item.field.column.name] : [])),
    )
    const isAll = read.items.some(item => item.kind === 'all')
    const resource: Resource = {
      ...read,
      // PostgREST orders by columns that it returns, and the key.
      order: read.order.filter(
        ({ embed, field }) =>
          embed !== undefined || isAll || returned.has(field.column.name) || field.column.name === 'id',
      ),
      // A response without rows would refuse a PUT.
      items:
        kind === 'put'
          ? read.items.map(item => ('isInner' in item ? { ...item, isInner: false } : item))
          : read.items,
      // An insertion has no conditions; those of an update or deletion select its rows.
      conditions: kind === 'insert' || kind === 'put' ? [] : this.#conditions(table, [], 2),
    }
    const writable = stored(table)
    const resolution =
      kind === 'insert' && dice.chance(0.4) ? dice.pick(['merge', 'ignore'] as const) : undefined
    const onConflict =
      resolution && dice.pick(table.name === 'logs' ? ['id', 'code', undefined] : ['id', undefined])
    const free = writable.filter(({ name }) => name !== 'id' && name !== 'code')
    const some = dice.some(free, dice.int(1, kind === 'update' ? 4 : free.length)).map(({ name }) => name)
    const identified = kind === 'update' ? some : [...some, 'id', ...(onConflict === 'code' ? ['code'] : [])]
    const count = kind === 'insert' && dice.chance(0.6) ? dice.int(2, 4) : 1
    const ids = dice.some(
      resolution || kind === 'put' ? ['1', '2', '3', '101', '102', '103'] : ['101', '102', '103', '9007199'],
      count,
    )
    const codes = dice.some(['c0', 'c1', 'n1', 'n2', 'n3'], count)
    const leavesOut = kind === 'insert' && dice.chance(0.5)
    const rows =
      kind === 'delete'
        ? []
        : ids.map((id, at) => {
            const cells = identified.map((name): [string, Cell] => {
              if (name === 'id') return [name, onConflict === 'code' ? String(200 + at) : id]
              if (name === 'code') return [name, codes[at] ?? null]
              return [name, this.#cell(table, name)]
            })
            return new Map(
              leavesOut
                ? cells.filter(([name]) => name === 'id' || name === 'code' || dice.chance(0.6))
                : cells,
            )
          })
    const namesColumns = leavesOut || (kind !== 'delete' && kind !== 'put' && dice.chance(0.2))
    return {
      ...this.#common(resource),
      kind,
      rows,
      columns: namesColumns ? identified : undefined,
      fillsDefaults: kind === 'insert' && dice.chance(0.5),
      resolution,
      onConflict,
      isRolledBack: dice.chance(0.4),
      isSingular: kind !== 'put' && dice.chance(0.1),
    }
  }

  #cell(table: Table, name: string): Cell {
    const dice = this.#dice
    if (dice.chance(0.15)) return null
    if (name === 'boat') return dice.pick(BOAT_IDS)
    if (name === 'log') return String(dice.int(1, 8))
    const column = table.columns.find(each => each.name === name)
    return dice.pick(POOLS[column?.kind ?? 'text'])
  }

  #resource(table: Table, place: Place): Resource {
    const dice = this.#dice
    const groups = place.aggregates && dice.chance(place.depth === 0 ? 0.15 : 0.1)
    const items = groups ? this.#groupedItems(table, place) : this.#items(table, place)
    const embeds = items.filter(item => item.kind === 'embed')
    const draft: Resource = { table, items, conditions: [], order: [], limit: undefined, offset: 0 }
    const order = groups ? this.#groupOrder(draft) : this.#order(draft, embeds)
    const limit = dice.chance(0.8) ? dice.int(place.depth === 0 ? 0 : 1, 6) : undefined
    const isLimited =
      this.#hasRanges && this.#isOrdered && !place.isToOne && order.length > 0 && dice.chance(0.25)
    return {
      table,
      items,
      conditions: dice.chance(place.depth === 0 ? 0.7 : 0.3) ? this.#conditions(table, embeds, 2) : [],
      order,
      limit: isLimited ? limit : undefined,
      // PostgREST accepts no offset beside a limit of zero.
      offset: isLimited && limit !== 0 && dice.chance(0.4) ? dice.int(0, 4) : 0,
    }
  }

  #items(table: Table, place: Place): readonly Item[] {
    const dice = this.#dice
    const { names } = place
    const items: Item[] = []
    const all = table.columns.filter(({ isComputed }) => !isComputed).map(({ name }) => name)
    if (dice.chance(0.25) && all.every(name => !names.has(name))) {
      items.push({ kind: 'all' })
      for (const name of all) names.add(name)
    }
    if (items.length === 0 || dice.chance(0.4)) {
      const count = dice.int(items.length === 0 ? 1 : 0, 4)
      for (let at = 0; at < count; at++)
        items.push(withEnd(this.#column(this.#field(table), names), place.depth > 0))
    }
    items.push(...this.#embeds(table, place))
    return items
  }

  #column(field: Field, names: Set<string>, aliased = 0.3): ColumnItem {
    const dice = this.#dice
    const cast = dice.chance(0.2) ? dice.pick(CASTS[field.kind]) : undefined
    const keys = field.path.flatMap(({ key }) => (typeof key === 'string' ? [key] : []))
    const own = keys.at(-1) ?? field.column.name
    const alias = dice.chance(aliased) || names.has(own) ? this.#alias(names) : undefined
    const name = alias ?? own
    names.add(name)
    return { kind: 'column', field, cast, aggregate: undefined, aggregateCast: undefined, alias, name }
  }

  #alias(names: ReadonlySet<string>, not: ReadonlySet<string> = new Set()): string {
    const free = ALIASES.filter(name => !names.has(name) && !not.has(name))
    if (free.length > 0) return this.#dice.pick(free)
    return `more ${names.size}`
  }

  #groupedItems(table: Table, place: Place): readonly Item[] {
    const dice = this.#dice
    const { names } = place
    const groupable = table.columns.filter(({ kind }) => kind !== 'json' && kind !== 'tsvector')
    const groups = dice
      .some(groupable, dice.int(0, 2))
      .map(column => (this.#isOrdered ? plain(column) : this.#into(column)))
      .filter(({ kind }) => kind !== 'json')
      .map(field => {
        const item = this.#column(field, names)
        // Of JSON, no values are equal.
        return this.#isOrdered || item.cast === 'json' ? { ...item, cast: undefined } : item
      })
    const aggregates = dice.list(1, 3, () => this.#aggregate(table, names))
    const relations = RELATIONS.filter(each => each.from === table.name && each.isToOne && !each.function)
    const embeds: Item[] = []
    if (!this.#isOrdered && place.depth < 2 && !place.isSpread && relations.length > 0 && dice.chance(0.4)) {
      const isSpread = place.isResult === undefined && dice.chance(0.6)
      embeds.push(this.#groupedEmbed(dice.pick(relations), isSpread, names))
    }
    return [...groups, ...aggregates, ...embeds]
  }

  /** A resource to one, next to aggregates: its columns are grouped by, or aggregated too if it is spread. */
  #groupedEmbed(relation: Relation, isSpread: boolean, names: Set<string>): EmbedItem {
    const dice = this.#dice
    const table = tableOf(relation.to)
    const own = isSpread ? names : new Set<string>()
    const alias = isSpread ? undefined : this.#alias(names)
    if (alias !== undefined) names.add(alias)
    const fields = dice
      .some(
        table.columns.filter(({ kind }) => kind !== 'json' && kind !== 'tsvector'),
        2,
      )
      .map(plain)
    const items: Item[] = fields.map(field => ({ ...this.#column(field, own), cast: undefined }))
    if (isSpread) items.push(...dice.list(0, 2, () => this.#aggregate(table, own)))
    const way = dice.pick(relation.ways)
    return {
      kind: 'embed',
      relation,
      way,
      alias,
      isInner: dice.chance(0.3),
      isSpread,
      isEmpty: false,
      name: alias ?? way[0],
      resource: {
        table,
        items,
        conditions: dice.chance(0.3) ? this.#conditions(table, [], 1) : [],
        order: [],
        limit: undefined,
        offset: 0,
      },
    }
  }

  #aggregate(table: Table, names: Set<string>): ColumnItem {
    const dice = this.#dice
    const name = this.#alias(names)
    names.add(name)
    const common = { kind: 'column', alias: name, name } as const
    if (dice.chance(0.3))
      return {
        ...common,
        field: undefined,
        cast: undefined,
        aggregate: 'count',
        aggregateCast: dice.chance(0.2) ? 'text' : undefined,
      }
    const column = dice.pick(table.columns)
    const field = column.kind === 'jsonb' && dice.chance(0.5) ? this.#into(column) : plain(column)
    const aggregates: Aggregate[] = [
      'count',
      ...(SUMMED.has(field.kind) ? (['sum', 'avg'] as const) : []),
      ...(RANKED.has(field.kind) ? (['max', 'min'] as const) : []),
    ]
    const aggregate = dice.pick(aggregates)
    const casts = aggregate === 'count' || aggregate === 'max' || aggregate === 'min'
    return {
      ...common,
      field,
      cast: casts && dice.chance(0.15) ? 'text' : undefined,
      aggregate,
      aggregateCast: dice.chance(0.2) ? 'text' : undefined,
    }
  }

  #field(table: Table): Field {
    const dice = this.#dice
    const column = dice.pick(table.columns)
    return this.#into(column)
  }

  /** The column, or a part of it if it has some. */
  #into(column: Column): Field {
    const dice = this.#dice
    const { kind } = column
    if ((kind === 'texts' || kind === 'ints') && dice.chance(0.3)) {
      const isText = dice.chance(0.5)
      return { column, path: [{ key: dice.pick([0, 1, -1]), isText }], kind: isText ? 'text' : 'jsonb' }
    }
    if ((kind !== 'json' && kind !== 'jsonb') || column.isWhole || dice.chance(0.35)) return plain(column)
    const keys = dice.pick(PATHS)
    const isText = dice.chance(0.5)
    const path = keys.map((key, at) => ({ key, isText: isText && at === keys.length - 1 }))
    return { column, path, kind: isText ? 'text' : kind }
  }

  #embeds(table: Table, place: Place): readonly EmbedItem[] {
    const dice = this.#dice
    const relations = RELATIONS.filter(({ from }) => from === table.name)
    if (place.depth >= 3 || relations.length === 0) return []
    const odds = [0.65, 0.4, 0.25][place.depth] ?? 0
    const count = dice.chance(odds) ? dice.int(1, 2) : 0
    const embeds: EmbedItem[] = []
    for (let at = 0; at < count; at++) {
      const embed = this.#embed(dice.pick(relations), place, embeds)
      if (embed) embeds.push(embed)
    }
    return embeds
  }

  /** @returns undefined if its name would mean another one too */
  #embed(relation: Relation, place: Place, others: readonly EmbedItem[]): EmbedItem | undefined {
    const dice = this.#dice
    const { names } = place
    const isSpread = dice.chance(0.25)
    const way = dice.pick(relation.ways)
    // Filters find an embedded resource by its alias and by its name.
    const taken = new Set(
      others.flatMap(({ way: [name], alias }) => [name, ...(alias === undefined ? [] : [alias])]),
    )
    const isEmpty = !isSpread && dice.chance(0.08)
    const isNamed = !isSpread && (names.has(way[0]) || taken.has(way[0]) || dice.chance(0.4))
    if (isSpread && taken.has(way[0])) return undefined
    const alias = isNamed ? this.#alias(names, new Set([...taken, ...NO_PATHS])) : undefined
    const name = alias ?? way[0]
    if (taken.has(name)) return undefined
    if (!isSpread) names.add(name)
    const { isToOne } = relation
    const resource = this.#resource(tableOf(relation.to), {
      depth: place.depth + 1,
      names: isSpread ? names : new Set(),
      // Those of a spread resource belong to the rows that it is spread into; to many, there are none.
      aggregates: !isSpread && !isEmpty && !place.isSpread,
      isToOne,
      isSpread,
    })
    const grouped = isGrouped(resource)
    return {
      kind: 'embed',
      relation,
      way,
      alias,
      // Without groups, there is always one row.
      isInner: !grouped && dice.chance(0.25),
      isSpread,
      isEmpty,
      name,
      resource: isEmpty
        ? {
            ...resource,
            items: [],
            order: [],
            limit: undefined,
            offset: 0,
            conditions: withoutEmbeds(resource),
          }
        : resource,
    }
  }

  #order(resource: Resource, embeds: readonly EmbedItem[]): readonly OrderTerm[] {
    const dice = this.#dice
    if (!this.#isOrdered) return []
    const { table } = resource
    const terms: OrderTerm[] = []
    for (let count = dice.int(0, 2); count > 0; count--) {
      const related = dice.chance(0.3) ? this.#relatedTerm(embeds) : undefined
      const field = this.#field(table)
      if (related) terms.push(related)
      else if (field.kind !== 'json') terms.push(this.#term(undefined, field))
    }
    const named = new Set(
      terms.flatMap(({ embed, field }) => (embed || field.path.length > 0 ? [] : [field.column.name])),
    )
    // The key makes each order the only one.
    const key = table.key
      .filter(name => !named.has(name))
      .flatMap(name => table.columns.filter(each => each.name === name))
    return [...terms, ...key.map(column => this.#term(undefined, plain(column)))]
  }

  #term(embed: EmbedItem | undefined, field: Field): OrderTerm {
    const dice = this.#dice
    return {
      embed,
      field,
      direction: dice.pick([undefined, 'asc', 'desc']),
      nulls: dice.pick([undefined, undefined, 'first', 'last']),
    }
  }

  /** By a column that the embedded resource returns under its own name. */
  #relatedTerm(embeds: readonly EmbedItem[]): OrderTerm | undefined {
    const dice = this.#dice
    const ways = embeds
      .filter(({ relation, isEmpty, resource }) => relation.isToOne && !isEmpty && !isGrouped(resource))
      .flatMap(embed =>
        embed.resource.items.flatMap(item =>
          item.kind === 'column' &&
          item.field &&
          item.alias === undefined &&
          item.cast === undefined &&
          item.field.path.length === 0 &&
          item.field.kind !== 'json'
            ? [{ embed, field: item.field }]
            : [],
        ),
      )
    if (ways.length === 0) return undefined
    const { embed, field } = dice.pick(ways)
    return this.#term(embed, field)
  }

  #groupOrder({ items }: Resource): readonly OrderTerm[] {
    if (!this.#isOrdered) return []
    return items.flatMap(item =>
      item.kind === 'column' && item.field && item.aggregate === undefined
        ? [this.#term(undefined, item.field)]
        : [],
    )
  }

  #conditions(table: Table, embeds: readonly EmbedItem[], most: number): readonly Condition[] {
    return this.#dice.list(1, most, () => this.#condition(table, embeds, 0))
  }

  #condition(table: Table, embeds: readonly EmbedItem[], depth: number): Condition {
    const dice = this.#dice
    if (depth < 3 && dice.chance(depth === 0 ? 0.3 : 0.2))
      return {
        kind: 'logic',
        isNegated: dice.chance(0.25),
        operator: dice.pick(['and', 'or', 'or'] as const),
        parts: dice.list(1, 3, () => this.#condition(table, embeds, depth + 1)),
      }
    // A group without rows is a row too.
    const findable = embeds.filter(({ isSpread, resource }) => !isSpread && !isGrouped(resource))
    if (findable.length > 0 && dice.chance(0.3))
      return { kind: 'embedded', embed: dice.pick(findable), isNegated: dice.chance(0.5) }
    return this.#comparison(this.#field(table), embeds)
  }

  #comparison(field: Field, embeds: readonly EmbedItem[]): Comparison {
    const dice = this.#dice
    // To PostgREST, `is.null` is about an embedded resource if one has the column's name.
    const isHidden = field.path.length === 0 && embeds.some(({ name }) => name === field.column.name)
    const common = { kind: 'comparison', field, quantifier: undefined, language: undefined } as const
    const isNegated = dice.chance(0.2)
    const truths =
      field.kind === 'boolean'
        ? ['null', 'true', 'false', 'unknown', 'not_null']
        : isHidden
          ? ['not_null']
          : ['null', 'not_null']
    const own = field.column.kind === 'json' && field.path.length === 0
    if (dice.chance(0.1) || (field.kind === 'json' && !own) || field.kind === 'sky')
      return { ...common, isNegated, operator: 'is', values: [dice.pick(truths)] }
    const operator = dice.pick(OPERATORS[field.kind])
    if (operator === 'fts' || operator === 'plfts' || operator === 'phfts' || operator === 'wfts')
      return {
        ...common,
        isNegated,
        operator,
        language: dice.pick(LANGUAGES),
        values: [dice.pick(SEARCHES[operator] ?? [])],
      }
    const value = () => this.#value(field, operator)
    if (operator === 'in') return { ...common, isNegated, operator, values: listed(dice.list(0, 3, value)) }
    const isList = field.kind === 'texts' || field.kind === 'ints'
    if (QUANTIFIED.has(operator) && !isList && dice.chance(0.15))
      return {
        ...common,
        isNegated,
        operator,
        quantifier: dice.pick(['any', 'all'] as const),
        values: dice.list(0, 3, value),
      }
    return { ...common, isNegated, operator, values: [value()] }
  }

  #value({ kind, path, column }: Field, operator: Operator): string {
    const dice = this.#dice
    if (operator === 'like' || operator === 'ilike')
      return dice.list(1, 4, () => dice.pick(PATTERN_PARTS)).join('')
    if (operator === 'match' || operator === 'imatch') return dice.pick(REGEXES)
    if (path.length > 0) return dice.pick(kind === 'text' ? [...JSON_TEXTS, ...POOLS.text] : JSON_VALUES)
    if (column.name === 'id' && dice.chance(0.7)) return String(dice.int(1, 14))
    if (column.name === 'boat') return dice.pick(BOAT_IDS)
    if (kind === 'jsonb' && dice.chance(0.5)) return dice.pick(JSON_VALUES)
    return dice.pick(POOLS[kind])
  }
}

/** Before a closing parenthesis, PostgREST takes an index for a key, unless a cast ends it. */
function withEnd(item: ColumnItem, isEmbedded: boolean): ColumnItem {
  const { field, cast } = item
  if (!isEmbedded || !field || cast !== undefined || typeof field.path.at(-1)?.key !== 'number') return item
  return { ...item, cast: field.kind }
}

/** A list with nothing but an empty value means an empty list to PostgREST. */
const listed = (values: readonly string[]): readonly string[] =>
  values.length === 1 && values[0] === '' ? [] : values

/** In the path of a filter, PostgREST takes `not` for a negation. */
const NO_PATHS = ['not']

const plain = (column: Column): Field => ({ column, path: [], kind: column.kind })

/** An argument in a query that begins like a filter is taken for one. */
const FILTER_START = /^(not|eq|neq|gte?|lte?|i?like|i?match|in|is|(pl|ph|w)?fts|cs|cd|ov|s[lr]|nx[rl]|adj)/i

const sendable = (values: readonly string[], method: 'GET' | 'POST'): readonly string[] =>
  method === 'POST' ? values : values.filter(value => !FILTER_START.test(value))

/** An empty resource has no resources inside that conditions could be about. */
const withoutEmbeds = ({ conditions }: Resource): readonly Condition[] =>
  conditions.filter(condition => !mentionsEmbed(condition))

const mentionsEmbed = (condition: Condition): boolean =>
  condition.kind === 'embedded' || (condition.kind === 'logic' && condition.parts.some(mentionsEmbed))

/** PostgREST counts rows without regard to groups, and to the ranges of embedded resources. */
const isCountable = (resource: Resource): boolean =>
  !isGrouped(resource) && embedsOf(resource).every(isRangeless)

const isRangeless = ({ resource }: EmbedItem): boolean =>
  resource.limit === undefined && resource.offset === 0 && embedsOf(resource).every(isRangeless)
