// Row filters of postgres_changes: parses `column=op.value` and converts it to SQL.
import { quote, type TableShape } from './table-shape.ts'

const COMPARISONS: Readonly<Record<string, string>> = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  like: 'like',
  ilike: 'ilike',
  isdistinct: 'is distinct from',
}
/** Valid values for `is`. */
export const CONSTANTS = ['null', 'true', 'false', 'unknown']
const OPERATORS = [...Object.keys(COMPARISONS), 'in', 'is', 'match', 'imatch']

export interface Condition {
  readonly column: string
  readonly operator: string
  readonly negated: boolean
  /** In SQL syntax: without the filter's quotes; lists as an array literal. */
  readonly value: string
}

/** Thrown for an invalid filter; its message is sent to the client. */
class FilterError extends Error {
  override name = 'FilterError'

  constructor(reason: string) {
    super(`Error parsing \`filter\` params: ${reason}`)
  }
}

/** Each condition is tested on the database, which is blocked in the meantime. */
const MOST_CONDITIONS = 50

/** Parses a filter such as `id=gt.5,note=not.like.a%`; all conditions must match. */
export function parseFilter(filter: string): Condition[] {
  const segments = filter.trim() === '' ? [] : splitConditions(filter.trim())
  if (segments.length > MOST_CONDITIONS) throw new FilterError(`at most ${MOST_CONDITIONS} conditions`)
  return segments.map(parseCondition)
}

function parseCondition(text: string): Condition {
  const segment = text.trim()
  if (segment === '') throw new FilterError('filter must not contain empty segments (check for extra commas)')
  const equals = segment.indexOf('=')
  if (equals < 0) throw new FilterError(list(segment))
  const negated = segment.startsWith('not.', equals + 1)
  const rest = segment.slice(equals + (negated ? 5 : 1))
  const dot = rest.indexOf('.')
  if (dot < 0) throw new FilterError(list(rest))
  const [operator, value] = [rest.slice(0, dot), rest.slice(dot + 1)]
  if (!OPERATORS.includes(operator)) throw new FilterError(list(operator, value))
  return { column: segment.slice(0, equals), operator, negated, value: readValue(operator, value) }
}

function list(...words: readonly string[]): string {
  return `[${words.map(word => JSON.stringify(word)).join(', ')}]`
}

function readValue(operator: string, value: string): string {
  if (operator !== 'in') return unquote(value)
  const inner = /^\((.*)\)$/s.exec(value)?.[1]
  if (inner === undefined) throw new FilterError('`in` filter value must be wrapped by parentheses')
  return `{${inner}}`
}

/** Removes the quotes around a whole value; quotes inside a value are kept. */
function unquote(value: string): string {
  const inner = /^"((?:\\.|[^"\\])*)"$/s.exec(value)?.[1]
  return inner === undefined ? value : inner.replaceAll(/\\(.)/gs, '$1')
}

/** Splits at commas outside of parentheses and quotes; a quote only opens after `.`, `(` or `,`. */
function splitConditions(filter: string): string[] {
  const pieces: string[] = []
  let [start, depth, isQuoted] = [0, 0, false]
  for (let at = 0; at < filter.length; at += 1) {
    const character = filter[at]
    if (isQuoted && character === '\\') at += 1
    else if (character === '"') isQuoted = !isQuoted && (at === start || '.(,'.includes(filter[at - 1] ?? ''))
    else if (isQuoted) continue
    else if (character === '(') depth += 1
    else if (character === ')') depth = Math.max(0, depth - 1)
    else if (character === ',' && depth === 0) {
      pieces.push(filter.slice(start, at))
      start = at + 1
    }
  }
  return [...pieces, filter.slice(start)]
}

/** Patterns run on a separate engine with bounded time. */
export function isPattern({ operator }: Condition): boolean {
  return operator === 'match' || operator === 'imatch'
}

/** A SQL condition on `row`, an expression of the table's row type; values are bound with `bind`. */
export function toSql(
  condition: Condition,
  shape: TableShape,
  row: string,
  bind: (value: string) => string,
): string {
  const { column, operator, value, negated } = condition
  const type = shape.columns.find(({ name }) => name === column)?.sqlType
  if (type === undefined) return 'false'
  const cell = `(${row}).${quote(column)}`
  // Clients send bytea values as hexadecimal digits, so they are compared as such.
  const left = type === 'bytea' ? `encode(${cell}, 'hex')::bytea` : cell
  const right = () =>
    operator === 'in' ? `any (${bind(value)}::text::${type}[])` : `${bind(value)}::text::${type}`
  const sql =
    operator === 'is'
      ? `${left} is ${CONSTANTS.find(constant => constant === value) ?? 'null'}`
      : `${left} ${operator === 'in' ? '=' : COMPARISONS[operator]} ${right()}`
  return negated ? `not (${sql})` : sql
}
