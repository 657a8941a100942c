// The REST request that asks a question.
import {
  type ColumnItem,
  type Comparison,
  type Condition,
  embedsOf,
  type Field,
  type Item,
  type OrderTerm,
  type Question,
  type Resource,
  type WriteQuestion,
} from './question.ts'
import { Dice } from './random.ts'
import { arrayLiteral, type Kind, LISTS } from './schema.ts'

export interface RestRequest {
  readonly method: string
  /** Below `/rest/v1/`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export const asRequest = (question: Question): RestRequest => new Scribe(question).write()

/** Names of parameters, and words that would mean something else there. */
const RESERVED: ReadonlySet<string> = new Set([
  'select',
  'order',
  'limit',
  'offset',
  'and',
  'or',
  'not',
  'columns',
  'on_conflict',
])
const PLAIN_NAME = /^[\p{L}\d_$]+([ -][\p{L}\d_$]+)*$/u
const PLAIN_VALUE = /^[^,()"\\{}\s]+$/

const quoted = (value: string): string => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

type Parameter = readonly [name: string, value: string]

/** After a star, an index or an aggregate, PostgREST reads no space. */
const mayPrecedeSpace = (item: Item): boolean =>
  item.kind === 'embed' ||
  (item.kind === 'column' && item.aggregate === undefined && typeof item.field?.path.at(-1)?.key !== 'number')

class Scribe {
  readonly #question: Question
  readonly #dice: Dice
  readonly #parameters: Parameter[] = []
  readonly #headers: Record<string, string> = {}

  constructor(question: Question) {
    this.#question = question
    this.#dice = new Dice(question.style)
  }

  write(): RestRequest {
    const question = this.#question
    const { resource, isSingular, stripsNulls } = question
    const strips = stripsNulls ? ';nulls=stripped' : ''
    if (isSingular) this.#headers['accept'] = `application/vnd.pgrst.object+json${strips}`
    else if (stripsNulls) this.#headers['accept'] = 'application/vnd.pgrst.array+json;nulls=stripped'
    this.#select(resource)
    if (question.kind === 'read') return this.#read(question.isCounted, question.usesRangeHeader)
    if (question.kind === 'call') {
      this.#terms(resource, [])
      const path = `rpc/${encodeURIComponent(question.function)}`
      if (question.method === 'GET') {
        for (const { column, value } of question.arguments)
          this.#parameters.push([this.#name(column.name, true), value ?? ''])
        return this.#request('GET', path, undefined)
      }
      const members = question.arguments.map(
        ({ column, value }) => `${JSON.stringify(column.name)}:${this.#json(value, column.kind)}`,
      )
      return this.#request('POST', path, `{${members.join(',')}}`)
    }
    return this.#write(question)
  }

  #read(isCounted: boolean, usesRangeHeader: boolean): RestRequest {
    const { resource } = this.#question
    const { limit, offset } = resource
    const byHeader = usesRangeHeader && limit !== undefined && limit > 0
    this.#terms(byHeader ? { ...resource, limit: undefined, offset: 0 } : resource, [])
    if (byHeader)
      Object.assign(this.#headers, { range: `${offset}-${offset + limit - 1}`, 'range-unit': 'items' })
    if (isCounted) this.#headers['prefer'] = 'count=exact'
    return this.#request('GET', encodeURIComponent(resource.table.name), undefined)
  }

  #write(question: WriteQuestion): RestRequest {
    const { kind, resource, rows, columns, onConflict, resolution, fillsDefaults, isRolledBack } = question
    this.#terms(resource, [])
    if (columns) this.#parameters.push(['columns', columns.map(each => this.#name(each)).join(',')])
    if (onConflict !== undefined) this.#parameters.push(['on_conflict', this.#name(onConflict)])
    if (kind === 'put') this.#parameters.push(['id', `eq.${rows[0]?.get('id')}`])
    this.#headers['prefer'] = [
      'return=representation',
      ...(resolution
        ? [`resolution=${resolution === 'merge' ? 'merge-duplicates' : 'ignore-duplicates'}`]
        : []),
      ...(fillsDefaults ? ['missing=default'] : []),
      ...(isRolledBack ? ['tx=rollback'] : []),
    ].join(this.#dice.pick([',', ', ']))
    const method = { insert: 'POST', update: 'PATCH', delete: 'DELETE', put: 'PUT' }[kind]
    return this.#request(
      method,
      encodeURIComponent(resource.table.name),
      kind === 'delete' ? undefined : this.#rows(question),
    )
  }

  #rows({ rows, resource, columns }: WriteQuestion): string {
    const kinds = new Map(resource.table.columns.map(({ name, kind }) => [name, kind]))
    const all = rows.map(row => {
      const members = [...row].map(
        ([name, value]) => `${JSON.stringify(name)}:${this.#json(value, kinds.get(name) ?? 'text')}`,
      )
      // What is not among the columns is not looked at.
      if (columns && this.#dice.chance(0.2)) members.push('"no such column":[1]')
      return `{${members.join(this.#dice.pick([',', ' ,\n']))}}`
    })
    const [only, ...others] = all
    return only !== undefined && others.length === 0 && this.#dice.chance(0.7) ? only : `[${all.join(',')}]`
  }

  /** A value in a body. */
  #json(value: string | null, kind: Kind): string {
    if (value === null) return 'null'
    switch (kind) {
      case 'int':
      case 'bigint':
      case 'numeric':
      case 'depth':
        return value === 'NaN' || this.#dice.chance(0.2) ? JSON.stringify(value) : value
      case 'boolean':
        return value
      case 'json':
      case 'jsonb':
        return value
      case 'texts':
      case 'ints':
        return JSON.stringify(this.#dice.chance(0.7) ? (LISTS.get(value) ?? value) : value)
      default:
        return JSON.stringify(value)
    }
  }

  #request(method: string, path: string, body: string | undefined): RestRequest {
    const all = this.#dice.some(this.#parameters, this.#parameters.length)
    const query = all
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
      .join('&')
    return { method, path: query === '' ? path : `${path}?${query}`, headers: this.#headers, body }
  }

  #name(name: string, isParameter = false): string {
    const isPlain = PLAIN_NAME.test(name) && !(isParameter && RESERVED.has(name))
    return isPlain && !this.#dice.chance(0.1) ? name : quoted(name)
  }

  #select(resource: Resource): void {
    if (resource.items.length === 0) return
    const [only, ...others] = resource.items
    if (only?.kind === 'all' && others.length === 0 && this.#dice.chance(0.5)) return
    this.#parameters.push(['select', this.#items(resource.items)])
  }

  #items(items: readonly Item[]): string {
    const isSpaced = items.every(mayPrecedeSpace) && this.#dice.chance(0.1)
    return items.map(item => this.#item(item)).join(isSpaced ? ' , ' : ',')
  }

  #item(item: Item): string {
    if (item.kind === 'all') return '*'
    if (item.kind === 'column') return this.#column(item)
    const { alias, isEmpty, isInner, isSpread, resource, way } = item
    const [name, hint] = way
    const marks = [
      ...(hint === undefined ? [] : [this.#name(hint)]),
      ...(isInner ? ['inner'] : this.#dice.chance(0.1) ? ['left'] : []),
    ]
    const inOrder = this.#dice.chance(0.3) ? marks.toReversed() : marks
    const start = isSpread ? '...' : alias === undefined ? '' : `${this.#name(alias)}:`
    return `${start}${this.#name(name)}${inOrder.map(mark => `!${mark}`).join('')}(${isEmpty ? '' : this.#items(resource.items)})`
  }

  #column({ field, cast, aggregate, aggregateCast, alias }: ColumnItem): string {
    const start = alias === undefined ? '' : `${this.#name(alias)}:`
    const end = aggregateCast === undefined ? '' : `::${aggregateCast}`
    if (!field) return `${start}count()${end}`
    const whole = `${start}${this.#field(field)}${cast === undefined ? '' : `::${cast}`}`
    return aggregate === undefined ? whole : `${whole}.${aggregate}()${end}`
  }

  #field({ column, path }: Field, isParameter = false): string {
    const steps = path.map(({ key, isText }) => {
      const isPlain = typeof key === 'string' && /^[^-:.,>()"\d+][^-:.,>()"]*$/.test(key)
      const written =
        typeof key === 'number' ? `${key}` : isPlain && !this.#dice.chance(0.2) ? key : quoted(key)
      return `${isText ? '->>' : '->'}${written}`
    })
    return `${this.#name(column.name, isParameter)}${steps.join('')}`
  }

  /** Filters, order and range of a resource and of those in it. */
  #terms(resource: Resource, path: readonly string[]): void {
    const prefix = path.map(each => `${each}.`).join('')
    for (const condition of resource.conditions) this.#filter(condition, prefix)
    const { order, limit, offset } = resource
    if (order.length > 0)
      this.#parameters.push([`${prefix}order`, order.map(term => this.#orderTerm(term)).join(',')])
    if (limit !== undefined) this.#parameters.push([`${prefix}limit`, `${limit}`])
    if (offset > 0) this.#parameters.push([`${prefix}offset`, `${offset}`])
    for (const embed of embedsOf(resource))
      this.#terms(embed.resource, [...path, this.#name(embed.name, true)])
  }

  #orderTerm({ embed, field, direction, nulls }: OrderTerm): string {
    const by = this.#field(field)
    const own = embed ? `${this.#name(embed.name)}(${by})` : by
    return [own, ...(direction ? [direction] : []), ...(nulls ? [`nulls${nulls}`] : [])].join('.')
  }

  #filter(condition: Condition, prefix: string): void {
    switch (condition.kind) {
      case 'logic': {
        const name = `${prefix}${condition.isNegated ? 'not.' : ''}${condition.operator}`
        this.#parameters.push([name, `(${condition.parts.map(part => this.#part(part)).join(',')})`])
        return
      }
      case 'embedded':
        this.#parameters.push([
          `${prefix}${this.#name(condition.embed.name, true)}`,
          `${condition.isNegated ? 'not.' : ''}is.null`,
        ])
        return
      case 'comparison':
        this.#parameters.push([
          `${prefix}${this.#field(condition.field, true)}`,
          this.#comparison(condition, value => value),
        ])
    }
  }

  /** A condition in a logic tree. */
  #part(condition: Condition): string {
    switch (condition.kind) {
      case 'logic':
        return `${condition.isNegated ? 'not.' : ''}${condition.operator}(${condition.parts.map(part => this.#part(part)).join(',')})`
      case 'embedded':
        return `${this.#name(condition.embed.name, true)}.${condition.isNegated ? 'not.' : ''}is.null`
      case 'comparison':
        return `${this.#field(condition.field, true)}.${this.#comparison(condition, value => this.#inList(value))}`
    }
  }

  #comparison(
    { isNegated, operator, quantifier, language, values }: Comparison,
    write: (value: string) => string,
  ): string {
    const not = isNegated ? 'not.' : ''
    const [first = ''] = values
    if (operator === 'is') return `${not}is.${first}`
    if (operator === 'in') return `${not}in.(${values.map(value => this.#inList(value)).join(',')})`
    if (quantifier) return `${not}${operator}(${quantifier}).${write(arrayLiteral(values))}`
    return `${not}${operator}${language === undefined ? '' : `(${language})`}.${write(first)}`
  }

  /** A value that commas and parentheses end. */
  #inList(value: string): string {
    return PLAIN_VALUE.test(value) && !this.#dice.chance(0.2) ? value : quoted(value)
  }
}
