// JSON laid out in lines without reading its values: digits, doubled names and the order stay what they are.

const TOKEN = /"(?:[^"\\]|\\[\s\S])*"?|[{}[\],:]|[^\s{}[\],:"]+/g

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The same JSON with a line for each value; undefined for what is none. */
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
