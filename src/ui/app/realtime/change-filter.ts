// The filter of row changes as the wire has it, out of conditions as they are written: column, comparison, value.

/** Comparisons in words; those of PostgreSQL's `is` take one of four values. */
export const COMPARISONS = [
  ['eq', '='],
  ['neq', '≠'],
  ['gt', '>'],
  ['gte', '≥'],
  ['lt', '<'],
  ['lte', '≤'],
  ['in', 'is one of'],
  ['like', 'is like'],
  ['ilike', 'is like, any case'],
  ['is', 'is'],
  ['match', 'matches'],
  ['imatch', 'matches, any case'],
  ['isdistinct', 'is distinct from'],
] as const

export type Comparison = (typeof COMPARISONS)[number][0]

export interface Condition {
  readonly column: string
  readonly comparison: string
  readonly not: boolean
  readonly value: string
}

/** What `is` may be compared with. */
const CONSTANTS = ['null', 'true', 'false', 'unknown'] as const

const isComparison = (text: string): text is Comparison => COMPARISONS.some(([id]) => id === text)

/** Commas part conditions, parentheses and quotes group: a value that holds any stands in quotes. */
const quoted = (value: string): string =>
  /[,()"\\]|^\s|\s$/.test(value) ? `"${value.replaceAll(/(["\\])/g, String.raw`\$1`)}"` : value

/** The items of a list, as they were written between commas. */
const listed = (value: string): string =>
  `(${value
    .replace(/^\((.*)\)$/s, '$1')
    .split(',')
    .map(item => quoted(item.trim()))
    .join(',')})`

const written = ({ column, comparison, not, value }: Condition): string => {
  const operand = comparison === 'in' ? listed(value) : comparison === 'is' ? value.trim() : quoted(value)
  return `${column.trim()}=${not ? 'not.' : ''}${comparison}.${operand}`
}

/** Those with a column; all of them must hold. Undefined when there is none. */
export function filterOf(conditions: readonly Condition[]): string | undefined {
  const live = conditions.filter(({ column }) => column.trim() !== '')
  return live.length === 0 ? undefined : live.map(written).join(',')
}

/** What is wrong with a condition, for whom it may be a surprise. */
export function conditionProblem({ column, comparison, value }: Condition): string | undefined {
  if (column.trim() === '') return value === '' ? undefined : 'Name the column.'
  if (/[=,\s]/.test(column.trim())) return 'A column’s name holds no =, comma or space here.'
  if (!isComparison(comparison)) return 'Choose a comparison.'
  if (comparison === 'is' && !CONSTANTS.some(constant => constant === value.trim()))
    return 'null, true, false or unknown.'
  return undefined
}
