// Names and expressions in SCXML syntax.

/** Returns the id of a name; `of` separates things with the same name. */
export type Ids = (name: string, of?: string) => string

/** Turns names into XML ids: unique in a document, and with valid characters only. */
export function createIds(): Ids {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  return (path, of = '') => {
    const key = `${of} ${path}`
    const known = ids.get(key)
    if (known !== undefined) return known
    const plain = path === '' ? '_root' : path.replaceAll(/[^\w.-]/g, '_').replace(/^(?=[^A-Za-z_])/, '_')
    let id = plain
    for (let n = 2; taken.has(id); n++) id = `${plain}.${n}`
    ids.set(key, id)
    taken.add(id)
    return id
  }
}

/** One segment of an event name. */
const word = (text: string) => text.replaceAll(/[^\w-]+/g, '_') || '_'

/** The name of an event, segment by segment; a trailing wildcard is kept. */
export const eventName = (descriptor: string): string =>
  descriptor === '*'
    ? '*'
    : descriptor
        .split('.')
        .map((part, at) => (part === '*' && at > 0 ? '*' : word(part)))
        .join('.')

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** A call of the app's function with this name. */
export const call = (name: string): string =>
  IDENTIFIER.test(name) ? `${name}()` : `named(${JSON.stringify(name)})`

/** A guard as a condition; `and(…)`, `or(…)` and `not(…)` become operators. */
export function condition(guard: string): string {
  const [, operator = '', inner = ''] = /^(and|or|not)\((.*)\)$/.exec(guard) ?? []
  if (operator === '') return call(guard)
  const parts = splitTop(inner).map(condition)
  if (operator === 'not') return `!(${parts.join('')})`
  return `(${parts.join(operator === 'and' ? ' && ' : ' || ')})`
}

/** Splits at commas outside brackets. */
function splitTop(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter === '(') depth += 1
    if (letter === ')') depth -= 1
    if (letter !== ',' || depth > 0) continue
    parts.push(text.slice(from, at).trim())
    from = at + 1
  }
  return [...parts, text.slice(from).trim()]
}
