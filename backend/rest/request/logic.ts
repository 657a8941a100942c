// The parameters `and`, `or` and their negations.
import type { LogicTree } from './api-request.ts'
import { delimiter, field, names, separated, spaced, spacedComma } from './names.ts'
import { condition, logicValue, notBefore } from './operations.ts'
import type { Scanner } from './scanner.ts'

type Operator = 'and' | 'or'

/** What follows the outer parenthesis is ignored. */
export function logicTree(scanner: Scanner, level = 0): LogicTree | undefined {
  scanner.checkLevel(level)
  const filter = scanner.attempt(logicFilter)
  if (filter !== undefined) return filter
  const isNegated = scanner.labeled('negation operator (not)', () => scanner.attempt(notBefore)) ?? false
  const operator = scanner.labeled('logic operator (and, or)', logicOperator)
  if (operator === undefined || !spaced(scanner, '(')) return undefined
  const parts = separated(scanner, each => logicTree(each, level + 1), spacedComma)
  if (parts === undefined || !spaced(scanner, ')')) return undefined
  return { kind: 'logic', isNegated, operator, parts }
}

function logicOperator(scanner: Scanner): Operator | undefined {
  if (scanner.word('and')) return 'and'
  return scanner.literal('or') ? 'or' : undefined
}

function logicFilter(scanner: Scanner): LogicTree | undefined {
  const column = field(scanner)
  if (column === undefined || !delimiter(scanner)) return undefined
  const parts = condition(scanner, logicValue)
  return parts && { kind: 'filter', filter: { field: column, ...parts } }
}

/** The path of the embedded resource, and the operator with its negation: the text of the tree without its parts. */
export function logicPath(
  scanner: Scanner,
): { readonly path: readonly string[]; readonly prefix: string } | undefined {
  const list = names(scanner)
  if (list === undefined) return undefined
  const operator = list.at(-1) ?? ''
  return {
    path: list.slice(0, -1).filter(name => name !== 'not'),
    prefix: list.includes('not') ? `not.${operator}` : operator,
  }
}
