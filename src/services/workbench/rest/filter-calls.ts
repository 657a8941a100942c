// Converts a PostgREST query to supabase-js method calls: filters, order, limits.
import { quoted } from './js-literal.ts'

type Pair = readonly [name: string, value: string]

/** Operators with a supabase-js method of the same name that takes a column and a value. */
const METHODS: ReadonlySet<string> = new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike'])
const RESERVED: ReadonlySet<string> = new Set([
  'select',
  'order',
  'limit',
  'offset',
  'columns',
  'on_conflict',
])

/** One line per condition, then the order, then the range. */
export function filterCalls(query: readonly Pair[]): readonly string[] {
  const of = (wanted: string) => query.filter(([name]) => name === wanted).map(([, value]) => value)
  return [
    ...query.filter(([name]) => !RESERVED.has(name)).map(filterCall),
    ...of('order').flatMap(orderCalls),
    ...rangeCalls(of('limit')[0], of('offset')[0]),
  ]
}

function filterCall([name, value]: Pair): string {
  if (name === 'or' || name === 'and') {
    const inner = /^\((.*)\)$/s.exec(value)?.[1] ?? value
    return name === 'or' ? `.or(${quoted(inner)})` : `.or(${quoted(`and(${inner})`)})`
  }
  const [, not, operator = 'eq', operand = ''] = /^(not\.)?([a-z]+(?:\([^)]*\))?)\.(.*)$/s.exec(value) ?? []
  const column = quoted(name)
  if (not !== undefined) return `.not(${column}, ${quoted(operator)}, ${plain(operator, operand)})`
  if (METHODS.has(operator)) return `.${operator}(${column}, ${quoted(operand)})`
  if (operator === 'is') return `.is(${column}, ${plain(operator, operand)})`
  if (operator === 'in') {
    const items = listOf(operand)
    if (items) return `.in(${column}, [${items.map(quoted).join(', ')}])`
  }
  return `.filter(${column}, ${quoted(operator)}, ${quoted(operand)})`
}

const plain = (operator: string, operand: string): string =>
  operator === 'is' && /^(null|true|false)$/.test(operand) ? operand : quoted(operand)

/** Items of `(a,"b,c")`. */
function listOf(operand: string): readonly string[] | undefined {
  const inner = /^\((.*)\)$/s.exec(operand)?.[1]
  if (inner === undefined) return undefined
  return [...inner.matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gs)].map(([, quotedItem, bare = '']) =>
    quotedItem === undefined ? bare : quotedItem.replace(/\\(.)/gs, '$1'),
  )
}

function orderCalls(order: string): readonly string[] {
  return order
    .split(',')
    .filter(part => part !== '')
    .map(part => {
      const [, column = part, words = ''] =
        /^(.*?)((?:\.(?:asc|desc|nullsfirst|nullslast)){0,2})$/s.exec(part) ?? []
      const options = [
        ...(words.includes('.desc') ? ['ascending: false'] : []),
        ...(words.includes('.nullsfirst') ? ['nullsFirst: true'] : []),
        ...(words.includes('.nullslast') ? ['nullsFirst: false'] : []),
      ]
      return `.order(${quoted(column)}${options.length === 0 ? '' : `, { ${options.join(', ')} }`})`
    })
}

function rangeCalls(limit: string | undefined, offset: string | undefined): readonly string[] {
  const [from, size] = [Number(offset ?? 0), limit === undefined ? undefined : Number(limit)]
  if (size === undefined) return from > 0 ? [`.range(${from}, ${Number.MAX_SAFE_INTEGER})`] : []
  return from > 0 ? [`.range(${from}, ${from + size - 1})`] : [`.limit(${size})`]
}
