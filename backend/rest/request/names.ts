// Names in parameters: columns, resources, paths into JSON, and paths of embedded resources.
import type { Field, JsonStep } from './api-request.ts'
import type { Scanner } from './scanner.ts'

export const NO_JSON_PATH: readonly JsonStep[] = []

/** A text in double quotes; a backslash escapes any character. */
export function quotedText(scanner: Scanner): string | undefined {
  if (!scanner.word('"')) return undefined
  let text = ''
  for (;;) {
    text += scanner.until('"\\')
    if (!scanner.isNext('\\')) return scanner.word('"') ? text : undefined
    scanner.advance(scanner.position + 1)
    const escaped = scanner.text.charAt(scanner.position)
    if (escaped === '') return scanner.refuse()
    scanner.advance(scanner.position + 1)
    text += escaped
  }
}

const isLetter = (text: string): boolean => /^\p{L}/u.test(text)

/** Width of a character of an identifier in UTF-16 units; 0 if it is none. */
function identifierWidth(text: string, index: number): number {
  const code = text.charCodeAt(index)
  if (code < 0x80) return isAsciiIdentifier(code) ? 1 : 0
  const character = String.fromCodePoint(text.codePointAt(index) ?? 0)
  return index < text.length && isLetter(character) ? character.length : 0
}

const isAsciiIdentifier = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x30 && code <= 0x39) ||
  code === 0x5f ||
  code === 0x20 ||
  code === 0x24

/** Letters, digits, underscores, dollars, and spaces, but those at its ends. */
export function identifier(scanner: Scanner): string | undefined {
  const { text, position } = scanner
  let end = position
  for (let width = identifierWidth(text, end); width > 0; width = identifierWidth(text, end)) end += width
  if (end > position) scanner.advance(end)
  scanner.note(end, { unmatched: end, rule: 'letter' })
  scanner.note(end, { rule: 'digit' })
  return end > position ? text.slice(position, end).trim() : undefined
}

/** Parts with dashes between them; the dash of an arrow is none. */
function dashed(scanner: Scanner, part: (scanner: Scanner) => string | undefined): string | undefined {
  let name = part(scanner)
  while (name !== undefined && dash(scanner)) {
    const next = part(scanner)
    name = next === undefined ? undefined : `${name}-${next}`
  }
  return name
}

function dash(scanner: Scanner): boolean {
  const { text, position } = scanner
  if (!scanner.isNext('-')) return false
  if (text.charAt(position + 1) === '>') {
    scanner.note(position + 2, { rejected: position + 1 })
    return false
  }
  scanner.advance(position + 1)
  // An error after the dash would have accepted an arrow's end in its place.
  scanner.isNext('>')
  return true
}

export function fieldName(scanner: Scanner): string | undefined {
  if (scanner.code === 0x22) return quotedText(scanner)
  if (identifierWidth(scanner.text, scanner.position) > 0) return dashed(scanner, identifier)
  scanner.expect('field name (* or [a..z0..9_$])')
  return undefined
}

const RESERVED_IN_KEYS = '(-:.,>)'

function jsonKey(scanner: Scanner): string | undefined {
  if (scanner.code === 0x22) return quotedText(scanner)
  const isReserved =
    Number.isNaN(scanner.code) || RESERVED_IN_KEYS.includes(scanner.text.charAt(scanner.position))
  if (!isReserved) return dashed(scanner, jsonKeyPart)
  scanner.expect('any non reserved character different from: .,>()')
  return undefined
}

function jsonKeyPart(scanner: Scanner): string | undefined {
  const part = scanner.until(RESERVED_IN_KEYS)
  return part === '' ? undefined : part.trim()
}

/** Digits, with a sign always; only before another step, a cast, a point, a comma, or the end. */
function jsonIndex(scanner: Scanner): string | undefined {
  const sign = scanner.word('-') ? '-' : '+'
  const { text, position } = scanner
  let end = position
  while (isDigit(text.charCodeAt(end))) end++
  if (end > position) scanner.advance(end)
  scanner.expect('digit')
  if (end === position) return undefined
  const isWhole = ['->', '::', '.', ','].some(next => scanner.isNext(next)) || scanner.isAtEnd()
  return isWhole ? sign + text.slice(position, end) : undefined
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** Steps into a JSON value; empty if there are none. */
function jsonPath(scanner: Scanner): readonly JsonStep[] | undefined {
  let steps: JsonStep[] | undefined
  for (let arrow = jsonArrow(scanner); arrow !== undefined; arrow = jsonArrow(scanner)) {
    const key = jsonOperand(scanner)
    if (key === undefined) return undefined
    steps ??= []
    steps.push({ arrow, key })
  }
  return steps ?? NO_JSON_PATH
}

function jsonArrow(scanner: Scanner): JsonStep['arrow'] | undefined {
  if (scanner.word('->>')) return '->>'
  return scanner.word('->') ? '->' : undefined
}

function jsonOperand(scanner: Scanner): JsonStep['key'] | undefined {
  const index = scanner.attempt(jsonIndex)
  if (index !== undefined) return { index }
  const name = scanner.attempt(jsonKey)
  return name === undefined ? undefined : { name }
}

/** A column and a path into it, with spaces around. */
export function field(scanner: Scanner): Field | undefined {
  scanner.spaces()
  const name = fieldName(scanner)
  if (name === undefined) return undefined
  const path = jsonPath(scanner)
  if (path === undefined) return undefined
  scanner.spaces()
  return { name, jsonPath: path }
}

export function delimiter(scanner: Scanner): boolean {
  if (scanner.code === 0x2e) {
    scanner.advance(scanner.position + 1)
    return true
  }
  scanner.expect('delimiter (.)')
  return false
}

/** Names with points between them. */
export function names(scanner: Scanner): readonly string[] | undefined {
  const list: string[] = []
  do {
    const name = fieldName(scanner)
    if (name === undefined) return undefined
    list.push(name)
  } while (delimiter(scanner))
  return list
}

/** A field of an embedded resource, or of the resource itself. What follows it is ignored. */
export function treePath(
  scanner: Scanner,
): { readonly path: readonly string[]; readonly field: Field } | undefined {
  const list = names(scanner)
  if (list === undefined) return undefined
  const steps = jsonPath(scanner)
  return steps && { path: list.slice(0, -1), field: { name: list.at(-1) ?? '', jsonPath: steps } }
}

/** Reads a character with spaces around it. */
export function spaced(scanner: Scanner, character: string): boolean {
  scanner.spaces()
  if (!scanner.word(character)) return false
  scanner.spaces()
  return true
}

/**
 * Items with a separator between them; at least one.
 * A separator that read something and failed refuses the whole.
 */
export function separated<T>(
  scanner: Scanner,
  item: (scanner: Scanner) => T | undefined,
  separator: (scanner: Scanner) => boolean,
): readonly T[] | undefined {
  const items: T[] = []
  for (;;) {
    const next = item(scanner)
    if (next === undefined) return undefined
    items.push(next)
    const { position } = scanner
    if (!separator(scanner)) return scanner.position === position ? items : undefined
  }
}

export const comma = (scanner: Scanner): boolean => scanner.word(',')

export const spacedComma = (scanner: Scanner): boolean => spaced(scanner, ',')

/** Names with commas between them. What follows them is ignored. */
export const columnNames = (scanner: Scanner): readonly string[] | undefined =>
  separated(scanner, fieldName, spacedComma)
