// Formats JSON without parsing its values: digits, duplicate names and order are kept.

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
