// Row values that are nested too deeply for recursive functions to parse, filter and send.
import { parseExactly } from '../../shared/exact-json.ts'
import type { Row } from './table-shape.ts'

/** Replaces a column's value in a row. */
export const TOO_DEEP = Symbol('too deep')

/** Maximum nesting of an announcement. Parsing with exact numbers fails at about 3,800 levels. */
const DEEPEST = 2_000

/** Parses an announcement; parts that are nested too deeply become an empty array. */
export function parseAnnouncement(text: string): unknown {
  return parseExactly(truncate(text))
}

/** Replaces the column values that `parseAnnouncement` has cut. */
export function markDeepValues(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, isCut(value) ? TOO_DEEP : value]),
  )
}

function truncate(text: string): string {
  // Most announcements are too short to be nested that deeply.
  if (text.length < 2 * DEEPEST) return text
  const pieces: string[] = []
  let [depth, from, isText] = [0, 0, false]
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isText && character === '\\') at += 1
    else if (character === '"') isText = !isText
    else if (isText) continue
    else if (character === '[' || character === '{') {
      depth += 1
      if (depth === DEEPEST) pieces.push(text.slice(from, at), '[]')
    } else if (character === ']' || character === '}') {
      if (depth === DEEPEST) from = at + 1
      depth -= 1
    }
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(from)
}

/** Whether a value is deep enough to have been cut; rows start at most five levels down. */
function isCut(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= DEEPEST - 5) return true
    level = level.flatMap(one =>
      typeof one === 'object' && one !== null ? Object.values<unknown>({ ...one }) : [],
    )
  }
  return false
}
