// Which filters make sense for a type, in words, and what is typed as what PostgREST takes.
import type { Column } from '../schema.ts'
import type { FilterOperator, TableFilter } from '../table-query.ts'

/** How the value of a filter is given. */
type Input = 'value' | 'list' | 'pattern' | 'array' | 'none'

export interface Choice {
  readonly id: string
  readonly label: string
  readonly operator: FilterOperator
  readonly negate: boolean
  readonly input: Input
  /** For those without input. */
  readonly value?: string
  /** What a value looks like. */
  readonly example?: string
}

const choice = (
  operator: FilterOperator,
  label: string,
  input: Input = 'value',
  more: Partial<Choice> = {},
): Choice => ({
  id: `${more.negate === true ? 'not.' : ''}${operator}${more.value === undefined ? '' : `.${more.value}`}`,
  label,
  operator,
  negate: false,
  input,
  ...more,
})

const not = (one: Choice, label: string): Choice => ({ ...one, id: `not.${one.id}`, label, negate: true })

const EQ = choice('eq', 'is')
const SAME = [EQ, choice('neq', 'is not')]
const CONTAINS = choice('ilike', 'contains', 'pattern', { example: 'gull' })
const LIKE = choice('like', 'is like (case counts)', 'pattern', { example: 'Gull*' })
const MATCH = choice('match', 'matches', 'value', { example: '^gull' })
const IN = choice('in', 'is one of', 'list', { example: 'a, b, "c, d"' })
const NULLS = [
  choice('is', 'is null', 'none', { value: 'null' }),
  choice('is', 'is not null', 'none', { value: 'null', negate: true }),
]
const ORDER = [choice('gt', '>'), choice('gte', '≥'), choice('lt', '<'), choice('lte', '≤')]
const TIMES = [choice('gt', 'after'), choice('gte', 'from'), choice('lt', 'before'), choice('lte', 'until')]
const DISTINCT = choice('isdistinct', 'is distinct from (null counts)')
const LISTS = [IN, not(IN, 'is none of')]
const SETS = [
  choice('cs', 'contains all of', 'array', { example: 'a, b' }),
  choice('cd', 'is contained in', 'array', { example: 'a, b' }),
  choice('ov', 'has any of', 'array', { example: 'a, b' }),
]
const WORDS = [
  choice('wfts', 'is found by (web search)', 'value', { example: 'gull -storm' }),
  choice('plfts', 'has the words', 'value', { example: 'gull storm' }),
  choice('phfts', 'has the phrase', 'value', { example: 'high water' }),
  choice('fts', 'is found by (tsquery)', 'value', { example: 'gull & !storm' }),
]
const RANGES = [
  choice('cs', 'contains', 'value', { example: '[1,5)' }),
  choice('cd', 'is contained in', 'value', { example: '[1,5)' }),
  choice('ov', 'overlaps', 'value', { example: '[1,5)' }),
  choice('sl', 'is left of', 'value', { example: '[1,5)' }),
  choice('sr', 'is right of', 'value', { example: '[1,5)' }),
  choice('nxr', 'does not reach right of', 'value', { example: '[1,5)' }),
  choice('nxl', 'does not reach left of', 'value', { example: '[1,5)' }),
  choice('adj', 'is next to', 'value', { example: '[1,5)' }),
]
const TEXTS = [
  CONTAINS,
  not(CONTAINS, 'does not contain'),
  ...SAME,
  LIKE,
  not(LIKE, 'is not like (case counts)'),
  MATCH,
  choice('imatch', 'matches (any case)', 'value', { example: '^gull' }),
]
const TRUTHS = (['true', 'false', 'unknown'] as const).map(value =>
  choice('is', value === 'unknown' ? 'is unknown' : `is ${value}`, 'none', { value }),
)

const byType = ({ type, format }: Column): readonly Choice[] => {
  if (format.endsWith('range')) return [...RANGES, ...SAME]
  if (format === 'tsvector') return WORDS
  switch (type) {
    case 'integer':
    case 'number':
    case 'interval':
      return [...SAME, ...ORDER, ...LISTS, DISTINCT]
    case 'boolean':
      return [...TRUTHS, not(choice('is', '', 'none', { value: 'true' }), 'is not true'), ...SAME]
    case 'timestamp':
    case 'date':
    case 'time':
      return [...TIMES, ...SAME, ...LISTS, DISTINCT]
    case 'uuid':
    case 'enum':
      return [...SAME, ...LISTS, DISTINCT]
    case 'json':
      return [
        choice('cs', 'contains', 'value', { example: '{"a":1}' }),
        choice('cd', 'is contained in', 'value', { example: '{"a":1}' }),
        ...(format === 'json' ? [] : SAME),
      ]
    case 'array':
      return [...SETS, choice('eq', 'is', 'array'), choice('neq', 'is not', 'array')]
    case 'bytea':
      return SAME
    case 'text':
      return [...TEXTS, ...ORDER, ...LISTS, DISTINCT, ...WORDS]
  }
}

/** The filters for a column; the first is the one that is wanted most often. */
export const choicesFor = (column: Column): readonly Choice[] => [...byType(column), ...NULLS]

/** The texts of a list: split at commas, but for those in quotes. */
export const splitList = (text: string): readonly string[] =>
  [...text.matchAll(/\s*(?:"((?:[^"\\]|\\[\s\S])*)"|([^,]*))\s*(?:,|$)/g)]
    .map(([, quoted, plain = '']) => quoted?.replaceAll(/\\([\s\S])/g, '$1') ?? plain.trim())
    .filter((item, at, all) => item !== '' || at < all.length - 1)

const quoteItem = (item: string): string =>
  /^[^\s",()\\{}]+$/.test(item) ? item : `"${item.replaceAll(/["\\]/g, character => `\\${character}`)}"`

/** `gull` is looked for anywhere; who writes a star knows where. */
const asPattern = (text: string) => (/[*%]/.test(text) ? text : `*${text}*`)

/** What PostgREST takes for what was typed. */
export const filterValue = ({ input, operator, value }: Choice, typed: string): string => {
  switch (input) {
    case 'none':
      return value ?? 'null'
    case 'list':
      return `(${splitList(typed).map(quoteItem).join(',')})`
    case 'pattern':
      return operator === 'ilike' ? asPattern(typed) : typed
    case 'array':
      return /^\s*\{/.test(typed) ? typed.trim() : `{${splitList(typed).map(quoteItem).join(',')}}`
    case 'value':
      return typed
  }
}

/** The text of a filter as it was typed, for the field. */
export const typedValue = ({ input, operator }: Choice, value: string): string => {
  if (input === 'none') return ''
  if (input === 'list' || input === 'array')
    return /^[({][\s\S]*[)}]$/.test(value) ? value.slice(1, -1) : value
  const inner = /^\*([^*%]*)\*$/.exec(value)?.[1]
  return input === 'pattern' && operator === 'ilike' && inner !== undefined ? inner : value
}

/** The choice that a filter was made with. */
export const choiceOf = (filter: TableFilter, column: Column): Choice | undefined =>
  choicesFor(column).find(
    each =>
      each.operator === filter.operator &&
      each.negate === filter.negate &&
      (each.value === undefined || each.value === filter.value),
  )

/** A filter in words, for its chip. */
export const filterWords = (filter: TableFilter, column: Column | undefined): string => {
  const found = column && choiceOf(filter, column)
  if (!found) return `${filter.column} ${filter.negate ? 'not ' : ''}${filter.operator} ${filter.value}`
  return `${filter.column} ${found.label} ${typedValue(found, filter.value)}`.trim()
}
