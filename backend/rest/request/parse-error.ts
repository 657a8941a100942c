// What an error says of a parameter that cannot be parsed, in PostgREST's form.
import { RestError } from '../rest-error.ts'
import { printed } from './printed.ts'

/** What would have been accepted where a text cannot be read on. */
export interface Failure {
  /** Index in the text. */
  readonly at: number
  /** In the order in which the alternatives were tried. */
  readonly notes: readonly Note[]
}

export interface Note {
  /** Index of a character that did not match; the text's length at its end. */
  readonly unmatched?: number | undefined
  /** Index of a character that is not allowed at its position. */
  readonly rejected?: number | undefined
  /** A word that would have been accepted, literally. */
  readonly word?: string | undefined
  /** A rule that would have accepted something. */
  readonly rule?: string | undefined
}

/** @param label Names the parameter and its value, like `failed to parse filter (0)`. */
export function parseError(label: string, text: string, failure: Failure): RestError {
  return queryError(`"${label}" ${locationOf(text, failure.at)}`, describe(text, failure.notes))
}

export function queryError(message: string, details: string): RestError {
  return new RestError({ status: 400, code: 'PGRST100', message, details })
}

const TAB_WIDTH = 8

/** Lines and columns start at 1; a tab goes to the next column after a multiple of 8. */
function locationOf(text: string, end: number): string {
  let line = 1
  let column = 1
  for (let index = 0; index < end; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x0a) {
      line++
      column = 1
    } else if (code === 0x09) column += TAB_WIDTH - ((column - 1) % TAB_WIDTH)
    else if (!isLowSurrogate(code)) column++
  }
  return `(line ${line}, column ${column})`
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

function describe(text: string, notes: readonly Note[]): string {
  const rejected = notes.flatMap(note => note.rejected ?? []).map(at => printed(characterAt(text, at), "'"))
  const unmatched = notes.find(note => note.unmatched !== undefined)?.unmatched
  const expected = notes.flatMap(({ word, rule }) => (word === undefined ? (rule ?? []) : printed(word, '"')))
  const parts = []
  if (rejected.length > 0) parts.push(`unexpected ${listed(rejected)}`)
  else if (unmatched !== undefined) parts.push(`unexpected ${printedAt(text, unmatched)}`)
  if (expected.length > 0) parts.push(`expecting ${listed(expected)}`)
  return parts.length > 0 ? parts.join(' ') : 'unknown parse error'
}

const printedAt = (text: string, index: number): string =>
  index < text.length ? printed(characterAt(text, index), '"') : 'end of input'

const characterAt = (text: string, index: number): string =>
  String.fromCodePoint(text.codePointAt(index) ?? 0)

function listed(names: readonly string[]): string {
  const unique = [...new Set(names)]
  const last = unique.pop() ?? ''
  return unique.length > 0 ? `${unique.join(', ')} or ${last}` : last
}
