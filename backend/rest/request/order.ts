// The parameter `order`.
import type { OrderTerm } from './api-request.ts'
import { comma, delimiter, field, fieldName, separated } from './names.ts'
import type { Scanner } from './scanner.ts'

export const orderTerms = (scanner: Scanner): readonly OrderTerm[] | undefined =>
  separated(scanner, orderTerm, comma)

function orderTerm(scanner: Scanner): OrderTerm | undefined {
  scanner.spaces()
  const term = scanner.attempt(relatedTerm) ?? ownTerm(scanner)
  if (term !== undefined) scanner.spaces()
  return term
}

function ownTerm(scanner: Scanner): OrderTerm | undefined {
  const column = field(scanner)
  return column && term(scanner, undefined, column)
}

function relatedTerm(scanner: Scanner): OrderTerm | undefined {
  const relation = fieldName(scanner)
  if (relation === undefined || !scanner.word('(')) return undefined
  const column = field(scanner)
  return column !== undefined && scanner.word(')') ? term(scanner, relation, column) : undefined
}

function term(
  scanner: Scanner,
  relation: string | undefined,
  column: OrderTerm['field'],
): OrderTerm | undefined {
  const direction =
    scanner.attempt(() => modifier(scanner, 'asc')) ?? scanner.attempt(() => modifier(scanner, 'desc'))
  const nulls =
    scanner.attempt(() => modifier(scanner, 'nullsfirst')) ??
    scanner.attempt(() => modifier(scanner, 'nullslast'))
  if (!scanner.isNext(',') && !scanner.isAtEnd()) return undefined
  return {
    relation,
    field: column,
    direction,
    nulls: nulls && (nulls === 'nullsfirst' ? 'first' : 'last'),
  }
}

const modifier = <T extends string>(scanner: Scanner, word: T): T | undefined =>
  delimiter(scanner) && scanner.literal(word) ? word : undefined
