// Builds row-change filters for the wire from conditions: column, comparison, value.

/** Comparisons with labels; PostgreSQL's `is` takes one of four values. */
export const COMPARISONS = [
  ['eq', '='],
  ['neq', '≠'],
  ['gt', '>'],
  ['gte', '≥'],
  ['lt', '<'],
  ['lte', '≤'],
  ['in', 'in'],
  ['like', 'is like'],
  ['ilike', 'is like (case-insensitive)'],
  ['is', 'is'],
  ['match', 'matches'],
  ['imatch', 'matches (case-insensitive)'],
  ['isdistinct', 'is distinct from'],
] as const

export type Comparison = (typeof COMPARISONS)[number][0]

export interface Condition {
  readonly column: string
  readonly comparison: string
  readonly not: boolean
  readonly value: string
}

/** The values `is` accepts. */
const CONSTANTS = ['null', 'true', 'false', 'unknown'] as const

const isComparison = (text: string): text is Comparison => COMPARISONS.some(([id]) => id === text)

/** Quotes values that contain a separator: commas separate conditions, parentheses and quotes group. */
const quoted = (value: string): string =>
  /[,()"\\]|^\s|\s$/.test(value) ? `"${value.replaceAll(/(["\\])/g, String.raw`\$1`)}"` : value

/** The items of a comma-separated list. */
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

/** Combines conditions that have a column with AND. Undefined without any. */
export function filterOf(conditions: readonly Condition[]): string | undefined {
  const live = conditions.filter(({ column }) => column.trim() !== '')
  return live.length === 0 ? undefined : live.map(written).join(',')
}

/** The error in a condition. */
export function conditionProblem({ column, comparison, value }: Condition): string | undefined {
  if (column.trim() === '') return value === '' ? undefined : 'Enter a column.'
  if (/[=,\s]/.test(column.trim())) return 'A column name can’t contain =, comma or space here.'
  if (!isComparison(comparison)) return 'Choose a comparison.'
  if (comparison === 'is' && !CONSTANTS.some(constant => constant === value.trim()))
    return 'Enter null, true, false or unknown.'
  return undefined
}
