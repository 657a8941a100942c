// Formats values as idiomatic JavaScript source.

/** A string literal in single quotes. */
export const quoted = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replace(/[\u2028\u2029]/g, character => `\\u${character.charCodeAt(0).toString(16)}`)}'`

const NAME = /^[A-Za-z_$][\w$]*$/
const WIDTH = 80

const nameOf = (name: string): string => (NAME.test(name) && name !== '__proto__' ? name : quoted(name))

/** Exact digits that JavaScript numbers would round: `{ rawJSON }` of `JSON.rawJSON`. */
const digitsOf = (value: object): string | undefined =>
  'rawJSON' in value && typeof value.rawJSON === 'string' && Object.getPrototypeOf(value) === null
    ? quoted(value.rawJSON)
    : undefined

/** A JSON value as source; on one line if it fits. */
export function literal(value: unknown, indent = 0): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const digits = digitsOf(value)
  if (digits !== undefined) return digits
  const parts = Array.isArray(value)
    ? value.map(item => literal(item, indent + 2))
    : Object.entries(value).map(([name, item]) => `${nameOf(name)}: ${literal(item, indent + 2)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  const gap = Array.isArray(value) ? '' : ' '
  const line = `${open}${gap}${parts.join(', ')}${gap}${close}`
  if (line.length + indent <= WIDTH && !line.includes('\n')) return line
  const pad = ' '.repeat(indent)
  return `${open}\n${parts.map(part => `${pad}  ${part},\n`).join('')}${pad}${close}`
}
