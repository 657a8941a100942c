// Parses and formats JSON without losing digits, duplicate names or order.

const TOKEN = /"(?:[^"\\]|\\[\s\S])*"?|[{}[\],:]|[^\s{}[\],:"]+/g

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The JSON with one value per line; undefined for invalid JSON. */
export const indented = (text: string): string | undefined => {
  if (!isJson(text)) return undefined
  let depth = 0
  let result = ''
  const line = () => `\n${'  '.repeat(depth)}`
  const tokens = text.match(TOKEN) ?? []
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1]
    const isEmpty = (token === '}' && before === '{') || (token === ']' && before === '[')
    if (token === '}' || token === ']') {
      depth -= 1
      result += isEmpty ? token : line() + token
    } else if (token === ',') result += token
    else if (token === ':') result += ': '
    else {
      const begins = before === '{' || before === '[' || before === ','
      result += (begins ? line() : '') + token
      if (token === '{' || token === '[') depth += 1
    }
  }
  return result
}

interface ExactJson extends Pick<JSON, 'parse'> {
  /**
   * Missing in browsers before 2025; there such a number becomes a string of its digits, which servers also
   * accept.
   */
  readonly rawJSON?: (text: string) => unknown
  readonly isRawJSON?: (value: unknown) => boolean
}

const json: ExactJson = JSON

/** A number by its digits; `JSON.stringify` writes them unchanged. */
export const exactNumber = (digits: string): unknown =>
  String(Number(digits)) === digits ? Number(digits) : (json.rawJSON?.(digits) ?? digits)

/** Whether the value is a number whose digits a JavaScript number cannot hold. */
export const isExactNumber = (value: unknown): boolean => json.isRawJSON?.(value) ?? false

type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown

const keepDigits: Reviver = (_name, value, context) =>
  typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
    ? exactNumber(context.source)
    : value

/** Missing in the same browsers. */
const hasSources = (): boolean => {
  let isFound = false
  const reviver: Reviver = (_name, value, context) => {
    isFound = context?.source === '0'
    return value
  }
  JSON.parse('0', reviver)
  return isFound
}

const quoteInexact = (text: string): string =>
  text.replaceAll(TOKEN, token =>
    JSON_NUMBER.test(token) && String(Number(token)) !== token ? `"${token}"` : token,
  )

/** Parses JSON text; a number that JavaScript cannot hold keeps its digits. @throws SyntaxError */
export const parseExact = (text: string): unknown => {
  if (hasSources()) return JSON.parse(text, keepDigits)
  JSON.parse(text)
  return JSON.parse(quoteInexact(text))
}

/** A JSON number. */
export const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
