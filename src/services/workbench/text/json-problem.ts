// Finds the first error in JSON text.

export interface JsonProblem {
  readonly message: string
  /** Counted from 1; undefined when the position is unknown. */
  readonly line?: number
  readonly column?: number
}

/** Undefined for valid JSON. */
export function jsonProblem(text: string): JsonProblem | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch {
    return problemOf(text)
  }
}

function problemOf(text: string): JsonProblem {
  const at = brokenAt(text)
  if (at === undefined) return { message: 'This is not valid JSON.' }
  const before = text.slice(0, at).split('\n')
  const [line, column] = [before.length, (before.at(-1)?.length ?? 0) + 1]
  const excerpt = /^(?:\w+|.)/su.exec(text.slice(at))?.[0].slice(0, 20)
  const what =
    excerpt === undefined
      ? 'unexpected end'
      : `unexpected ${excerpt === '\n' ? 'line break' : `“${excerpt}”`}`
  return { message: `This is not valid JSON: ${what} at line ${line}, column ${column}.`, line, column }
}

const SCALAR =
  /(?:"(?:[^"\\\n\r]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\w)|(?:true|false|null)\b)/y
const STRING = /"(?:[^"\\\n\r]|\\.)*"/y
const SPACE = /[ \t\r\n]*/y

/**
 * The offset of the first error; undefined if the nesting is too deep to check. Engines report positions in
 * different formats, or not at all.
 */
function brokenAt(text: string): number | undefined {
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match) at += match[0].length
    return match !== null
  }
  const sign = (character: string): boolean => {
    take(SPACE)
    if (text[at] !== character) return false
    at += 1
    return true
  }
  const items = (close: string, item: () => boolean): boolean => {
    if (sign(close)) return true
    do if (!item()) return false
    while (sign(','))
    return sign(close)
  }
  const member = (): boolean => {
    take(SPACE)
    return take(STRING) && sign(':') && value()
  }
  const value = (): boolean => {
    take(SPACE)
    if (text[at] === '{') return sign('{') && items('}', member)
    if (text[at] === '[') return sign('[') && items(']', value)
    return take(SCALAR)
  }
  try {
    if (value()) take(SPACE)
    return at
  } catch {
    return undefined
  }
}
