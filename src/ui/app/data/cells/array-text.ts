// PostgreSQL's arrays as it writes them, `{a,"b c",NULL}`, taken apart and put together again.

/** An element; null is the database's. */
export type Element = string | null

/** What has to be quoted to be read as it is. */
const isPlain = (text: string) => /^[^\s{}",\\]+$/.test(text) && !/^null$/i.test(text)

/** The elements of an array of one dimension; undefined for anything else. */
export const readArrayText = (text: string): readonly Element[] | undefined => {
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined
  const inner = text.slice(1, -1)
  if (inner.trim() === '') return []
  const found: Element[] = []
  const element = /\s*(?:"((?:[^"\\]|\\[\s\S])*)"|([^\s{}",\\](?:[^{}",\\]*[^\s{}",\\])?))\s*(,|$)/gy
  for (let at = 0; at < inner.length; at = element.lastIndex) {
    element.lastIndex = at
    const match = element.exec(inner)
    if (match === null) return undefined
    const [, quoted, plain = '', end] = match
    const word = /^null$/i.test(plain) ? null : plain
    found.push(quoted === undefined ? word : quoted.replaceAll(/\\([\s\S])/g, '$1'))
    if (end === '') return found
  }
  // It ended with a comma.
  return undefined
}

/** The elements as PostgreSQL reads them. */
export const writeArrayText = (elements: readonly Element[]): string => {
  const texts = elements.map(element => {
    if (element === null) return 'NULL'
    return isPlain(element) ? element : `"${element.replaceAll(/["\\]/g, character => `\\${character}`)}"`
  })
  return `{${texts.join(',')}}`
}

/** Whether braces, quotes and commas are in their places; what the elements mean the server says. */
export const isArrayText = (text: string): boolean => {
  const bare = text
    .replace(/^(\[-?\d+:-?\d+\])+=/, '')
    .replaceAll(/"(?:[^"\\]|\\[\s\S])*("?)/g, (_, end) => (end === '' ? '"' : '0'))
  if (!bare.startsWith('{') || !bare.endsWith('}') || bare.includes('"')) return false
  let depth = 0
  for (let at = 0; at < bare.length; at += 1) {
    if (bare[at] === '{') depth += 1
    if (bare[at] === '}') depth -= 1
    if (depth === 0 && at < bare.length - 1) return false
  }
  return depth === 0
}
