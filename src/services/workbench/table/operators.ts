// Filter conditions for each type, and conversion between typed text and PostgREST values.
import type { Column, Reference } from './schema.ts'
import {
  alternativesOf,
  type FilterOperator,
  filterOf,
  filterText,
  type TableCondition,
  type TableFilter,
} from './table-query.ts'
import { type Cell, readCell } from './cells/cell-text.ts'
import { isGuarded } from './edits/row-conditions.ts'

/** How the user enters a filter's value. */
type Input = 'value' | 'list' | 'pattern' | 'array' | 'none'

export interface Choice {
  readonly id: string
  readonly label: string
  readonly operator: FilterOperator
  readonly negate: boolean
  readonly input: Input
  /** For conditions without input. */
  readonly value?: string
  /** An example value. */
  readonly example?: string
}

const choice = (
  operator: FilterOperator,
  label: string,
  input: Input = 'value',
  overrides: Partial<Choice> = {},
): Choice => ({
  id: `${overrides.negate === true ? 'not.' : ''}${operator}${overrides.value === undefined ? '' : `.${overrides.value}`}`,
  label,
  operator,
  negate: false,
  input,
  ...overrides,
})

const not = (one: Choice, label: string): Choice => ({ ...one, id: `not.${one.id}`, label, negate: true })

const EQ = choice('eq', 'is')
const EQUALITY = [EQ, choice('neq', 'is not')]
const CONTAINS = choice('ilike', 'contains', 'pattern', { example: 'gull' })
const LIKE_CHOICE = choice('like', 'is like (case-sensitive)', 'pattern', { example: 'Gull*' })
const MATCH = choice('match', 'matches', 'value', { example: '^gull' })
const IN = choice('in', 'in', 'list', { example: 'a, b, "c, d"' })
const NULLS = [
  choice('is', 'is null', 'none', { value: 'null' }),
  choice('is', 'is not null', 'none', { value: 'null', negate: true }),
]
const ORDER = [choice('gt', '>'), choice('gte', '≥'), choice('lt', '<'), choice('lte', '≤')]
const TIMES = [choice('gt', 'after'), choice('gte', 'from'), choice('lt', 'before'), choice('lte', 'until')]
const DISTINCT = choice('isdistinct', 'is distinct from')
const LISTS = [IN, not(IN, 'not in')]
const SETS = [
  choice('cs', 'contains all of', 'array', { example: 'a, b' }),
  choice('cd', 'is contained in', 'array', { example: 'a, b' }),
  choice('ov', 'has any of', 'array', { example: 'a, b' }),
]
const WORDS = [
  choice('wfts', 'matches (web search)', 'value', { example: 'gull -storm' }),
  choice('plfts', 'contains the words', 'value', { example: 'gull storm' }),
  choice('phfts', 'contains the phrase', 'value', { example: 'high water' }),
  choice('fts', 'matches (tsquery)', 'value', { example: 'gull & !storm' }),
]
const RANGES = [
  choice('cs', 'contains', 'value', { example: '[1,5)' }),
  choice('cd', 'is contained in', 'value', { example: '[1,5)' }),
  choice('ov', 'overlaps', 'value', { example: '[1,5)' }),
  choice('sl', 'is left of', 'value', { example: '[1,5)' }),
  choice('sr', 'is right of', 'value', { example: '[1,5)' }),
  choice('nxr', 'does not extend right of', 'value', { example: '[1,5)' }),
  choice('nxl', 'does not extend left of', 'value', { example: '[1,5)' }),
  choice('adj', 'is adjacent to', 'value', { example: '[1,5)' }),
]
const TEXTS = [
  CONTAINS,
  not(CONTAINS, 'does not contain'),
  ...EQUALITY,
  LIKE_CHOICE,
  not(LIKE_CHOICE, 'is not like (case-sensitive)'),
  MATCH,
  choice('imatch', 'matches (case-insensitive)', 'value', { example: '^gull' }),
]
const TRUTHS = (['true', 'false', 'unknown'] as const).map(value =>
  choice('is', value === 'unknown' ? 'is unknown' : `is ${value}`, 'none', { value }),
)

const byType = ({ type, format }: Column): readonly Choice[] => {
  if (format.endsWith('range')) return [...RANGES, ...EQUALITY]
  if (format === 'tsvector') return WORDS
  switch (type) {
    case 'integer':
    case 'number':
    case 'interval':
      return [...EQUALITY, ...ORDER, ...LISTS, DISTINCT]
    case 'boolean':
      return [...TRUTHS, not(choice('is', '', 'none', { value: 'true' }), 'is not true'), ...EQUALITY]
    case 'timestamp':
    case 'date':
    case 'time':
      return [...TIMES, ...EQUALITY, ...LISTS, DISTINCT]
    case 'uuid':
    case 'enum':
      return [...EQUALITY, ...LISTS, DISTINCT]
    case 'json':
      return [
        choice('cs', 'contains', 'value', { example: '{"a":1}' }),
        choice('cd', 'is contained in', 'value', { example: '{"a":1}' }),
        ...(format === 'json' ? [] : EQUALITY),
      ]
    case 'array':
      return [...SETS, choice('eq', 'is', 'array'), choice('neq', 'is not', 'array')]
    case 'bytea':
      return EQUALITY
    case 'text':
      return [...TEXTS, ...ORDER, ...LISTS, DISTINCT, ...WORDS]
  }
}

/** The conditions for a column; the most common one first. */
export const choicesFor = (column: Column): readonly Choice[] => [...byType(column), ...NULLS]

/** Splits a list at commas outside quotes. */
export const splitList = (text: string): readonly string[] =>
  [...text.matchAll(/\s*(?:"((?:[^"\\]|\\[\s\S])*)"|([^,]*))\s*(?:,|$)/g)]
    .map(([, quoted, plain = '']) => quoted?.replaceAll(/\\([\s\S])/g, '$1') ?? plain.trim())
    .filter((item, at, all) => item !== '' || at < all.length - 1)

const quoteItem = (item: string): string =>
  /^[^\s",()\\{}]+$/.test(item) ? item : `"${item.replaceAll(/["\\]/g, character => `\\${character}`)}"`

/** `gull` matches anywhere; a pattern with its own star is used as written. */
const asPattern = (text: string) => (/[*%]/.test(text) ? text : `*${text}*`)

/** Converts typed text to a PostgREST value. */
export const filterValue = ({ input, operator, value }: Choice, text: string): string => {
  switch (input) {
    case 'none':
      return value ?? 'null'
    case 'list':
      return `(${splitList(text).map(quoteItem).join(',')})`
    case 'pattern':
      return operator === 'ilike' ? asPattern(text) : text
    case 'array':
      return /^\s*\{/.test(text) ? text.trim() : `{${splitList(text).map(quoteItem).join(',')}}`
    case 'value':
      return text
  }
}

/** Converts a filter's value back to typed text. */
export const typedValue = ({ input, operator }: Choice, value: string): string => {
  if (input === 'none') return ''
  if (input === 'list' || input === 'array')
    return /^[({][\s\S]*[)}]$/.test(value) ? value.slice(1, -1) : value
  const inner = /^\*([^*%]*)\*$/.exec(value)?.[1]
  return input === 'pattern' && operator === 'ilike' && inner !== undefined ? inner : value
}

/** The condition that created a filter. */
export const choiceOf = (filter: TableCondition, column: Column): Choice | undefined =>
  choicesFor(column).find(
    each =>
      each.operator === filter.operator &&
      each.negate === filter.negate &&
      (each.value === undefined || each.value === filter.value),
  )

/** Describes a condition. */
export const conditionWords = (condition: TableCondition, columns: readonly Column[]): string => {
  const { column: name, negate, operator, value } = condition
  const column = columns.find(each => each.name === name)
  const match = column && choiceOf(condition, column)
  if (!match) return `${name} ${negate ? 'not ' : ''}${operator} ${value}`
  return `${name} ${match.label} ${typedValue(match, value)}`.trim()
}

/** Describes a filter for its chip. */
export const filterWords = (filter: TableFilter, columns: readonly Column[]): string => {
  const all = alternativesOf(filter)
  const bare = ({ value }: TableCondition) =>
    /^\*([\s\S]*)\*$/.exec(value)?.[1]?.replaceAll(/\\([\\%_])/g, '$1') ?? value
  const names = new Set(all.map(({ column }) => column))
  if (all.length > 1 && names.size === all.length && all.every(each => bare(each) === bare(filter)))
    return `“${bare(filter)}” in ${names.size} columns`
  return all.map(each => conditionWords(each, columns)).join(' or ')
}

/** Types whose values a pattern can be compared with. */
const PATTERNED = /^(?:text|character varying|varchar|character|bpchar|citext|name)(?:\(\d+\))?$/
/** The text of the filter is in the page's URL. */
const MOST_SEARCHED = 30

/** A filter for rows with this text in any column; undefined if no column can have it. */
export const searchFilter = (columns: readonly Column[], text: string): TableFilter | undefined => {
  const literal = text.replaceAll(/[\\%_]/g, character => `\\${character}`)
  const conditions = columns.flatMap((column): TableCondition[] => {
    const { name, type, format } = column
    if (PATTERNED.test(format))
      return [{ column: name, operator: 'ilike', value: `*${literal}*`, negate: false }]
    if (type !== 'integer' && type !== 'number' && type !== 'uuid') return []
    return 'value' in readCell(column, text)
      ? [{ column: name, operator: 'eq', value: text, negate: false }]
      : []
  })
  return filterOf(conditions.slice(0, MOST_SEARCHED))
}

/** Returns undefined for values that a filter cannot express. */
export const cellFilter = (column: Column, cell: Cell, isWithout: boolean): TableFilter | undefined => {
  const { name, type } = column
  if (cell === null) return { column: name, operator: 'is', value: 'null', negate: isWithout }
  if (type === 'boolean') return { column: name, operator: 'is', value: cell, negate: isWithout }
  if (!isGuarded(column, cell)) return undefined
  return { column: name, operator: isWithout ? 'neq' : 'eq', value: cell, negate: false }
}

/**
 * Filters for the referenced row; undefined while part of the key is null. @param cellIn returns the cell of
 * a column in the referencing row
 */
export const filtersTo = (
  { column, pairs }: Reference,
  ownName: string,
  cellIn: (name: string) => Cell,
): readonly string[] | undefined => {
  const cells = (pairs ?? [{ ours: ownName, theirs: column }]).map(
    pair => [pair.theirs, cellIn(pair.ours)] as const,
  )
  const filters = cells.flatMap(([name, value]) =>
    value === null ? [] : [filterText({ column: name, operator: 'eq', value, negate: false })],
  )
  return filters.length === cells.length ? filters : undefined
}
