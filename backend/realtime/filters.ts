// Row filters of postgres_changes, from `column=op.value` to a SQL condition with parameters.

const COMPARISONS: Readonly<Record<string, string>> = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  isdistinct: 'is distinct from',
}
const PATTERNS: Readonly<Record<string, string>> = { like: 'like', ilike: 'ilike', match: '~', imatch: '~*' }
const OPERATORS = [...Object.keys(COMPARISONS), ...Object.keys(PATTERNS), 'in', 'is']
const CONSTANTS = ['null', 'true', 'false', 'unknown']

export interface Condition {
  readonly column: string
  readonly operator: string
  readonly negated: boolean
  readonly value: string
}

/** Thrown for a filter that cannot be understood; its message goes to the client. */
class FilterError extends Error {
  override name = 'FilterError'
}

/** Splits a filter, e.g. `id=gt.5,note=not.like.a%`, into its conditions, all of which must hold. */
export function parseFilter(filter: string): Condition[] {
  return splitConditions(filter).map(text => {
    const match = /^([^=]+)=(not\.)?([a-z]+)\.(.*)$/s.exec(text.trim())
    if (!match) throw new FilterError(`The filter "${text}" is not of the form column=operator.value`)
    const [, column = '', not, operator = '', value = ''] = match
    if (!OPERATORS.includes(operator)) {
      throw new FilterError(`The filter operator "${operator}" is unknown`)
    }
    return { column, operator, negated: not !== undefined, value }
  })
}

/** A SQL condition on `row`, an expression of the table's row type; parameters are numbered from `first`. */
export function toSql(
  conditions: readonly Condition[],
  types: ReadonlyMap<string, string>,
  row: string,
  first: number,
): { sql: string; parameters: unknown[] } {
  const parameters: unknown[] = []
  const parts = conditions.map(condition => {
    const type = types.get(condition.column)
    if (type === undefined) throw new FilterError(`The filter column "${condition.column}" does not exist`)
    const left = `(${row})."${condition.column.replaceAll('"', '""')}"`
    const bind = (value: unknown) => `$${first + parameters.push(value) - 1}`
    const sql = oneCondition(condition, left, type, bind)
    return condition.negated ? `not (${sql})` : sql
  })
  return { sql: parts.length === 0 ? 'true' : parts.join(' and '), parameters }
}

function oneCondition(
  condition: Condition,
  left: string,
  type: string,
  bind: (value: unknown) => string,
): string {
  const { operator, value } = condition
  if (operator === 'in') return `${left} = any (${bind(parseList(value))}::text[]::${type}[])`
  if (operator === 'is') {
    if (!CONSTANTS.includes(value.toLowerCase()))
      throw new FilterError(`"is" takes one of ${CONSTANTS.join(', ')}`)
    return `${left} is ${value}`
  }
  const pattern = PATTERNS[operator]
  if (pattern !== undefined) return `${left}::text ${pattern} ${bind(value)}::text`
  return `${left} ${COMPARISONS[operator]} ${bind(value)}::text::${type}`
}

function splitConditions(filter: string): string[] {
  const pieces = splitOutside(filter)
  return pieces.reduce<string[]>((list, piece) => {
    // A comma inside a plain value does not begin a condition.
    if (list.length > 0 && !/^\s*[^=,.()]+=(not\.)?[a-z]+\./.test(piece)) list.push(`${list.pop()},${piece}`)
    else list.push(piece)
    return list
  }, [])
}

function parseList(value: string): string[] {
  const inner = /^\((.*)\)$/s.exec(value.trim())?.[1]
  if (inner === undefined) throw new FilterError('"in" takes a list in parentheses, e.g. in.(1,2)')
  return splitOutside(inner).map(item => {
    const text = item.trim()
    return /^".*"$/s.test(text) ? text.slice(1, -1).replaceAll('\\"', '"') : text
  })
}

/** Splits at commas that are neither in quotes nor in parentheses. */
function splitOutside(text: string): string[] {
  return text.match(/(?:"(?:\\.|[^"\\])*"|\([^)]*\)|[^,])+/gs) ?? []
}
