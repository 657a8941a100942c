// Operators of filters, and the values they compare with.
import type { Filter, Operation } from './api-request.ts'
import { comma, delimiter, identifier, quotedText, separated, spaced } from './names.ts'
import type { Scanner } from './scanner.ts'

type Condition = Omit<Filter, 'field'>
type ReadValue = (scanner: Scanner) => string

/** `not.`, an operator, a point, and its value. */
export function condition(scanner: Scanner, readValue: ReadValue): Condition | undefined {
  const isNegated = scanner.attempt(notBefore) ?? false
  const operation = scanner.labeled('operator (eq, gt, ...)', () => operationOf(scanner, readValue))
  return operation && { isNegated, operation }
}

export const notBefore = (scanner: Scanner): true | undefined =>
  (scanner.literal('not') && delimiter(scanner)) || undefined

function operationOf(scanner: Scanner, readValue: ReadValue): Operation | undefined {
  if (scanner.attempt(() => operator(scanner, 'in'))) {
    const values = listedValues(scanner)
    return values && { kind: 'in', values }
  }
  if (scanner.attempt(() => operator(scanner, 'is'))) {
    const value = scanner.labeled(IS_RULE, isValue)
    return value && { kind: 'is', value }
  }
  if (scanner.attempt(() => operator(scanner, 'isdistinct')))
    return { kind: 'isdistinct', value: readValue(scanner) }
  return (
    scanner.attempt(() => searched(scanner, readValue)) ??
    scanner.attempt(() => simple(scanner, readValue)) ??
    scanner.attempt(() => compared(scanner, readValue))
  )
}

const operator = (scanner: Scanner, name: string): true | undefined =>
  (scanner.literal(name) && delimiter(scanner)) || undefined

const IS_VALUES = ['null', 'not_null', 'true', 'false', 'unknown'] as const
const IS_RULE = `isVal: (${IS_VALUES.join(', ')})`

/** In any case. What follows is ignored. */
function isValue(scanner: Scanner): (typeof IS_VALUES)[number] | undefined {
  const { text, position } = scanner
  for (const value of IS_VALUES) {
    let length = 0
    while (
      length < value.length &&
      isSameLetter(text.charCodeAt(position + length), value.charCodeAt(length))
    )
      length++
    if (length === value.length) {
      scanner.advance(position + length)
      return value
    }
    scanner.note(position + length, { unmatched: position + length })
  }
  return undefined
}

const CASE_BIT = 0x20

/** @param lower Code of a lower-case letter, or of an underscore. */
const isSameLetter = (code: number, lower: number): boolean =>
  code === lower || (lower >= 0x61 && code === lower - CASE_BIT)

const SEARCH_OPERATORS = ['fts', 'plfts', 'phfts', 'wfts'] as const

function searched(scanner: Scanner, readValue: ReadValue): Operation | undefined {
  const name = SEARCH_OPERATORS.find(each => scanner.word(each))
  if (name === undefined) return undefined
  const language = scanner.attempt(languageName)
  return delimiter(scanner) ? { kind: 'fts', operator: name, language, value: readValue(scanner) } : undefined
}

function languageName(scanner: Scanner): string | undefined {
  const name = scanner.word('(') ? identifier(scanner) : undefined
  return name !== undefined && scanner.word(')') ? name : undefined
}

const SIMPLE_OPERATORS = ['neq', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj'] as const

function simple(scanner: Scanner, readValue: ReadValue): Operation | undefined {
  const name = SIMPLE_OPERATORS.find(each => scanner.word(each))
  if (name === undefined || !delimiter(scanner)) return undefined
  return { kind: 'simple', operator: name, value: readValue(scanner) }
}

const COMPARISONS = ['eq', 'gte', 'gt', 'lte', 'lt', 'like', 'ilike', 'match', 'imatch'] as const

function compared(scanner: Scanner, readValue: ReadValue): Operation | undefined {
  const name = COMPARISONS.find(each => scanner.word(each))
  if (name === undefined) return undefined
  const quantifier = scanner.attempt(quantifierName)
  if (!delimiter(scanner)) return undefined
  return { kind: 'compare', operator: name, quantifier, value: readValue(scanner) }
}

function quantifierName(scanner: Scanner): 'any' | 'all' | undefined {
  if (!scanner.word('(')) return undefined
  const name = scanner.word('any') ? 'any' : scanner.literal('all') ? 'all' : undefined
  return name !== undefined && scanner.word(')') ? name : undefined
}

const listedValues = (scanner: Scanner): readonly string[] | undefined => {
  if (!spaced(scanner, '(')) return undefined
  const values = separated(scanner, listedValue, comma)
  return values !== undefined && spaced(scanner, ')') ? values : undefined
}

/** The text up to a comma or a closing parenthesis; in quotes, it may contain them. */
const listedValue = (scanner: Scanner): string => scanner.attempt(quotedValue) ?? scanner.until(',)')

function quotedValue(scanner: Scanner): string | undefined {
  const text = quotedText(scanner)
  if (text === undefined) return undefined
  const { position } = scanner
  const isLast = position >= scanner.text.length || ',)'.includes(scanner.text.charAt(position))
  if (isLast) scanner.refuse()
  else scanner.note(position + 1, { rejected: position })
  return isLast ? text : undefined
}

/** A value in a logic tree; in braces, it may contain commas, too. */
export const logicValue = (scanner: Scanner): string =>
  scanner.attempt(quotedValue) ?? scanner.attempt(arrayValue) ?? scanner.until(',)')

function arrayValue(scanner: Scanner): string | undefined {
  if (!scanner.word('{')) return undefined
  const items = scanner.until('{}')
  return scanner.word('}') ? `{${items}}` : undefined
}
